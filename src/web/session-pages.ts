import { signInPath } from "../domain/account/session.ts";
import { createChangePasswordPage } from "./session/change-password.ts";
import { createFirstSignInPage } from "./session/first-sign-in.ts";
import type { FirstSignInDeps } from "./session/first-sign-in.ts";
import { createOidcPages } from "./session/oidc/oidc-pages.ts";
import { createForgotPage } from "./session/forgot.ts";
import type { ForgotDeps } from "./session/forgot.ts";
import type { LinkPages } from "./link-page.ts";
import { createSignInPage, createSignOutPage } from "./session/sign-in.ts";
import { createTwoFactorPage } from "./session/two-factor.ts";
import { createVerifyPage } from "./session/verify.ts";

/** By path, the pages on which people sign in and out. */
export function createSessionPages(
  deps: FirstSignInDeps & ForgotDeps,
): Readonly<Record<string, LinkPages>> {
  return {
    "/signin": createSignInPage(deps),
    "/signout": createSignOutPage(deps),
    "/verify": createVerifyPage(deps),
    "/forgot": createForgotPage(deps),
    "/password": createChangePasswordPage(deps),
    "/two-factor": createTwoFactorPage(deps),
    ...(deps.oidc === undefined ? {} : createOidcPages(deps, deps.oidc)),
    [signInPath]: createFirstSignInPage(deps),
  };
}

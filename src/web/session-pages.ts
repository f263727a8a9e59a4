import { signInPath } from "../domain/account/session.ts";
import { createChangePasswordPage } from "./session/change-password.ts";
import { createFirstSignInPage } from "./session/first-sign-in.ts";
import type { FirstSignInDeps } from "./session/first-sign-in.ts";
import type { LinkPages } from "./link-page.ts";
import { createSignInPage, createSignOutPage } from "./session/sign-in.ts";

/** By path, the pages on which people sign in and out. */
export function createSessionPages(deps: FirstSignInDeps): Readonly<Record<string, LinkPages>> {
  return {
    "/signin": createSignInPage(deps),
    "/signout": createSignOutPage(deps),
    "/password": createChangePasswordPage(deps),
    [signInPath]: createFirstSignInPage(deps),
  };
}

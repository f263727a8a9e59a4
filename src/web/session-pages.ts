import { codeOf } from "../kit/errors.ts";
import { signInPath } from "../domain/account/session.ts";
import { createChangePasswordPage } from "./session/change-password.ts";
import { createFirstSignInPage, type FirstSignInDeps } from "./session/first-sign-in.ts";
import { createOidcPages } from "./session/oidc/oidc-pages.ts";
import { createForgotPage, type ForgotDeps } from "./session/forgot.ts";
import type { LinkPage, LinkPages, PageRequest } from "./link-page.ts";
import { sessionPage } from "./session/session-page.ts";
import { createSignInPage, createSignOutPage } from "./session/sign-in.ts";
import { createTwoFactorPage } from "./session/two-factor.ts";
import { createVerifyPage } from "./session/verify.ts";
import { wordsFor } from "./session/words.ts";

/** By path, the pages on which people sign in and out. */
export function createSessionPages(
  deps: FirstSignInDeps & ForgotDeps,
): Readonly<Record<string, LinkPages>> {
  return whenBusy({
    "/signin": createSignInPage(deps),
    "/signout": createSignOutPage(deps),
    "/verify": createVerifyPage(deps),
    "/forgot": createForgotPage(deps),
    "/password": createChangePasswordPage(deps),
    "/two-factor": createTwoFactorPage(deps),
    ...(deps.oidc === undefined ? {} : createOidcPages(deps, deps.oidc)),
    [signInPath]: createFirstSignInPage(deps),
  });
}

/** Answers with a page where too many passwords are being verified, or nothing can be stored. */
function whenBusy(pages: Readonly<Record<string, LinkPages>>): Readonly<Record<string, LinkPages>> {
  const act =
    ({ act }: LinkPages): LinkPages["act"] =>
    async (query, form, request) => {
      try {
        return await act(query, form, request);
      } catch (error) {
        if (codeOf(error) !== "unavailable") throw error;
        return busyPage(request);
      }
    };
  return Object.fromEntries(
    Object.entries(pages).map(([path, page]) => [path, { ...page, act: act(page) }]),
  );
}

const RETRY_AFTER_SECONDS = 3;

function busyPage(request: PageRequest): LinkPage {
  const { language, busyTitle, busy } = wordsFor(request);
  return sessionPage(503, `<h2>${busyTitle}</h2><p>${busy}</p>`, {
    language,
    headers: { "retry-after": String(RETRY_AFTER_SECONDS) },
  });
}

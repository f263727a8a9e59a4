import { createHmac } from "node:crypto";

import type { StatusPage } from "../domain/status/status-page.ts";
import { cookieValues } from "../kit/http/cookie-header.ts";
import type { SessionCookie } from "../kit/http/session-cookie.ts";
import type { Clock } from "../kit/clock.ts";
import { constantTimeEquals, type Sealer } from "../kit/crypto/seal.ts";
import { strangerAsker } from "../kit/concurrency/askers.ts";
import type { Asker } from "../kit/concurrency/costly-work.ts";
import type { MinuteBudget } from "../kit/http/minute-budget.ts";
import type { Store } from "../store/store.ts";
import type { SessionAdmin } from "../store/transactions/session-admin.ts";
import { html } from "../kit/html.ts";
import type { PublicDocument } from "./public-document.ts";
import type { PublicRequest } from "./public-request.ts";
import { problemPart, smallPage } from "./small-page.ts";
import { wordsIn } from "./words.ts";

export interface AccessDeps {
  readonly store: Pick<Store, "accounts">;
  readonly sealer: Pick<Sealer, "deriveKey">;
  readonly sessions: Pick<SessionAdmin, "find">;
  readonly cookie: Pick<SessionCookie, "read">;
  readonly passwords: {
    readonly verify: (plain: string, stored: string | undefined, asker: Asker) => Promise<boolean>;
  };
  /** Attempts a minute to give a password, of each client address. */
  readonly attempts: MinuteBudget;
  readonly clock: Pick<Clock, "now">;
  /** The public address of this installation. */
  readonly url: string;
}

/** Access rules of pages that are not public. */
export interface PageAccessRules {
  /** Returns the response that replaces the page; undefined if the client may see it. */
  readonly refuse: (
    page: StatusPage,
    request: PublicRequest,
  ) => Promise<PublicDocument | undefined>;
}

const DAY_MS = 86_400_000;
/** For how long a browser that gave the password need not give it again. */
const REMEMBERED_MS = 30 * DAY_MS;
const MAX_PASSWORD_LENGTH = 128;

export function createPageAccess(deps: AccessDeps): PageAccessRules {
  const key = deps.sealer.deriveKey("status page");
  /** It ends with the password that it was given for. */
  const proofOf = ({ id, password = "" }: StatusPage, until: string): string =>
    createHmac("sha256", key)
      .update(JSON.stringify([id, password, until]))
      .digest("base64url");
  const isProven = (page: StatusPage, { headers }: PublicRequest): boolean => {
    const [value = ""] = cookieValues(headers.cookie, cookieName(page));
    const [until = "", proof = ""] = value.split(".");
    return constantTimeEquals(proof, proofOf(page, until)) && Number(until) > deps.clock.now();
  };
  const prove = (page: StatusPage): PublicDocument => {
    const until = String(deps.clock.now() + REMEMBERED_MS);
    const attributes = `Max-Age=${REMEMBERED_MS / 1000}; Path=/; HttpOnly; SameSite=Lax${deps.url.startsWith("https:") ? "; Secure" : ""}`;
    return {
      status: 303,
      headers: {
        // The page that the form is on, without naming it.
        location: "?",
        "set-cookie": `${cookieName(page)}=${until}.${proofOf(page, until)}; ${attributes}`,
      },
      body: "",
    };
  };
  return {
    async refuse(page, request) {
      if (page.access === "public") return undefined;
      if (page.access === "signedin")
        return (await isSignedIn(deps, page, request)) ? undefined : signInPage(page, deps.url);
      // guard: passwords of status pages = then
      if (isProven(page, request)) return undefined;
      if (request.method !== "POST") return passwordPage(page, undefined);
      const problem = await passwordProblem(deps, page, request);
      return problem === undefined ? prove(page) : passwordPage(page, problem);
    },
  };
}

/** Returns the problem with a sent password. */
async function passwordProblem(
  { attempts, passwords }: AccessDeps,
  page: StatusPage,
  { client, form }: PublicRequest,
): Promise<string | undefined> {
  const words = wordsIn(page.language);
  // guard: attempts at passwords of status pages
  if (!attempts.spend(`page ${client}`, 1)) return words.tooManyAttempts;
  const given = (form.get("password") ?? "").slice(0, MAX_PASSWORD_LENGTH + 1);
  const isRight = await passwords.verify(given, page.password, strangerAsker(client));
  return isRight ? undefined : words.wrongPassword;
}

/** Somebody of the account, or of the one that it belongs to. */
async function isSignedIn(
  { store, sessions, cookie }: AccessDeps,
  page: StatusPage,
  { headers }: PublicRequest,
): Promise<boolean> {
  const secret = cookie.read(headers.cookie);
  const found = secret === undefined ? undefined : await sessions.find(secret);
  if (found === undefined) return false;
  // guard: people of the account = then
  if (found.account.id === page.accountId) return true;
  return (await store.accounts.find(page.accountId))?.parentId === found.account.id;
}

/** It shows nothing of the page, its title included. */
function passwordPage({ language }: StatusPage, problem: string | undefined): PublicDocument {
  const words = wordsIn(language);
  return smallPage({
    heading: words.needsPassword,
    language,
    content: html`${problemPart(problem)}
      <form method="post">
        <p>
          <label
            >${words.password}
            <input
              name="password"
              type="password"
              autocomplete="current-password"
              required
              maxlength="${MAX_PASSWORD_LENGTH}"
          /></label>
        </p>
        <p><button type="submit">${words.show}</button></p>
      </form>`,
    status: 403,
    hasForm: true,
    look: undefined,
  });
}

function signInPage({ language }: StatusPage, url: string): PublicDocument {
  const words = wordsIn(language);
  return smallPage({
    heading: words.signIn,
    language,
    content: html`<p><a href="${url.replace(/\/*$/, "/signin")}">${words.toSignIn}</a></p>`,
    status: 403,
    hasForm: false,
    look: undefined,
  });
}

function cookieName({ id }: StatusPage): string {
  return `watchpost-page-${id}`;
}

import type { IncomingHttpHeaders } from "node:http";

import type { ContactRef } from "../../domain/account/second-factor.ts";
import { mailboxOf } from "../../domain/contact/contact.ts";
import { escapeHtml } from "../../kit/http/escape-html.ts";
import { isSameOrigin } from "../../kit/http/same-origin.ts";
import type { Asker } from "../../kit/concurrency/costly-work.ts";
import type { DeviceCookie } from "../../kit/http/device-cookie.ts";
import type { MinuteBudget } from "../../kit/http/minute-budget.ts";
import type { SessionCookie } from "../../kit/http/session-cookie.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Ids } from "../../kit/ids.ts";
import type { Log } from "../../kit/log.ts";
import type { Store } from "../../store/store.ts";
import type { FoundSession } from "../../store/tables/sessions.ts";
import type { PreparedSession, SessionAdmin } from "../../store/transactions/session-admin.ts";
import type { OidcSignIn } from "./oidc/oidc-sign-in.ts";
import { linkPage, type LinkPage, type PageRequest } from "../link-page.ts";
import { wordsFor, type LocalizedWords, type Words } from "./words.ts";

export interface SessionPageDeps {
  readonly store: Pick<Store, "contacts" | "sessions" | "secondFactors" | "write">;
  readonly sessions: SessionAdmin;
  readonly cookie: SessionCookie;
  readonly devices: DeviceCookie;
  /** Both throw Unavailable where too many ask at once. */
  readonly passwords: {
    readonly hash: (plain: string, asker: Asker) => Promise<string>;
    readonly verify: (plain: string, stored: string | undefined, asker: Asker) => Promise<boolean>;
  };
  /** Attempts a minute, of each client address and for each mailbox, which has more for each network that it signed in from, or of each browser that signed in before. */
  readonly attempts: MinuteBudget;
  /** Whether a mail server is configured. */
  readonly canSendMail: boolean;
  /** By which people may sign in beside their password. */
  readonly oidc?: OidcSignIn | undefined;
  /** The public address of this installation. */
  readonly url: string;
  readonly ids: Pick<Ids, "uuid">;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

export type Form = Pick<URLSearchParams, "get">;

/** At least that of OWASP ASVS 4.0.3, 2.1.1; the longest of 2.1.2 is 128. */
const PASSWORD = { shortest: 12, longest: 128 };
const LONGEST_MAILBOX = 320;
export const LONGEST_ACCOUNT_ID = 40;
/** Contacts of several accounts may share a mailbox; the oldest come first, so that nobody who enters it elsewhere gets in their way. */
export const MOST_ACCOUNTS = 3;

/** A page whose forms are sent with their origin, which no other site can fake. `content` is HTML. */
export function sessionPage(
  status: number,
  content: string,
  {
    language,
    headers = {},
  }: {
    readonly language?: LocalizedWords["language"];
    readonly headers?: LinkPage["headers"];
  } = {},
): LinkPage {
  const page = linkPage(status, content, "", language);
  return {
    ...page,
    headers: {
      ...page.headers,
      "referrer-policy": "same-origin",
      "cache-control": "no-store",
      ...headers,
    },
  };
}

/** For who has to sign in first. */
export const signedOutPage = sessionPage(303, "", { headers: { location: "signin" } });

interface SignedIn {
  readonly of: ContactRef;
  readonly session: Pick<PreparedSession, "secret">;
  readonly request: PageRequest;
  readonly query?: Form | undefined;
}

/** Gives the browser the session, and shows the dashboard, or the page that asked to sign in. */
export async function signedInPage(
  deps: Pick<SessionPageDeps, "cookie" | "devices" | "sessions" | "store">,
  signedIn: SignedIn,
): Promise<LinkPage> {
  const cookies = await signedInCookies(deps, signedIn);
  const headers = { location: nextIn(signedIn.query) ?? "./", "set-cookie": cookies };
  return sessionPage(303, "", { headers });
}

/** The cookie of the session, and one by which the browser is known when it signs in again. */
export async function signedInCookies(
  {
    cookie,
    devices,
    sessions,
    store,
  }: Pick<SessionPageDeps, "cookie" | "devices" | "sessions" | "store">,
  { of: { accountId, contactId }, session, request: { headers } }: SignedIn,
): Promise<string[]> {
  const contact = await store.contacts.find(accountId, contactId);
  const mailbox = contact && mailboxOf(contact);
  const own = cookie.write(session.secret, sessions.lifetimes.longestMs);
  return mailbox === undefined
    ? [own]
    : [own, devices.write(headers.cookie, mailbox.toLowerCase())];
}

/** A path of this installation; anything else is ignored, so that no link can sign people in and lead them elsewhere. */
export function nextIn(query: Form | undefined): string | undefined {
  const here = "http://here.invalid";
  const next = query?.get("next");
  const url = next == null ? null : URL.parse(next, here);
  if (url?.origin !== here) return undefined;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // What resolves to two slashes would name another host when it is read again.
  return path.startsWith("//") ? undefined : path;
}

/** Who is signed in in the browser. */
export async function signedInBy(
  { cookie, sessions }: Pick<SessionPageDeps, "cookie" | "sessions">,
  { headers }: Pick<PageRequest, "headers">,
): Promise<FoundSession | undefined> {
  const secret = cookie.read(headers.cookie);
  return secret === undefined ? undefined : sessions.find(secret);
}

/** Who has attempts of its own, which no stranger uses up. */
export interface KnownBefore {
  /** A person who is signed in, or a browser that signed in before. */
  readonly device?: string | undefined;
  /** The network of the request, where the mailbox has signed in from it before. Addresses of it still have attempts of their own. */
  readonly network?: string | undefined;
}

/** Why a form is not acted upon at all. */
export function refusalOf(
  { attempts, url }: Pick<SessionPageDeps, "attempts" | "url">,
  { headers, client }: PageRequest,
  mailbox: string | undefined,
  { device, network }: KnownBefore = {},
): LinkPage | undefined {
  const { language, otherSite, tooMany } = wordsFor({ headers });
  // guard: forms of other sites
  if (!isSameOrigin(headers, url)) return sessionPage(403, `<p>${otherSite}</p>`, { language });
  const keys =
    device === undefined
      ? [`client ${client}`, ...(mailbox === undefined ? [] : [mailboxKey(mailbox, network)])]
      : [`device ${device}`];
  const spent = keys.find((key) => !attempts.spend(key, 1));
  // guard: attempts to sign in = then
  if (spent === undefined) return undefined;
  const seconds = attempts.secondsLeft(spent);
  return sessionPage(429, `<p>${tooMany(seconds)}</p>`, {
    language,
    headers: { "retry-after": String(seconds) },
  });
}

/** The network comes first, because a form may name any text as its mailbox. */
function mailboxKey(mailbox: string, network: string | undefined): string {
  return network === undefined ? `mailbox ${mailbox}` : `network ${network} mailbox ${mailbox}`;
}

export function agentOf({ "user-agent": agent = "" }: IncomingHttpHeaders): string {
  return agent.replaceAll(/\p{Cc}/gu, "");
}

/** What is wrong with a new password. */
export function passwordProblem(password: string, words: Words): string | undefined {
  const { shortest, longest } = PASSWORD;
  const { length } = password;
  return length >= shortest && length <= longest
    ? undefined
    : words.passwordLength(shortest, longest);
}

/** The mailbox that a form names, as mailboxes are compared. */
export function givenMailbox(form: Form): string {
  return (form.get("email") ?? "").slice(0, LONGEST_MAILBOX).trim().toLowerCase();
}

/** Longer than any may be, so that none is cut to the right one. */
export function givenPassword(form: Form, name: string): string {
  return (form.get(name) ?? "").slice(0, PASSWORD.longest + 1);
}

/** A sentence beside a form, as HTML. */
export function problemText(problem: string | undefined): string {
  return problem === undefined ? "" : `<p class="problem" role="alert">${escapeHtml(problem)}</p>`;
}

/** Text is HTML. */
export function passwordField(name: string, text: string, autocomplete: string): string {
  return `<p><label>${text} <input name="${name}" type="password" autocomplete="${autocomplete}" required maxlength="${PASSWORD.longest}"></label></p>`;
}

/** For a password that is chosen: says how long it must be before it is refused. */
export function newPasswordField(text: string, words: Words): string {
  const { shortest } = PASSWORD;
  return `${passwordField("password", text, "new-password")}<p>${words.shortest(shortest)}</p>`;
}

/** With what was entered before, where the form is shown again. */
export function mailboxField(words: Words, entered = ""): string {
  return `<p><label>${words.email} <input name="email" type="email" autocomplete="username" required maxlength="${LONGEST_MAILBOX}" value="${escapeHtml(entered)}"></label></p>`;
}

import type { IncomingHttpHeaders } from "node:http";

import type { AuditEntry } from "../../domain/account/audit.ts";
import { handleOf } from "../../domain/account/token.ts";
import type { Contact } from "../../domain/contact/contact.ts";
import { isSameOrigin } from "../../kit/browser/same-origin.ts";
import type { MinuteBudget } from "../../kit/http/minute-budget.ts";
import type { SessionCookie } from "../../kit/browser/session-cookie.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Store } from "../../store/store.ts";
import type { PreparedSession, SessionAdmin } from "../../store/units/session-admin.ts";
import { linkPage } from "../link-page.ts";
import type { LinkPage, PageRequest } from "../link-page.ts";

export interface SessionPageDeps {
  readonly store: Pick<Store, "contacts" | "sessions" | "write">;
  readonly sessions: SessionAdmin;
  readonly cookie: SessionCookie;
  /** Both take turns by who asks. */
  readonly passwords: {
    readonly hash: (plain: string, who: string) => Promise<string>;
    readonly verify: (plain: string, stored: string | undefined, who: string) => Promise<boolean>;
  };
  /** Attempts a minute, of each client address and for each mailbox. */
  readonly attempts: MinuteBudget;
  /** The public address of this installation. */
  readonly url: string;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

export type Form = Pick<URLSearchParams, "get">;

/** At least that of OWASP ASVS 4.0.3, 2.1.1; the longest of 2.1.2 is 128. */
export const PASSWORD = { shortest: 12, longest: 128 };
export const LONGEST_MAILBOX = 320;

/** A page whose forms are sent with their origin, which no other site can fake. `content` is HTML. */
export function sessionPage(
  status: number,
  content: string,
  headers: Readonly<Record<string, string>> = {},
): LinkPage {
  const page = linkPage(status, content);
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

/** The browser has the session from now on, and shows the dashboard, or the page that asked to sign in. */
export function signedInPage(
  { cookie, sessions }: Pick<SessionPageDeps, "cookie" | "sessions">,
  { secret }: Pick<PreparedSession, "secret">,
  query?: Form,
): LinkPage {
  const headers = {
    location: nextIn(query) ?? "./",
    "set-cookie": cookie.write(secret, sessions.lifetimes.longestMs),
  };
  return sessionPage(303, "", headers);
}

/** A path of this installation; anything else is ignored, so that no link can sign people in and lead them elsewhere. */
function nextIn(query: Form | undefined): string | undefined {
  const here = "http://here.invalid";
  const next = query?.get("next");
  const url = next == null ? null : URL.parse(next, here);
  if (url?.origin !== here) return undefined;
  const path = `${url.pathname}${url.search}${url.hash}`;
  // What resolves to two slashes would name another host when it is read again.
  return path.startsWith("//") ? undefined : path;
}

/** That a contact chose a password. */
export function passwordEntry(
  { clock }: Pick<SessionPageDeps, "clock">,
  { id: contactId, accountId, name }: Pick<Contact, "id" | "accountId" | "name">,
  { digest, client }: Pick<PreparedSession, "digest"> & Pick<PageRequest, "client">,
): AuditEntry {
  return {
    accountId,
    at: clock.now(),
    actor: { kind: "session", id: handleOf({ digest }), name, contactId },
    client,
    operation: "PUT password",
    recordId: contactId,
    fields: ["password"],
  };
}

/** Why a form is not acted upon at all. */
export function refusalOf(
  { attempts, url }: Pick<SessionPageDeps, "attempts" | "url">,
  { headers, client }: PageRequest,
  mailbox: string | undefined,
): LinkPage | undefined {
  if (!isSameOrigin(headers, url))
    return sessionPage(403, "<p>Another site sent this form, so nothing was done.</p>");
  const keys = [`client ${client}`, ...(mailbox === undefined ? [] : [`mailbox ${mailbox}`])];
  if (keys.every((key) => attempts.spend(key, 1))) return undefined;
  const seconds = attempts.secondsLeft();
  return sessionPage(429, `<p>Too many attempts: try again in ${seconds} seconds.</p>`, {
    "retry-after": String(seconds),
  });
}

export function agentOf({ "user-agent": agent = "" }: IncomingHttpHeaders): string {
  return agent.replaceAll(/\p{Cc}/gu, "");
}

/** What is wrong with a new password. */
export function passwordProblem(password: string): string | undefined {
  const { shortest, longest } = PASSWORD;
  const { length } = password;
  return length >= shortest && length <= longest
    ? undefined
    : `The password must have ${shortest} to ${longest} characters.`;
}

/** Text is HTML. */
export function passwordField(name: string, text: string, autocomplete: string): string {
  return `<p><label>${text} <input name="${name}" type="password" autocomplete="${autocomplete}" required maxlength="${PASSWORD.longest}"></label></p>`;
}

export function mailboxField(): string {
  return `<p><label>Email <input name="email" type="email" autocomplete="username" required maxlength="${LONGEST_MAILBOX}"></label></p>`;
}

import type { IncomingHttpHeaders } from "node:http";

import type { z } from "zod";

import type { ContactRef } from "../../domain/account/second-factor.ts";
import { mailboxOf } from "../../domain/contact/contact.ts";
import { Forbidden, InvalidInput, TooManyRequests } from "../../kit/errors.ts";
import { isSameOrigin } from "../../kit/http/same-origin.ts";
import { signInCookies } from "../../kit/http/sign-in-cookies.ts";
import { parseInput } from "../../schema/parse-input.ts";
import { text } from "../../schema/scalars.ts";
import type { FoundSession } from "../../store/tables/sessions.ts";
import type { PreparedSession } from "../../store/transactions/session-admin.ts";
import type { ApiDeps } from "../deps.ts";
import type { RawValues } from "../http/parse-request.ts";

export type SignInDeps = Pick<
  ApiDeps,
  | "store"
  | "clock"
  | "ids"
  | "log"
  | "passwords"
  | "confirmations"
  | "mailLimits"
  | "sessions"
  | "signInAttempts"
  | "oidc"
>;

/** The browser that sends a request, whoever is signed in there. */
export interface Visitor {
  readonly headers: IncomingHttpHeaders;
  /** The key under which the client is counted. */
  readonly client: string;
}

export interface Answer {
  readonly body: object;
  /** Returns the header Set-Cookie. */
  readonly cookies?: readonly string[];
}

/** An operation about signing in: it takes no token, since its caller is not known before. */
export interface VisitorOperation {
  /** One sentence for the reference. */
  readonly summary: string;
  /** Whether somebody must be signed in. */
  readonly needsSession: boolean;
  readonly input: z.ZodObject;
  readonly response: z.ZodType;
  /** Throws errors as the handlers of other operations do. */
  readonly answer: (deps: SignInDeps, values: RawValues, visitor: Visitor) => Promise<Answer>;
}

interface Definition<Input extends z.ZodObject> {
  readonly summary: string;
  readonly input: Input;
  readonly response: z.ZodType;
}

/** Defines an operation for everybody. */
export function visitorOperation<Input extends z.ZodObject>({
  handle,
  ...definition
}: Definition<Input> & {
  readonly handle: (deps: SignInDeps, input: z.output<Input>, visitor: Visitor) => Promise<Answer>;
}): VisitorOperation {
  return {
    ...definition,
    needsSession: false,
    answer: (deps, values, visitor) => handle(deps, parseInput(definition.input, values), visitor),
  };
}

/** What a person changes about their own signing in. */
export interface OwnChange {
  readonly of: ContactRef;
  readonly found: FoundSession;
  readonly visitor: Visitor;
}

/** Defines an operation for the person who is signed in. */
export function sessionOperation<Input extends z.ZodObject>({
  handle,
  ...definition
}: Definition<Input> & {
  readonly handle: (deps: SignInDeps, input: z.output<Input>, change: OwnChange) => Promise<Answer>;
}): VisitorOperation {
  return {
    ...definition,
    needsSession: true,
    async answer(deps, values, visitor) {
      const found = await signedInBy(deps, visitor);
      if (found === undefined) throw new Forbidden("nobody is signed in in this browser");
      const of = { accountId: found.account.id, contactId: found.contact.id };
      assertAllowed(deps, visitor, undefined, { device: of.contactId });
      return handle(deps, parseInput(definition.input, values), { of, found, visitor });
    },
  };
}

/** At least that of OWASP ASVS 4.0.3, 2.1.1; the longest of 2.1.2 is 128. */
export const PASSWORD = { shortest: 12, longest: 128 };
const MAX_MAILBOX_LENGTH = 320;
/** Contacts of several accounts may share a mailbox; the oldest come first, so that nobody who enters it elsewhere gets in their way. */
export const MAX_ACCOUNTS = 3;

export const emailField = text(MAX_MAILBOX_LENGTH).describe("The email address to sign in with");
export const passwordField = text(PASSWORD.longest);

/** A mailbox as mailboxes are compared. */
export function comparedMailbox(email = ""): string {
  return email.trim().toLowerCase();
}

/** Throws InvalidInput where a new password is too short. */
export function assertNewPassword(password = ""): void {
  if (password.length >= PASSWORD.shortest) return;
  throw new InvalidInput(`password: must have at least ${PASSWORD.shortest} characters`);
}

/** Returns the signed-in user of the browser. */
export async function signedInBy(
  { sessions: { admin, cookie } }: Pick<SignInDeps, "sessions">,
  { headers }: Pick<Visitor, "headers">,
): Promise<FoundSession | undefined> {
  const secret = cookie.read(headers.cookie);
  return secret === undefined ? undefined : admin.find(secret);
}

/** What stores a session of the contact in the browser. */
export function prepareSession(
  { sessions: { admin } }: Pick<SignInDeps, "sessions">,
  of: ContactRef,
  { client, headers: { "user-agent": agent = "" } }: Visitor,
): PreparedSession {
  return admin.prepare(of, { client, agent });
}

/** Gives the browser the session, and a cookie by which it is known when it signs in again. */
export async function signedInAnswer(
  { sessions: { admin, cookie, devices }, store }: Pick<SignInDeps, "sessions" | "store">,
  {
    of: { accountId, contactId },
    session: { secret },
    visitor: { headers },
  }: {
    readonly of: ContactRef;
    readonly session: Pick<PreparedSession, "secret">;
    readonly visitor: Pick<Visitor, "headers">;
  },
): Promise<Answer> {
  const contact = await store.contacts.find(accountId, contactId);
  const { maxMs } = admin.lifetimes;
  const cookies = signInCookies(
    { cookie, devices },
    { secret, maxMs, mailbox: contact && mailboxOf(contact), sent: headers.cookie },
  );
  return { body: { is: "signed in" }, cookies };
}

/** Client with a separate attempt budget that strangers cannot use up. */
interface KnownBefore {
  /** A person who is signed in, or a browser that signed in before. */
  readonly device?: string | undefined;
  /** The network of the request, where the mailbox has signed in from it before. Addresses of it still have attempts of their own. */
  readonly network?: string | undefined;
}

/** Refuses what another site sent, and too many attempts. */
export function assertAllowed(
  { signInAttempts: attempts, sessions: { url } }: Pick<SignInDeps, "signInAttempts" | "sessions">,
  { headers, client }: Visitor,
  mailbox: string | undefined,
  { device, network }: KnownBefore = {},
): void {
  // guard: forms of other sites
  if (!isSameOrigin(headers, url))
    throw new Forbidden("signing in takes requests from pages of this installation alone");
  const keys =
    device === undefined
      ? [`client ${client}`, ...(mailbox === undefined ? [] : [mailboxKey(mailbox, network)])]
      : [`device ${device}`];
  const spent = keys.find((key) => !attempts.spend(key, 1));
  // guard: attempts to sign in = then
  if (spent === undefined) return;
  const seconds = attempts.secondsLeft(spent);
  throw new TooManyRequests(`too many attempts: try again in ${seconds} seconds`, seconds);
}

/** The network comes first, because a form may name any text as its mailbox. */
function mailboxKey(mailbox: string, network: string | undefined): string {
  return network === undefined ? `mailbox ${mailbox}` : `network ${network} mailbox ${mailbox}`;
}

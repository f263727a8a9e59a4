import { z } from "zod";

import type { AuditEntry } from "../../domain/account/audit.ts";
import { handleOf } from "../../domain/account/token.ts";
import { knownAddressAsker, knownAsker, strangerAsker } from "../../kit/concurrency/askers.ts";
import type { Asker } from "../../kit/concurrency/costly-work.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { Forbidden } from "../../kit/errors.ts";
import { networksOf } from "../../kit/http/client-address.ts";
import { text } from "../../schema/scalars.ts";
import type { SignIn } from "../../store/tables/contacts.ts";
import type { FoundSession } from "../../store/tables/sessions.ts";
import { okResponse } from "../resources/responses.ts";
import { countFailedSignIn } from "./access-changes.ts";
import { afterFirstFactor, firstFactorResponse } from "./after-first-factor.ts";
import {
  assertAllowed,
  comparedMailbox,
  emailField,
  MAX_ACCOUNTS,
  passwordField,
  signedInBy,
  visitorOperation,
  type SignInDeps,
  type Visitor,
} from "./visitor.ts";

const MAX_ACCOUNT_ID_LENGTH = 40;

export const signIn = visitorOperation({
  summary: "Signs a contact in by email and password, or asks for its second factor",
  input: z.object({
    email: emailField,
    password: passwordField.describe("Its password"),
    account: text(MAX_ACCOUNT_ID_LENGTH).describe(
      "The account to sign in to, where several have a contact with that address",
    ),
  }),
  response: firstFactorResponse,
  async handle(deps, { email, password = "", account: accountId }, visitor) {
    const { store, log } = deps;
    const mailbox = comparedMailbox(email);
    const device = deps.sessions.devices.deviceOf(visitor.headers.cookie, mailbox);
    const found = await store.contacts.findSignIns({ mailbox, accountId, limit: MAX_ACCOUNTS });
    const network = await knownNetworkOf(deps, visitor, found);
    assertAllowed(deps, visitor, mailbox, {
      /* guard: attempts of known browsers */ device,
      /* guard: attempts of known networks */ network,
    });
    const asker = await askerOf(deps, visitor, device);
    const known = await matching(deps, asker, { found, password });
    // The password may have been changed meanwhile.
    const answer =
      known &&
      (await afterFirstFactor(deps, {
        of: { accountId: known.accountId, contactId: known.contactId },
        visitor,
        unit: async ({ contacts }) =>
          (await contacts.passwordOf(known.accountId, known.contactId)) === known.password,
      }));
    if (answer !== undefined) return answer;
    countFailedSignIn(deps, found, visitor.client);
    log.warn("web.sign_in_failed", { from: visitor.client });
    throw new Forbidden("the email or the password is not right");
  },
});

export const signOut = visitorOperation({
  summary: "Ends the session of the browser",
  input: z.object({}),
  response: okResponse,
  async handle(deps, _input, visitor) {
    const { store, log, clock } = deps;
    const { cookie } = deps.sessions;
    const found = await signedInBy(deps, visitor);
    assertAllowed(deps, visitor, undefined, { device: found?.contact.id });
    const secret = cookie.read(visitor.headers.cookie);
    if (secret !== undefined) {
      await store.write(async ({ sessions, audit }) => {
        const isEnded = await sessions.remove(hashToken(secret));
        if (isEnded && found !== undefined)
          await audit.insert(signOutEntry(found, clock.now(), visitor.client));
      });
      log.info("web.signed_out", { from: visitor.client });
    }
    return { body: { ok: true }, cookies: [cookie.clear()] };
  },
});

function signOutEntry({ session, contact }: FoundSession, at: number, client: string): AuditEntry {
  const { accountId, contactId } = session;
  return {
    accountId,
    at,
    actor: { kind: "session", id: handleOf(session), name: contact.name, contactId },
    client,
    operation: "DELETE sessions",
    recordId: contactId,
    fields: [],
  };
}

/** The network of the request, where one of these contacts is signed in from it. */
async function knownNetworkOf(
  { store, clock }: Pick<SignInDeps, "store" | "clock">,
  { client }: Visitor,
  found: readonly SignIn[],
): Promise<string | undefined> {
  const { site } = networksOf(client);
  const now = clock.now();
  for (const { accountId, contactId } of found) {
    const sessions = await store.sessions.listOf(accountId, contactId);
    if (sessions.some((each) => each.endsAt > now && networksOf(each.client).site === site))
      return site;
  }
  return undefined;
}

/** Browsers and addresses that signed in before go ahead of strangers, who are ordered by their network's recent attempts. */
async function askerOf(
  { store, clock }: Pick<SignInDeps, "store" | "clock">,
  { client }: Visitor,
  device: string | undefined,
): Promise<Asker> {
  if (device !== undefined) return knownAsker(`device ${device}`, client);
  const isKnown = await store.sessions.isClientKnown(client, clock.now());
  return isKnown ? knownAddressAsker(client) : strangerAsker(client);
}

/** Finds the contacts with this password. If nobody has the mailbox, a dummy password is verified. */
async function matching(
  { passwords }: Pick<SignInDeps, "passwords">,
  asker: Asker,
  { found, password }: { readonly found: readonly SignIn[]; readonly password: string },
): Promise<SignIn | undefined> {
  // guard: cost of unknown mailboxes
  if (found.length === 0) await passwords.verify(password, undefined, asker);
  for (const signIn of found)
    if (await passwords.verify(password, signIn.password, asker)) return signIn;
  return undefined;
}

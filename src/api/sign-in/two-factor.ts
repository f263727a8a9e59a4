import { randomBytes } from "node:crypto";

import { z } from "zod";

import {
  maxPasskeyLabelLength,
  MAX_PASSKEYS,
  needsSecondFactor,
  pendingSignInMs,
} from "../../domain/account/second-factor.ts";
import { mailboxOf } from "../../domain/contact/contact.ts";
import { knownAsker } from "../../kit/concurrency/askers.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { generateTotpSecret, totpUri } from "../../kit/crypto/totp.ts";
import { Conflict, Forbidden } from "../../kit/errors.ts";
import { text } from "../../schema/scalars.ts";
import type { Transaction } from "../../store/store.ts";
import { generateRecoveryCodes, verifyTotp } from "../../store/transactions/prove-second-factor.ts";
import { okResponse } from "../resources/responses.ts";
import { countFailedSignIn, recordAccessChange } from "./access-changes.ts";
import { MAX_PENDING, SECRET_BYTES } from "./after-first-factor.ts";
import { createdPasskey, creationOptions, MAX_CREDENTIAL_LENGTH } from "./passkeys.ts";
import { codeField, credentialField, refusedProof } from "./second-factor-proof.ts";
import { pendingField } from "./verify.ts";
import { passwordField, sessionOperation, type OwnChange, type SignInDeps } from "./visitor.ts";

const password = passwordField.describe("The password of who is signed in");
const codesResponse = z.object({
  codes: z.array(z.string()).describe("Recovery codes, which are shown this once"),
});
/** Of a factor that was added. */
const addedResponse = z.object({
  codes: codesResponse.shape.codes
    .optional()
    .describe("Recovery codes, with the first factor alone; they are shown this once"),
});

/** Its secret counts for nothing until a code of it comes back. */
export const beginApp = sessionOperation({
  summary: "Makes the secret of an authenticator app, by the password",
  input: z.object({ password }),
  response: z.object({
    secret: z.string().describe("In base32, as apps take it"),
    uri: z.string().describe("The same as apps scan it"),
  }),
  async handle(deps, input, change) {
    await provePassword(deps, input, change);
    const { store, clock, sessions } = deps;
    const { of } = change;
    const secret = generateTotpSecret();
    const isDone = await store.write(async ({ secondFactors }) => {
      if ((await secondFactors.findTotp(of))?.confirmedAt !== undefined) return false;
      const createdAt = clock.now();
      const unused = { confirmedAt: undefined, lastStep: 0, failures: 0, failedAt: 0 };
      await secondFactors.putTotp({ ...of, secret, createdAt, ...unused });
      return true;
    });
    if (!isDone) throw new Conflict("there is an authenticator app already");
    const label = await ownName(deps, change);
    const uri = totpUri(secret, { issuer: new URL(sessions.url).host, label });
    return { body: { secret, uri } };
  },
});

export const confirmApp = sessionOperation({
  summary: "Adds the authenticator app, by a first code of it",
  input: z.object({ code: codeField.describe("What the app shows") }),
  response: addedResponse,
  async handle(deps, { code = "" }, change) {
    const { store, clock } = deps;
    const { of } = change;
    const { codes, digests } = generateRecoveryCodes();
    const typed = { code: code.replaceAll(/\s/g, ""), at: clock.now(), confirms: true };
    const end = await store.write(async (tx) => {
      const totp = await tx.secondFactors.findTotp(of);
      if (totp === undefined || totp.confirmedAt !== undefined) return undefined;
      const isFirst = !needsSecondFactor(await tx.secondFactors.of(of));
      const proof = await verifyTotp(tx, of, typed);
      if (proof.is === "right") await recordAddition(deps, tx, change, isFirst ? digests : []);
      return { proof, isFirst };
    });
    if (end === undefined) throw new Conflict("there is no app to confirm: begin again");
    if (end.proof.is !== "right") throw refusedProof(end.proof);
    return added(deps, change, end.isFirst ? codes : undefined);
  },
});

export const removeApp = sessionOperation({
  summary: "Removes the authenticator app, by the password",
  input: z.object({ password }),
  response: okResponse,
  async handle(deps, input, change) {
    await provePassword(deps, input, change);
    await deps.store.write(async (tx) => {
      await tx.secondFactors.removeTotp(change.of);
      await recordRemoval(deps, tx, change);
    });
    return removed(deps, change);
  },
});

export const renewCodes = sessionOperation({
  summary: "Replaces the recovery codes, by the password",
  input: z.object({ password }),
  response: codesResponse,
  async handle(deps, input, change) {
    await provePassword(deps, input, change);
    const { of } = change;
    const { codes, digests } = generateRecoveryCodes();
    const isDone = await deps.store.write(async (tx) => {
      if (!needsSecondFactor(await tx.secondFactors.of(of))) return false;
      await tx.secondFactors.replaceRecoveryCodes(of, digests);
      await recordChange(deps, tx, change, "codes");
      return true;
    });
    if (!isDone) throw new Conflict("there is no second factor to recover");
    return { body: { codes } };
  },
});

export const beginPasskey = sessionOperation({
  summary: "Has the browser make a passkey, by the password",
  input: z.object({ password }),
  response: z.object({
    pending: z.string().describe("To send with the passkey, within five minutes"),
    options: z.string().describe("What `navigator.credentials.create` is given, as JSON"),
  }),
  async handle(deps, input, change) {
    await provePassword(deps, input, change);
    const { store, clock, sessions } = deps;
    const { of } = change;
    const { passkeys: known } = await store.secondFactors.of(of);
    if (known.length >= MAX_PASSKEYS)
      throw new Conflict(`there are ${MAX_PASSKEYS} passkeys already: remove one first`);
    const secret = randomBytes(SECRET_BYTES).toString("base64url");
    const now = clock.now();
    await store.write(({ secondFactors }) =>
      secondFactors.insertPending(
        { ...of, digest: hashToken(secret), endsAt: now + pendingSignInMs },
        { most: MAX_PENDING, now },
      ),
    );
    const asked = { contactId: of.contactId, name: await ownName(deps, change), known };
    return {
      body: { pending: secret, options: await creationOptions(sessions.url, secret, asked) },
    };
  },
});

export const addPasskey = sessionOperation({
  summary: "Adds the passkey that the browser made",
  input: z.object({
    pending: pendingField.describe("As it was answered to the password"),
    credential: credentialField.describe("What the browser made, as JSON"),
    label: text(maxPasskeyLabelLength).describe("What the contact calls it"),
  }),
  response: addedResponse,
  async handle(deps, { pending: secret = "", credential = "", label: typed = "" }, change) {
    const { store, clock, sessions } = deps;
    const { of } = change;
    const digest = hashToken(secret);
    const pending = await store.secondFactors.findPending(digest);
    const isOpen = pending?.contactId === of.contactId && pending.endsAt > clock.now();
    const made = isOpen ? await createdPasskey(sessions.url, secret, credential) : undefined;
    const label = typed.replaceAll(/\p{Cc}/gu, "").trim() || "Passkey";
    const { codes, digests } = generateRecoveryCodes();
    const end = await store.write(async (tx) => {
      if (made === undefined || !(await tx.secondFactors.removePending(digest))) return undefined;
      const before = await tx.secondFactors.of(of);
      const isKnown = before.passkeys.some(({ id }) => id === made.id);
      if (isKnown || before.passkeys.length >= MAX_PASSKEYS) return undefined;
      const isFirst = !needsSecondFactor(before);
      const createdAt = clock.now();
      await tx.secondFactors.insertPasskey({ ...made, ...of, label, createdAt, usedAt: undefined });
      await recordAddition(deps, tx, change, isFirst ? digests : []);
      return { isFirst };
    });
    if (end === undefined) throw new Forbidden("the passkey was not added: begin again");
    return added(deps, change, end.isFirst ? codes : undefined);
  },
});

export const removePasskey = sessionOperation({
  summary: "Removes a passkey, by the password",
  input: z.object({
    password,
    passkey: text(MAX_CREDENTIAL_LENGTH).describe(
      "The id of the passkey, as `secondfactors` has it",
    ),
  }),
  response: okResponse,
  async handle(deps, { passkey = "", ...input }, change) {
    await provePassword(deps, input, change);
    const isDone = await deps.store.write(async (tx) => {
      if (!(await tx.secondFactors.removePasskey(change.of, passkey))) return false;
      await recordRemoval(deps, tx, change);
      return true;
    });
    if (!isDone) throw new Conflict("passkey: there is no such passkey");
    return removed(deps, change);
  },
});

/** A session alone may be that of somebody who found the browser. */
async function provePassword(
  deps: SignInDeps,
  { password: given = "" }: { readonly password?: string | undefined },
  { of, visitor: { client } }: OwnChange,
): Promise<void> {
  const known = await deps.store.contacts.passwordOf(of.accountId, of.contactId);
  const asker = knownAsker(of.contactId, client);
  // guard: passwords for second factors = then
  if (await deps.passwords.verify(given, known, asker)) return;
  countFailedSignIn(deps, [of], client);
  throw new Forbidden("password: the password is not right");
}

/** What the contact is called in apps and by keepers of passkeys. */
async function ownName(
  { store }: Pick<SignInDeps, "store">,
  { of, found }: OwnChange,
): Promise<string> {
  const contact = await store.contacts.find(of.accountId, of.contactId);
  return (contact && mailboxOf(contact)) ?? found.contact.name;
}

type Writes = Parameters<typeof recordAccessChange>[1] & Pick<Transaction, "secondFactors">;

/** The first factor comes with recovery codes. */
async function recordAddition(
  deps: SignInDeps,
  tx: Writes,
  change: OwnChange,
  codes: readonly string[],
): Promise<void> {
  await recordChange(deps, tx, change, "factor added");
  if (codes.length > 0) await tx.secondFactors.replaceRecoveryCodes(change.of, codes);
}

/** Removes recovery codes that are no longer needed. */
async function recordRemoval(deps: SignInDeps, tx: Writes, change: OwnChange): Promise<void> {
  if (!needsSecondFactor(await tx.secondFactors.of(change.of)))
    await tx.secondFactors.replaceRecoveryCodes(change.of, []);
  await recordChange(deps, tx, change, "factor removed");
}

/** Ends all other sessions, which may be those of somebody else, records the change, and mails the contact. */
async function recordChange(
  deps: SignInDeps,
  tx: Writes,
  { found, of, visitor: { client } }: OwnChange,
  change: "factor added" | "factor removed" | "codes",
): Promise<void> {
  const { digest } = found.session;
  // guard: sessions after a change of second factors
  await tx.sessions.endAll(of.contactId, digest);
  await recordAccessChange(deps, tx, { of, change, kind: "session", digest, client });
}

function added(
  { log }: Pick<SignInDeps, "log">,
  { of, visitor }: OwnChange,
  codes: readonly string[] | undefined,
) {
  log.info("web.second_factor_added", { contact: of.contactId, from: visitor.client });
  return { body: codes === undefined ? {} : { codes } };
}

function removed({ log }: Pick<SignInDeps, "log">, { of, visitor }: OwnChange) {
  log.info("web.second_factor_removed", { contact: of.contactId, from: visitor.client });
  return { body: { ok: true } };
}

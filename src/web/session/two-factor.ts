import { randomBytes } from "node:crypto";

import {
  longestPasskeyLabel,
  MOST_PASSKEYS,
  needsSecondFactor,
  pendingSignInMs,
} from "../../domain/account/second-factor.ts";
import { mailboxOf } from "../../domain/contact/contact.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { generateTotpSecret } from "../../kit/crypto/totp.ts";
import { knownAsker } from "../../kit/concurrency/askers.ts";
import type { FoundSession } from "../../store/tables/sessions.ts";
import { generateRecoveryCodes, proveTotp } from "../../store/transactions/prove-second-factor.ts";
import type { LinkPage, LinkPages } from "../link-page.ts";
import { countFailedSignIn } from "./access-changes.ts";
import { MOST_PENDING, SECRET_BYTES } from "./after-first-factor.ts";
import { heldBackText, LONGEST_CODE } from "./code-form.ts";
import { createdPasskey, creationOptions, LONGEST_CREDENTIAL } from "./passkeys.ts";
import {
  givenPassword,
  refusalOf,
  signedInBy,
  signedOutPage,
  type SessionPageDeps,
} from "./session-page.ts";
import { codesPage, confirmationPage, enrolmentPage, newPasskeyPage } from "./two-factor-page.ts";
import {
  afterAddition,
  afterChange,
  afterRemoval,
  showStatus,
  type Asked,
  type Step,
} from "./two-factor-step.ts";
import { english } from "./words.ts";

const steps: Readonly<Record<string, Step>> = {
  begin,
  confirm,
  codes: renewCodes,
  remove,
  passkey: beginPasskey,
  addpasskey: addPasskey,
  removepasskey: removePasskey,
};
/** These go on with what began with the password. */
const withoutPassword: ReadonlySet<Step> = new Set([confirm, addPasskey]);

/** Adds and removes the second factors of the contact that is signed in. */
export function createTwoFactorPage(deps: SessionPageDeps): LinkPages {
  const { store, passwords } = deps;
  return {
    async ask(_query, _form, request) {
      const found = await signedInBy(deps, request);
      return found === undefined ? signedOutPage : showStatus(deps, found, { status: 200 });
    },
    async act(_query, form, request) {
      const found = await signedInBy(deps, request);
      if (found === undefined) return signedOutPage;
      const of = { accountId: found.account.id, contactId: found.contact.id };
      const refused = refusalOf(deps, request, undefined, { device: of.contactId });
      if (refused !== undefined) return refused;
      const [name = "", about = ""] = (form.get("do") ?? "").split(" ");
      const step = Object.hasOwn(steps, name) ? steps[name] : undefined;
      if (step === undefined) return showStatus(deps, found, { status: 400 });
      const known = await store.contacts.passwordOf(of.accountId, of.contactId);
      const isProven =
        // guard: passwords for second factors = true
        withoutPassword.has(step) ||
        (await passwords.verify(
          givenPassword(form, "password"),
          known,
          knownAsker(of.contactId, request.client),
        ));
      if (isProven) return step(deps, { found, of, form, request, about });
      countFailedSignIn(deps, [of], request.client);
      return showStatus(deps, found, { status: 403, problem: "The password is not right." });
    },
  };
}

/** Makes a secret, which counts for nothing until a code of it comes back. */
async function begin(deps: SessionPageDeps, { found, of }: Asked): Promise<LinkPage> {
  const { store, clock } = deps;
  const secret = generateTotpSecret();
  const isDone = await store.write(async ({ secondFactors }) => {
    if ((await secondFactors.findTotp(of))?.confirmedAt !== undefined) return false;
    const createdAt = clock.now();
    const unused = { confirmedAt: undefined, lastStep: 0, failures: 0, failedAt: 0 };
    await secondFactors.putTotp({ ...of, secret, createdAt, ...unused });
    return true;
  });
  return isDone
    ? enrolment(deps, found, secret)
    : showStatus(deps, found, { status: 409, problem: "There is an authenticator app already." });
}

async function confirm(deps: SessionPageDeps, asked: Asked): Promise<LinkPage> {
  const { found, of, form, request } = asked;
  const { store, clock, log } = deps;
  const code = (form.get("code") ?? "").slice(0, LONGEST_CODE).replaceAll(/\s/g, "");
  const { codes, digests } = generateRecoveryCodes();
  const at = clock.now();
  const end = await store.write(async (tx) => {
    const totp = await tx.secondFactors.findTotp(of);
    if (totp === undefined || totp.confirmedAt !== undefined) return undefined;
    const before = await tx.secondFactors.of(of);
    const proof = await proveTotp(tx, of, { code, at, confirms: true });
    const isRight = proof.is === "right";
    const isFirst = isRight && (await afterAddition(deps, tx, { asked, before, digests }));
    return { proof, isFirst };
  });
  if (end === undefined)
    return showStatus(deps, found, { status: 409, problem: "There is nothing to confirm." });
  const { proof } = end;
  if (proof.is === "right") {
    log.info("web.second_factor_added", { contact: of.contactId, from: request.client });
    return end.isFirst ? codesPage(codes) : showStatus(deps, found, { status: 200 });
  }
  const problem =
    proof.is === "held back"
      ? heldBackText(proof.forMs, english)
      : "The code is not right: is the clock of your device?";
  return confirmationPage(403, problem);
}

async function renewCodes(deps: SessionPageDeps, asked: Asked): Promise<LinkPage> {
  const { found, of } = asked;
  const { codes, digests } = generateRecoveryCodes();
  const isDone = await deps.store.write(async (tx) => {
    if (!needsSecondFactor(await tx.secondFactors.of(of))) return false;
    await tx.secondFactors.replaceRecoveryCodes(of, digests);
    await afterChange(deps, tx, asked, "codes");
    return true;
  });
  return isDone ? codesPage(codes) : showStatus(deps, found, { status: 409 });
}

async function remove(deps: SessionPageDeps, asked: Asked): Promise<LinkPage> {
  const { found, of, request } = asked;
  await deps.store.write(async (tx) => {
    await tx.secondFactors.removeTotp(of);
    await afterRemoval(deps, tx, asked);
  });
  deps.log.info("web.second_factor_removed", { contact: of.contactId, from: request.client });
  return showStatus(deps, found, { status: 200 });
}

async function enrolment(
  { store, url }: SessionPageDeps,
  { account, contact }: FoundSession,
  secret: string,
): Promise<LinkPage> {
  const known = await store.contacts.find(account.id, contact.id);
  return enrolmentPage({ secret, issuer: new URL(url).host, contact: known });
}

/** Has the browser make a passkey, for five minutes. */
async function beginPasskey(
  { store, clock, url, ...deps }: SessionPageDeps,
  { found, of }: Asked,
): Promise<LinkPage> {
  const { passkeys: known } = await store.secondFactors.of(of);
  if (known.length >= MOST_PASSKEYS) {
    const problem = `There are ${MOST_PASSKEYS} passkeys already: remove one first.`;
    return showStatus({ store, clock, url, ...deps }, found, { status: 409, problem });
  }
  const secret = randomBytes(SECRET_BYTES).toString("base64url");
  const now = clock.now();
  await store.write(({ secondFactors }) =>
    secondFactors.insertPending(
      { ...of, digest: hashToken(secret), endsAt: now + pendingSignInMs },
      { most: MOST_PENDING, now },
    ),
  );
  const contact = await store.contacts.find(of.accountId, of.contactId);
  const name = (contact && mailboxOf(contact)) ?? found.contact.name;
  const options = await creationOptions(url, secret, { contactId: of.contactId, name, known });
  return newPasskeyPage({ secret, options });
}

/** Keeps the passkey that the browser made. */
async function addPasskey(deps: SessionPageDeps, asked: Asked): Promise<LinkPage> {
  const { store, clock, url, log } = deps;
  const { found, of, form, request } = asked;
  const secret = (form.get("pending") ?? "").slice(0, LONGEST_CREDENTIAL);
  const digest = hashToken(secret);
  const sent = (form.get("credential") ?? "").slice(0, LONGEST_CREDENTIAL);
  const pending = await store.secondFactors.findPending(digest);
  const isOpen = pending?.contactId === of.contactId && pending.endsAt > clock.now();
  const made = isOpen ? await createdPasskey(url, secret, sent) : undefined;
  const typed = (form.get("label") ?? "").replaceAll(/\p{Cc}/gu, "").trim();
  const label = typed.slice(0, longestPasskeyLabel) || "Passkey";
  const { codes, digests } = generateRecoveryCodes();
  const end = await store.write(async (tx) => {
    if (made === undefined || !(await tx.secondFactors.removePending(digest))) return "refused";
    const before = await tx.secondFactors.of(of);
    const isKnown = before.passkeys.some(({ id }) => id === made.id);
    if (isKnown || before.passkeys.length >= MOST_PASSKEYS) return "refused";
    const createdAt = clock.now();
    await tx.secondFactors.insertPasskey({ ...made, ...of, label, createdAt, usedAt: undefined });
    return (await afterAddition(deps, tx, { asked, before, digests })) ? "first" : "added";
  });
  if (end === "refused") {
    const problem = "The passkey was not added: begin again.";
    return showStatus(deps, found, { status: 403, problem });
  }
  log.info("web.second_factor_added", { contact: of.contactId, from: request.client });
  return end === "first" ? codesPage(codes) : showStatus(deps, found, { status: 200 });
}

/** Removes the passkey that the step is about. */
async function removePasskey(deps: SessionPageDeps, asked: Asked): Promise<LinkPage> {
  const { found, of, request, about } = asked;
  const isDone = await deps.store.write(async (tx) => {
    if (!(await tx.secondFactors.removePasskey(of, about))) return false;
    await afterRemoval(deps, tx, asked);
    return true;
  });
  if (isDone)
    deps.log.info("web.second_factor_removed", { contact: of.contactId, from: request.client });
  return showStatus(deps, found, { status: isDone ? 200 : 409 });
}

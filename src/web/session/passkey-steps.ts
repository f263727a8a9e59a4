import { randomBytes } from "node:crypto";

import {
  longestPasskeyLabel,
  MOST_PASSKEYS,
  pendingSignInMs,
} from "../../domain/account/second-factor.ts";
import { mailboxOf } from "../../domain/contact/contact.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { generateRecoveryCodes } from "../../store/transactions/prove-second-factor.ts";
import type { LinkPage } from "../link-page.ts";
import { MOST_PENDING, SECRET_BYTES } from "./after-first-factor.ts";
import { createdPasskey, creationOptions, LONGEST_CREDENTIAL } from "./passkeys.ts";
import type { SessionPageDeps } from "./session-page.ts";
import { codesPage, newPasskeyPage } from "./two-factor-page.ts";
import { afterAddition, afterRemoval, showStatus, type Asked } from "./two-factor-step.ts";

/** Has the browser make a passkey, for five minutes. */
export async function beginPasskey(
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
export async function addPasskey(deps: SessionPageDeps, asked: Asked): Promise<LinkPage> {
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
export async function removePasskey(deps: SessionPageDeps, asked: Asked): Promise<LinkPage> {
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

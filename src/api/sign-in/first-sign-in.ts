import { z } from "zod";

import { parseMailbox } from "../../channels/mail/mailbox.ts";
import { needsSecondFactor, type SecondFactors } from "../../domain/account/second-factor.ts";
import type { SignInLink } from "../../domain/account/session.ts";
import { addressDefaults, mailboxOf, type Contact } from "../../domain/contact/contact.ts";
import { knownAsker } from "../../kit/concurrency/askers.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { Gone, InvalidInput, messageOf } from "../../kit/errors.ts";
import { text } from "../../schema/scalars.ts";
import type { Transaction } from "../../store/store.ts";
import { countFailedSignIn, recordAccessChange } from "./access-changes.ts";
import { proofsAsked, proofsOf, signedInResponse } from "./after-first-factor.ts";
import { proofFields, proofOf, refusedProof } from "./second-factor-proof.ts";
import {
  assertAllowed,
  assertNewPassword,
  emailField,
  passwordField,
  prepareSession,
  signedInAnswer,
  visitorOperation,
  type SignInDeps,
} from "./visitor.ts";

const MAX_SECRET_LENGTH = 100;
const linkField = text(MAX_SECRET_LENGTH).describe("The secret in the link");

interface Linked {
  readonly link: SignInLink;
  readonly contact: Contact;
  readonly factors: SecondFactors;
}

/** Programs that read mails follow links too, so this changes nothing. */
export const showLink = visitorOperation({
  summary: "Shows who signs in by the link of a mail, and what for",
  input: z.object({ link: linkField }),
  response: z.object({
    email: z
      .string()
      .optional()
      .describe("The address to sign in with; missing if the contact has none and is to enter one"),
    ...proofsAsked,
    code: proofsAsked.code.optional(),
  }),
  async handle(deps, { link: secret = "" }) {
    const linked = await linkedBy(deps, secret);
    if (linked === undefined) throw ended();
    const email = mailboxOf(linked.contact);
    const { factors } = linked;
    const proofs = needsSecondFactor(factors) ? await proofsOf(deps, secret, factors) : {};
    return { body: { ...(email === undefined ? {} : { email }), ...proofs } };
  },
});

/**
 * A link shows that somebody reads the mailbox, and no more: a contact with a second factor has to show that too, before anything
 * changes.
 */
export const start = visitorOperation({
  summary: "Signs a contact in by a link that works once, and sets its password",
  input: z.object({
    link: linkField,
    password: passwordField.describe("The new one, of at least 12 characters"),
    email: emailField,
    ...proofFields,
  }),
  response: signedInResponse,
  async handle(deps, { link: secret = "", password = "", email = "", ...proofs }, visitor) {
    const { store, passwords, log } = deps;
    const linked = await linkedBy(deps, secret);
    assertAllowed(deps, visitor, linked && `${linked.link.contactId} link`);
    if (linked === undefined) throw ended();
    const { link, contact, factors } = linked;
    const { accountId, contactId } = link;
    const of = { accountId, contactId };
    const { client } = visitor;
    assertNewPassword(password);
    const address = mailboxOf(contact) === undefined ? parsedMailbox(email) : undefined;
    const prove = await proofOf(deps, { of, factors, secret, ...proofs });
    const hash = await passwords.hash(password, knownAsker(contactId, client));
    const session = prepareSession(deps, of, visitor);
    const choice = { link, hash, address, addressId: deps.ids.address(), client };
    const end = await store.write(async (tx) => {
      if ((await tx.sessions.findLink(link.digest)) === undefined) return "ended";
      const isAsked = needsSecondFactor(await tx.secondFactors.of(of));
      const proof = isAsked ? await prove(tx) : undefined;
      // guard: second factors before a new password
      if (proof !== undefined && proof.is !== "right") return proof;
      if (!(await choosePassword(deps, tx, choice))) return "ended";
      await session.signIn(tx, isAsked ? ["link", "second factor"] : ["link"]);
      return "signed in";
    });
    if (end === "ended") throw ended();
    if (end === "signed in") {
      log.info("web.signed_in", { contact: contactId, from: client });
      return signedInAnswer(deps, { of, session, visitor });
    }
    countFailedSignIn(deps, [of], client);
    log.warn("web.second_factor_failed", { contact: contactId, from: client });
    throw refusedProof(end);
  },
});

async function linkedBy(
  { store, clock }: Pick<SignInDeps, "store" | "clock">,
  secret: string,
): Promise<Linked | undefined> {
  const link = await store.sessions.findLink(hashToken(secret));
  if (link === undefined || link.endsAt <= clock.now()) return undefined;
  const contact = await store.contacts.find(link.accountId, link.contactId);
  if (contact === undefined || contact.role === "notify") return undefined;
  return { link, contact, factors: await store.secondFactors.of(link) };
}

interface Choice {
  readonly link: SignInLink;
  readonly hash: string;
  /** Address of a contact that had none. */
  readonly address: string | undefined;
  readonly addressId: string;
  readonly client: string;
}

/** Uses the link up. False if it was already used. */
async function choosePassword(
  deps: SignInDeps,
  tx: Transaction,
  { link, hash, address, addressId, client }: Choice,
): Promise<boolean> {
  const { accountId, contactId, digest } = link;
  // guard: links to sign in
  if (!(await tx.sessions.removeLink(digest))) return false;
  const contact = await tx.contacts.find(accountId, contactId);
  if (contact === undefined) return false;
  if (mailboxOf(contact) === undefined && address !== undefined) {
    const confirmed = deps.confirmations.isConfirmed({ kind: "email" });
    const added = { ...addressDefaults, kind: "email", id: addressId, confirmed, address } as const;
    await tx.contacts.update({ ...contact, addresses: [...contact.addresses, added] });
  }
  const isFirst = (await tx.contacts.passwordSetAt(accountId, contactId)) === undefined;
  await tx.contacts.setPassword({ accountId, contactId, hash, at: deps.clock.now() });
  const of = { accountId, contactId };
  await recordAccessChange(deps, tx, {
    of,
    change: "password",
    kind: "link",
    digest,
    client,
    isFirst,
  });
  return true;
}

/** The mailbox that a contact without one signs in with from now on. */
function parsedMailbox(email: string): string {
  try {
    return parseMailbox(email);
  } catch (error) {
    throw new InvalidInput(`email: ${messageOf(error)}`, { cause: error });
  }
}

function ended(): Gone {
  return new Gone("this link has been used, or has expired");
}

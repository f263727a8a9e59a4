import { isMailbox, type Contact } from "../../domain/contact/contact.ts";
import type { MailLimits, SpentBudget } from "../../domain/contact/mail-limits.ts";
import { primaryIdOf, type Account } from "../../domain/account/account.ts";
import type { ContactRef } from "../../domain/account/second-factor.ts";
import type { LinkMail } from "../../domain/system-mail.ts";
import type { Clock } from "../../kit/clock.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import type { Ids } from "../../kit/ids.ts";
import type { Store, Transaction } from "../store.ts";

/** Validity of a link requested for a forgotten password. */
export const RESET_LINK_MS = 3_600_000;
/** How long the link of an invitation works. */
export const INVITATION_MS = 7 * 86_400_000;

interface Deps {
  readonly store: Pick<Store, "write">;
  readonly clock: Pick<Clock, "now">;
  readonly ids: Pick<Ids, "token" | "uuid">;
  readonly mailLimits: MailLimits;
}

/** Mails a contact a link by which it chooses a new password, where its mailbox may get one. An earlier link ends. */
export async function mailSignInLink(
  { store, clock, ids, mailLimits }: Deps,
  { accountId, contactId }: ContactRef,
): Promise<boolean> {
  const [id, secret] = [ids.uuid(), ids.token()];
  return store.write(async (tx) => {
    const account = await tx.accounts.find(accountId);
    const contact = await tx.contacts.find(accountId, contactId);
    if (account === undefined || contact === undefined) return false;
    const wish = { id, secret, account, contact, at: clock.now(), limits: mailLimits };
    return (await insertSignInLink(tx, { ...wish, invitation: undefined })) === "mailed";
  });
}

export interface NewSignInLink {
  /** ID of the mail. */
  readonly id: string;
  readonly secret: string;
  readonly account: Account;
  readonly contact: Contact;
  readonly at: number;
  readonly limits: MailLimits;
  readonly invitation: LinkMail["invitation"];
}

/** Stores a link with which a contact chooses a password, and its mail. Does nothing if the mailbox is missing or unconfirmed, or a mail budget is used up. */
export async function insertSignInLink(
  {
    contacts,
    mailBudget,
    sessions,
    systemMails,
  }: Pick<Transaction, "contacts" | "mailBudget" | "sessions" | "systemMails">,
  { id, secret, account, contact, at, limits, invitation }: NewSignInLink,
): Promise<"mailed" | "no mailbox" | "not confirmed" | SpentBudget> {
  const mailbox = contact.addresses.find(isMailbox);
  if (mailbox === undefined) return "no mailbox";
  const { address: to, confirmed } = mailbox;
  // guard: links to confirmed mailboxes
  if (!confirmed && !(await contacts.isConfirmed(account.id, to))) return "not confirmed";
  const asker = primaryIdOf(account);
  const spent = await mailBudget.take({ mailbox: to, accountId: asker, at, limits });
  if (spent !== undefined) return spent;
  const of = { accountId: account.id, contactId: contact.id };
  const endsAt = at + (invitation === undefined ? RESET_LINK_MS : INVITATION_MS);
  await sessions.insertLink({ ...of, endsAt, digest: hashToken(secret) });
  await systemMails.insert({
    ...of,
    id,
    kind: "link",
    accountName: account.name,
    secret,
    to,
    createdAt: at,
    ...(invitation !== undefined && { invitation }),
  });
  return "mailed";
}

import { primaryIdOf } from "../../domain/account/account.ts";
import { isMailbox, type Contact } from "../../domain/contact/contact.ts";
import type { AccessChange } from "../../domain/system-mail.ts";
import type { Transaction } from "../store.ts";

interface Told {
  /** ID of the mail. */
  readonly id: string;
  /** Contact with the notified mailbox. */
  readonly contact: Contact;
  readonly change: AccessChange;
  /** Address of the client that made the change; empty if an owner or the operator did. */
  readonly client: string;
  readonly at: number;
}

/** Separate budget, so that other mails cannot suppress the notice; far above the changes a person makes. */
const LIMITS = { perMailbox: 10, perAccount: 500 };

/** Notifies a person by mail of a change to how they sign in, if their mailbox is confirmed and the budget allows it. */
export async function notifyOfAccessChange(
  {
    accounts,
    contacts,
    mailBudget,
    systemMails,
  }: Pick<Transaction, "accounts" | "contacts" | "mailBudget" | "systemMails">,
  { id, contact, change, client, at }: Told,
): Promise<void> {
  const { id: contactId, accountId } = contact;
  const account = await accounts.find(accountId);
  const mailbox = contact.addresses.find(isMailbox);
  if (account === undefined || mailbox === undefined) return;
  const { address: to, confirmed } = mailbox;
  if (!confirmed && !(await contacts.isConfirmed(accountId, to))) return;
  const spent = await mailBudget.take({
    mailbox: `access ${to}`,
    accountId: `access of ${primaryIdOf(account)}`,
    at,
    limits: LIMITS,
  });
  if (spent !== undefined) return;
  const { name: accountName, timeZone } = account;
  const said = { accountName, timeZone, change, client };
  await systemMails.insert({
    id,
    accountId,
    contactId,
    kind: "access",
    ...said,
    to,
    createdAt: at,
  });
}

import type { Account } from "../../domain/account/account.ts";
import type { Address } from "../../domain/contact/contact.ts";
import type { MailLimits, SpentBudget } from "../../domain/contact/mail-limits.ts";
import type { Transaction } from "../store.ts";

export interface RequestedConfirmation {
  /** ID of the mail. */
  readonly id: string;
  readonly account: Pick<Account, "id" | "name">;
  readonly contactId: string;
  readonly address: Pick<Address, "id" | "address">;
  /** The account that asks for it. */
  readonly callerId: string;
  readonly at: number;
  readonly limits: MailLimits;
}

/** Mails a request to agree to messages to the owner of a mailbox, where there is one left in its budget. */
export async function requestConfirmation(
  { mailBudget, systemMails }: Pick<Transaction, "mailBudget" | "systemMails">,
  { id, account, contactId, address, callerId, at, limits }: RequestedConfirmation,
): Promise<SpentBudget | undefined> {
  const mailbox = address.address;
  const spent = await mailBudget.take({ mailbox, accountId: callerId, at, limits });
  if (spent !== undefined) return spent;
  await systemMails.insert({
    id,
    accountId: account.id,
    contactId,
    kind: "confirmation",
    addressId: address.id,
    accountName: account.name,
    to: mailbox,
    createdAt: at,
  });
  return undefined;
}

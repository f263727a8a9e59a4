import type { Account } from "../../domain/account/account.ts";
import type { CompatibilityMode } from "../../domain/account/token.ts";
import { isMailbox, type Contact } from "../../domain/contact/contact.ts";
import { defaultSchedules } from "../../domain/schedule.ts";
import type { Transaction } from "../store.ts";

/**
 * Returns the initial default recipients of an account: the mail address of its first contact, or the contact if it has none yet. Clients of the original
 * service expect none.
 */
export function defaultNotificationsFor(
  { id, addresses }: Contact,
  compatibility: CompatibilityMode,
): Account["defaultNotifications"] {
  if (compatibility === "legacy") return [];
  const mailbox = addresses.find(isMailbox);
  return [{ [mailbox?.id ?? id]: { delay: 0, schedule: "All" } }];
}

/** Keeps a new account with its first contact and the schedules that every account begins with. */
export async function createAccount(
  tx: Pick<Transaction, "accounts" | "contacts" | "schedules">,
  account: Account,
  contact: Contact,
): Promise<void> {
  await tx.accounts.insert(account);
  await tx.contacts.insert(contact);
  for (const schedule of defaultSchedules) await tx.schedules.put(account.id, schedule);
}

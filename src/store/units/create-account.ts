import type { Account } from "../../domain/account/account.ts";
import type { Contact } from "../../domain/contact/contact.ts";
import { defaultSchedules } from "../../domain/schedule.ts";
import type { Transaction } from "../store.ts";

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

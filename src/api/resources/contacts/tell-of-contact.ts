import { mailboxOf, type Contact } from "../../../domain/contact/contact.ts";
import type { Transaction } from "../../../store/store.ts";
import { tellOfAccess } from "../../../store/transactions/tell-of-access.ts";
import type { ApiDeps } from "../../deps.ts";

/** Mails a person who could sign in that their role or mailbox was changed: a change of the mailbox to the old one and the new one. */
export async function tellOfContact(
  { ids, clock, passwords }: Pick<ApiDeps, "ids" | "clock" | "passwords">,
  tx: Transaction,
  { before, after }: { readonly before: Contact; readonly after: Contact },
): Promise<void> {
  if (before.role === "notify" || !passwords.canSendMail) return;
  const tell = (contact: Contact, change: "role" | "mailbox"): Promise<void> =>
    tellOfAccess(tx, { id: ids.uuid(), contact, change, client: "", at: clock.now() });
  if (before.role !== after.role) await tell(before, "role");
  if (mailboxOf(before) === mailboxOf(after)) return;
  await tell(before, "mailbox");
  await tell(after, "mailbox");
}

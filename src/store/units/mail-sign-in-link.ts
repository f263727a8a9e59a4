import { isMailbox } from "../../domain/contact/contact.ts";
import type { MailLimits } from "../../domain/contact/mail-limits.ts";
import { primaryIdOf } from "../../domain/account/account.ts";
import type { ContactRef } from "../../domain/account/second-factor.ts";
import type { Clock } from "../../kit/clock.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import type { Ids } from "../../kit/ids.ts";
import type { Store } from "../store.ts";

/** How long a link works that somebody asked for who has forgotten a password. */
export const RESET_LINK_MS = 3_600_000;

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
  return store.write(async ({ accounts, contacts, mailBudget, sessions, systemMails }) => {
    const account = await accounts.find(accountId);
    const contact = await contacts.find(accountId, contactId);
    const mailbox = contact?.addresses.find(isMailbox);
    if (account === undefined || mailbox === undefined) return false;
    const { address: to, confirmed } = mailbox;
    if (!confirmed && !(await contacts.isConfirmed(accountId, to))) return false;
    const at = clock.now();
    const asker = primaryIdOf(account);
    const spent = await mailBudget.take({ mailbox: to, accountId: asker, at, limits: mailLimits });
    if (spent !== undefined) return false;
    const endsAt = at + RESET_LINK_MS;
    await sessions.insertLink({ accountId, contactId, endsAt, digest: hashToken(secret) });
    await systemMails.insert({
      id,
      accountId,
      contactId,
      kind: "link",
      accountName: account.name,
      secret,
      to,
      createdAt: at,
    });
    return true;
  });
}

import type { CompatibilityMode } from "../domain/account/token.ts";
import type { Clock } from "../kit/clock.ts";
import type { Ids } from "../kit/ids.ts";
import { hashToken } from "../kit/crypto/seal.ts";
import type { Secret } from "../kit/crypto/secret.ts";
import { LINK_MS } from "../store/transactions/account-admin.ts";
import { createPrimaryAccount } from "../store/transactions/primary-account.ts";
import type { Store } from "../store/store.ts";

interface FirstSettings {
  /** Token from the settings for the account; without it the account has none. */
  readonly token: Secret | undefined;
  readonly ownerEmail: string | undefined;
  readonly timeZone: string;
  readonly compatibility: CompatibilityMode;
}

/** First access to a new installation, shown once. It expires after a day, because logs keep the output of a start. */
export interface FirstAccess {
  /** Secret of the link with which the owner signs in and chooses a password. */
  readonly linkSecret: string;
}

/** Creates the first account with its owner and schedules if the database has none, and a link for the owner's sign-in. */
export async function createFirstAccount(
  store: Store,
  { token: given, ...settings }: FirstSettings,
  { ids, clock }: { ids: Ids; clock: Clock },
): Promise<FirstAccess | undefined> {
  // guard: one first account
  if (await store.accounts.hasAny()) return undefined;
  const wish = {
    name: "Watchpost",
    ...settings,
    token: given?.reveal(),
    label: "first start",
    createdAt: clock.now(),
  };
  const linkSecret = ids.token();
  return store.write(async (tx) => {
    // Another process may have started at the same time.
    if (!(await tx.accounts.mayMakeFirst())) return undefined;
    const { id: accountId } = await createPrimaryAccount(tx, wish, ids);
    const [owner] = await tx.contacts.list(accountId);
    if (owner !== undefined)
      await tx.sessions.insertLink({
        digest: hashToken(linkSecret),
        accountId,
        contactId: owner.id,
        endsAt: wish.createdAt + LINK_MS,
      });
    return { linkSecret };
  });
}

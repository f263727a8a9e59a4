import { accountDefaults } from "../domain/account/account.ts";
import type { Account } from "../domain/account/account.ts";
import type { CompatibilityMode } from "../domain/account/token.ts";
import { addressDefaults } from "../domain/contact/contact.ts";
import type { Contact } from "../domain/contact/contact.ts";
import type { Clock } from "../kit/clock.ts";
import type { Ids } from "../kit/ids.ts";
import { hashToken } from "../kit/crypto/seal.ts";
import type { Secret } from "../kit/crypto/secret.ts";
import { createAccount } from "../store/units/create-account.ts";
import type { Store } from "../store/store.ts";

interface FirstSettings {
  readonly token: Secret | undefined;
  readonly ownerEmail: string | undefined;
  readonly timeZone: string;
  readonly compatibility: CompatibilityMode;
}

/** Creates the first account with its owner, schedules and token where the database has none. Returns the token, which is shown once. */
export async function createFirstAccount(
  store: Store,
  given: FirstSettings,
  { ids, clock }: { ids: Ids; clock: Clock },
): Promise<string | undefined> {
  if (await store.accounts.hasAny()) return undefined;
  const createdAt = clock.now();
  const account: Account = {
    ...accountDefaults,
    id: ids.account(createdAt),
    parentId: undefined,
    name: "Watchpost",
    createdAt,
    timeZone: given.timeZone,
    defaultRegions: ["wlw"],
  };
  const owner: Contact = {
    id: ids.contact(account.id),
    accountId: account.id,
    name: "Owner",
    role: "owner",
    addresses:
      given.ownerEmail === undefined
        ? []
        : [{ ...addressDefaults, kind: "email", id: ids.address(), address: given.ownerEmail }],
  };
  const token = given.token?.reveal() ?? ids.token();
  return store.write(async (tx) => {
    // Another process may have started at the same time.
    if (!(await tx.accounts.mayMakeFirst())) return undefined;
    await createAccount(tx, account, owner);
    await tx.tokens.insert({
      digest: hashToken(token),
      accountId: account.id,
      label: "first start",
      createdAt,
      compatibility: given.compatibility,
    });
    return token;
  });
}

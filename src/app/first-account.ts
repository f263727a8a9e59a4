import type { CompatibilityMode } from "../domain/account/token.ts";
import type { Clock } from "../kit/clock.ts";
import type { Ids } from "../kit/ids.ts";
import type { Secret } from "../kit/crypto/secret.ts";
import { createPrimaryAccount } from "../store/units/primary-account.ts";
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
  { token: given, ...settings }: FirstSettings,
  { ids, clock }: { ids: Ids; clock: Clock },
): Promise<string | undefined> {
  if (await store.accounts.hasAny()) return undefined;
  const token = given?.reveal() ?? ids.token();
  const wish = {
    name: "Watchpost",
    ...settings,
    token,
    label: "first start",
    createdAt: clock.now(),
  };
  return store.write(async (tx) => {
    // Another process may have started at the same time.
    if (!(await tx.accounts.mayMakeFirst())) return undefined;
    await createPrimaryAccount(tx, wish, ids);
    return token;
  });
}

import { defaultSchedules } from "../domain/schedule.ts";
import { nothingSuppressed } from "../domain/contact.ts";
import type { Clock } from "../kit/clock.ts";
import type { Ids } from "../kit/ids.ts";
import { digest } from "../kit/seal.ts";
import type { Secret } from "../kit/secret.ts";
import type { Store } from "../store/store.ts";

interface FirstSettings {
  readonly token: Secret | undefined;
  readonly ownerEmail: string | undefined;
}

/** Makes the first account with its owner, its schedules and its token, in a database that has none. Gives the token to be shown once. */
export async function firstStart(
  store: Store,
  given: FirstSettings,
  { ids, clock }: { ids: Ids; clock: Clock },
): Promise<string | undefined> {
  if (await store.accounts.exists()) return undefined;
  const createdAt = clock.now();
  const accountId = ids.account(createdAt);
  const token = given.token?.reveal() ?? ids.token();
  const address = { kind: "email", status: "new", suppress: nothingSuppressed } as const;
  await store.write(async (tx) => {
    await tx.accounts.insert({
      id: accountId,
      parentId: undefined,
      name: "Watchpost",
      status: "active",
      createdAt,
      offsetHours: 0,
      defaultRegions: ["wlw"],
      wantsNews: false,
      suppressAll: false,
    });
    await tx.accounts.addToken({
      digest: digest(token),
      accountId,
      label: "first start",
      createdAt,
    });
    await tx.contacts.insert({
      id: ids.contact(accountId),
      accountId,
      name: "Owner",
      role: "owner",
      addresses:
        given.ownerEmail === undefined
          ? []
          : [{ ...address, id: ids.address(), address: given.ownerEmail }],
    });
    for (const schedule of defaultSchedules) await tx.schedules.put(accountId, schedule);
  });
  return token;
}

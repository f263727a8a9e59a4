import type { Kysely, Selectable, Generated } from "kysely";

import type { NotificationProfile } from "../../domain/contact/profile.ts";
import { ownedRows } from "./owned-rows.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly profiles: ProfileTable;
  }
}

interface ProfileTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly subscriptions: string;
}

export function createProfileReads(db: Kysely<Database>) {
  const rows = ownedRows(db, "profiles");
  return {
    async find(accountId: string, id: string): Promise<NotificationProfile | undefined> {
      const row = await rows.find(accountId, id);
      return row && fromRow(row);
    },
    /** Passkeys, oldest first. */
    list: async (accountId: string): Promise<readonly NotificationProfile[]> =>
      (await rows.list(accountId)).map(fromRow),
    /** Returns the IDs that are profiles of the account. */
    findMany: async (
      accountId: string,
      ids: readonly string[],
    ): Promise<readonly NotificationProfile[]> =>
      (await rows.findMany(accountId, ids)).map(fromRow),
  };
}

export function createProfileWrites(db: Kysely<Database>) {
  const rows = ownedRows(db, "profiles");
  return {
    async insert(profile: NotificationProfile): Promise<void> {
      await db.insertInto("profiles").values(toRow(profile)).execute();
    },
    update: (profile: NotificationProfile): Promise<void> => rows.update(toRow(profile)),
    /** True if it existed. */
    remove: rows.remove,
  };
}

function toRow({
  id,
  accountId,
  name,
  subscriptions,
}: NotificationProfile): Omit<Selectable<ProfileTable>, "seq"> {
  return { id, account_id: accountId, name, subscriptions: JSON.stringify(subscriptions) };
}

function fromRow({
  id,
  account_id,
  name,
  subscriptions,
}: Selectable<ProfileTable>): NotificationProfile {
  return { id, accountId: account_id, name, subscriptions: JSON.parse(subscriptions) };
}

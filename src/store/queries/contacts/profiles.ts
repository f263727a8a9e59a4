import type { Kysely, Selectable } from "kysely";

import type { NotificationProfile } from "../../../domain/contact/profile.ts";
import type { ProfileReads, ProfileWrites } from "../../profiles.ts";
import { ownedRows } from "../owned-rows.ts";
import type { Database } from "../tables.ts";
import type { ProfileTable } from "./contact-tables.ts";

export function createProfiles(db: Kysely<Database>): ProfileReads & ProfileWrites {
  const rows = ownedRows(db, "profiles");
  return {
    async find(accountId, id) {
      const row = await rows.find(accountId, id);
      return row && fromRow(row);
    },
    list: async (accountId) => (await rows.list(accountId)).map(fromRow),
    findMany: async (accountId, ids) => (await rows.findMany(accountId, ids)).map(fromRow),
    async insert(profile) {
      await db.insertInto("profiles").values(toRow(profile)).execute();
    },
    update: (profile) => rows.update(toRow(profile)),
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

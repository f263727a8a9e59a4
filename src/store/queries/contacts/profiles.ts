import type { Kysely, Selectable } from "kysely";

import type { NotificationProfile } from "../../../domain/contact/profile.ts";
import type { ProfileReads, ProfileWrites } from "../../profiles.ts";
import type { Database } from "../tables.ts";
import type { ProfileTable } from "./contact-tables.ts";

export function createProfiles(db: Kysely<Database>): ProfileReads & ProfileWrites {
  return {
    async find(accountId, id) {
      const row = await db
        .selectFrom("profiles")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .executeTakeFirst();
      return row && fromRow(row);
    },
    async list(accountId) {
      const rows = await db
        .selectFrom("profiles")
        .selectAll()
        .where("account_id", "=", accountId)
        .orderBy("seq")
        .execute();
      return rows.map(fromRow);
    },
    async findMany(accountId, ids) {
      const rows = await db
        .selectFrom("profiles")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("id", "in", ids)
        .execute();
      return rows.map(fromRow);
    },
    async insert({ id, accountId, name, subscriptions }) {
      await db
        .insertInto("profiles")
        .values({ id, account_id: accountId, name, subscriptions: JSON.stringify(subscriptions) })
        .execute();
    },
    async update({ id, accountId, name, subscriptions }) {
      await db
        .updateTable("profiles")
        .set({ name, subscriptions: JSON.stringify(subscriptions) })
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .returning("id")
        .executeTakeFirstOrThrow();
    },
    async remove(accountId, id) {
      const removed = await db
        .deleteFrom("profiles")
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
  };
}

function fromRow(row: Selectable<ProfileTable>): NotificationProfile {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    subscriptions: JSON.parse(row.subscriptions),
  };
}

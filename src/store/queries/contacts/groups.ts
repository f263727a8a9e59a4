import type { Kysely, Selectable } from "kysely";

import type { ContactGroup } from "../../../domain/contact/group.ts";
import type { GroupReads, GroupWrites } from "../../groups.ts";
import type { Database } from "../tables.ts";
import type { ContactGroupTable } from "./contact-tables.ts";

export function createGroups(db: Kysely<Database>): GroupReads & GroupWrites {
  return {
    async find(accountId, id) {
      const row = await db
        .selectFrom("contact_groups")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .executeTakeFirst();
      return row && fromRow(row);
    },
    async list(accountId) {
      const rows = await db
        .selectFrom("contact_groups")
        .selectAll()
        .where("account_id", "=", accountId)
        .orderBy("seq")
        .execute();
      return rows.map(fromRow);
    },
    async findMany(accountId, ids) {
      const rows = await db
        .selectFrom("contact_groups")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("id", "in", ids)
        .execute();
      return rows.map(fromRow);
    },
    async insert({ id, accountId, name, members }) {
      await db
        .insertInto("contact_groups")
        .values({ id, account_id: accountId, name, members: JSON.stringify(members) })
        .execute();
    },
    async update({ id, accountId, name, members }) {
      await db
        .updateTable("contact_groups")
        .set({ name, members: JSON.stringify(members) })
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .returning("id")
        .executeTakeFirstOrThrow();
    },
    async remove(accountId, id) {
      const removed = await db
        .deleteFrom("contact_groups")
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
  };
}

function fromRow(row: Selectable<ContactGroupTable>): ContactGroup {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    members: JSON.parse(row.members),
  };
}

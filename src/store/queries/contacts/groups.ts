import type { Kysely, Selectable } from "kysely";

import type { ContactGroup } from "../../../domain/contact/group.ts";
import type { GroupReads, GroupWrites } from "../../groups.ts";
import { ownedRows } from "../owned-rows.ts";
import type { Database } from "../tables.ts";
import type { ContactGroupTable } from "./contact-tables.ts";

export function createGroups(db: Kysely<Database>): GroupReads & GroupWrites {
  const rows = ownedRows(db, "contact_groups");
  return {
    async find(accountId, id) {
      const row = await rows.find(accountId, id);
      return row && fromRow(row);
    },
    list: async (accountId) => (await rows.list(accountId)).map(fromRow),
    findMany: async (accountId, ids) => (await rows.findMany(accountId, ids)).map(fromRow),
    async insert(group) {
      await db.insertInto("contact_groups").values(toRow(group)).execute();
    },
    update: (group) => rows.update(toRow(group)),
    remove: rows.remove,
  };
}

function toRow({
  id,
  accountId,
  name,
  members,
}: ContactGroup): Omit<Selectable<ContactGroupTable>, "seq"> {
  return { id, account_id: accountId, name, members: JSON.stringify(members) };
}

function fromRow({ id, account_id, name, members }: Selectable<ContactGroupTable>): ContactGroup {
  return { id, accountId: account_id, name, members: JSON.parse(members) };
}

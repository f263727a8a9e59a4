import type { Kysely, Selectable, Generated } from "kysely";

import type { ContactGroup } from "../../domain/contact/group.ts";
import { ownedRows } from "./owned-rows.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly contact_groups: ContactGroupTable;
  }
}

interface ContactGroupTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly members: string;
}

export function createGroupReads(db: Kysely<Database>) {
  const rows = ownedRows(db, "contact_groups");
  return {
    async find(accountId: string, id: string): Promise<ContactGroup | undefined> {
      const row = await rows.find(accountId, id);
      return row && fromRow(row);
    },
    /** Passkeys, oldest first. */
    list: async (accountId: string): Promise<readonly ContactGroup[]> =>
      (await rows.list(accountId)).map(fromRow),
    /** Returns the IDs that are groups of the account. */
    findMany: async (accountId: string, ids: readonly string[]): Promise<readonly ContactGroup[]> =>
      (await rows.findMany(accountId, ids)).map(fromRow),
  };
}

export function createGroupWrites(db: Kysely<Database>) {
  const rows = ownedRows(db, "contact_groups");
  return {
    async insert(group: ContactGroup): Promise<void> {
      await db.insertInto("contact_groups").values(toRow(group)).execute();
    },
    update: (group: ContactGroup): Promise<void> => rows.update(toRow(group)),
    /** True if it existed. */
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

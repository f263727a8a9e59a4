import type { Generated, Kysely, Selectable } from "kysely";

import type { Database } from "./database.ts";

interface OwnedTable {
  readonly seq: Generated<number>;
  readonly id: string;
  readonly account_id: string;
}

type OwnedName = {
  [Name in keyof Database]: Database[Name] extends OwnedTable ? Name : never;
}[keyof Database];

type Row<Name extends OwnedName> = Selectable<Database[Name]>;

/** Rows that an account owns, found by its id and theirs: one of another account is as one that does not exist. */
export function ownedRows<Name extends OwnedName>(db: Kysely<Database>, name: Name) {
  const table: OwnedName = name;
  const rowsOf = (accountId: string) =>
    db
      .selectFrom(table)
      .selectAll() /* guard: records of others */
      .where("account_id", "=", accountId)
      .$castTo<Row<Name>>();
  return {
    find: (accountId: string, id: string): Promise<Row<Name> | undefined> =>
      rowsOf(accountId).where("id", "=", id).executeTakeFirst(),
    /** Passkeys, oldest first. */
    list: (accountId: string): Promise<readonly Row<Name>[]> =>
      rowsOf(accountId).orderBy("seq").execute(),
    findMany: async (accountId: string, ids: readonly string[]): Promise<readonly Row<Name>[]> =>
      ids.length === 0 ? [] : rowsOf(accountId).where("id", "in", ids).execute(),
    update: async (
      row: Omit<Row<Name>, "seq"> & Pick<OwnedTable, "account_id" | "id">,
    ): Promise<void> => {
      const { id, account_id: accountId, ...columns } = row;
      await db
        .updateTable(table)
        .set(columns)
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .returning("id")
        .executeTakeFirstOrThrow();
    },
    /** Whether there was one. */
    remove: async (accountId: string, id: string): Promise<boolean> => {
      const removed = await db
        .deleteFrom(table)
        .where("account_id", "=", accountId)
        .where("id", "=", id)
        .executeTakeFirst();
      return removed.numDeletedRows > 0n;
    },
  };
}

import type { Kysely } from "kysely";

import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly imported_records: ImportedRecordTable;
  }
}

interface ImportedRecordTable {
  readonly account_id: string;
  readonly origin: string;
  readonly kind: ImportedRecord["kind"];
  readonly origin_id: string;
  readonly record_id: string;
  /** JSON. */
  readonly fields: string | null;
}

/** Digests of each field in the other system and here, at import. */
export type ImportedFields = Readonly<Record<string, readonly [there: string, here: string]>>;

/** Origin of an account's record in another system. */
export interface ImportedRecord {
  readonly accountId: string;
  /** The system, and which installation of it where there are several. */
  readonly origin: string;
  readonly kind: "check" | "contact" | "maintenance" | "statuspage";
  readonly originId: string;
  readonly recordId: string;
  /** Undefined if unknown. */
  readonly fields?: ImportedFields | undefined;
}

export function createImportedRecordReads(db: Kysely<Database>) {
  return {
    async list(accountId: string, origin: string): Promise<readonly ImportedRecord[]> {
      const rows = await db
        .selectFrom("imported_records")
        .selectAll()
        .where("account_id", "=", accountId)
        .where("origin", "=", origin)
        .orderBy("kind")
        .orderBy("origin_id")
        .execute();
      return rows.map((row) => ({
        accountId: row.account_id,
        origin: row.origin,
        kind: row.kind,
        originId: row.origin_id,
        recordId: row.record_id,
        ...(row.fields !== null && { fields: fieldsIn(row.fields) }),
      }));
    },
    async count(accountId: string): Promise<number> {
      const row = await db
        .selectFrom("imported_records")
        .select((eb) => eb.fn.countAll().as("count"))
        .where("account_id", "=", accountId)
        .executeTakeFirst();
      return Number(row?.count ?? 0);
    },
  };
}

export function createImportedRecordWrites(db: Kysely<Database>) {
  return {
    /** Replaces what is known of that record of the other system. */
    async put({
      accountId,
      origin,
      kind,
      originId,
      recordId,
      fields,
    }: ImportedRecord): Promise<void> {
      const values = {
        record_id: recordId,
        fields: fields === undefined ? null : JSON.stringify(fields),
      };
      await db
        .insertInto("imported_records")
        .values({
          account_id: accountId,
          origin,
          kind,
          origin_id: originId,
          ...values,
        })
        .onConflict((conflict) =>
          conflict.columns(["account_id", "origin", "kind", "origin_id"]).doUpdateSet(values),
        )
        .execute();
    },
  };
}

function fieldsIn(text: string): ImportedFields {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by put
  return JSON.parse(text) as ImportedFields;
}

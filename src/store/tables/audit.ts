import type { Kysely, Generated } from "kysely";
import type { StoredAuditEntry, AuditEntry } from "../../domain/account/audit.ts";
import type { Actor } from "../../domain/account/actor.ts";

import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly audit_log: AuditTable;
  }
}

interface AuditTable {
  readonly seq: Generated<number>;
  readonly account_id: string;
  readonly at: number;
  /** Null for the operator of the installation. */
  readonly actor_kind: Actor["kind"] | null;
  readonly actor_id: string;
  readonly actor_name: string;
  readonly contact_id: string | null;
  readonly client: string;
  readonly operation: string;
  readonly record_id: string | null;
  /** JSON. */
  readonly fields: string;
  /** JSON; null if the values of the fields were not kept. */
  readonly changes: Generated<string | null>;
}

/** Limits the disk space of an account that changes constantly to about 3 MB. */
const MAX_PER_ACCOUNT = 10_000;
/** Trimming at each insert would read that many rows each time. */
const TRIM_EVERY = 100;

export function createAuditReads(db: Kysely<Database>) {
  return {
    /** The newest first, before a number where it is given. */
    async list({
      accountId,
      before,
      limit,
      by,
      resource,
      recordId,
    }: {
      readonly accountId: string;
      readonly before: number | undefined;
      readonly limit: number;
      /** Only what was done by these; `operator` is the command line. */
      readonly by?: Actor["kind"] | "operator" | undefined;
      /** Only what was done to this kind of record, the last word of the operation. */
      readonly resource?: string | undefined;
      readonly recordId?: string | undefined;
    }): Promise<readonly StoredAuditEntry[]> {
      const rows = await db
        .selectFrom("audit_log")
        .selectAll()
        .where("account_id", "=", accountId)
        .$if(before !== undefined, (query) => query.where("seq", "<", before ?? 0))
        .$if(by !== undefined, (query) =>
          by === undefined || by === "operator"
            ? query.where("actor_kind", "is", null)
            : query.where("actor_kind", "=", by),
        )
        .$if(resource !== undefined, (query) =>
          query.where("operation", "like", `% ${resource ?? ""}`),
        )
        .$if(recordId !== undefined, (query) => query.where("record_id", "=", recordId ?? ""))
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map((row) => ({
        seq: row.seq,
        accountId: row.account_id,
        at: row.at,
        actor:
          row.actor_kind === null
            ? undefined
            : {
                kind: row.actor_kind,
                id: row.actor_id,
                name: row.actor_name,
                contactId: row.contact_id ?? undefined,
              },
        client: row.client,
        operation: row.operation,
        recordId: row.record_id ?? undefined,
        fields: JSON.parse(row.fields),
        ...(row.changes !== null && { changes: JSON.parse(row.changes) }),
      }));
    },
  };
}

export function createAuditWrites(db: Kysely<Database>) {
  const trim = async (accountId: string): Promise<void> => {
    const first = await db
      .selectFrom("audit_log")
      .select("seq")
      .where("account_id", "=", accountId)
      .orderBy("seq", "desc")
      .offset(MAX_PER_ACCOUNT)
      .limit(1)
      .executeTakeFirst();
    if (first === undefined) return;
    await db
      .deleteFrom("audit_log")
      .where("account_id", "=", accountId)
      .where("seq", "<=", first.seq)
      .execute();
  };
  const insert = async (entry: AuditEntry): Promise<void> => {
    const { accountId, at, actor, client, operation, recordId, fields, changes } = entry;
    const { seq } = await db
      .insertInto("audit_log")
      .values({
        account_id: accountId,
        at,
        actor_kind: actor?.kind ?? null,
        actor_id: actor?.id ?? "",
        actor_name: actor?.name ?? "",
        contact_id: actor?.contactId ?? null,
        client,
        operation,
        record_id: recordId ?? null,
        fields: JSON.stringify(fields),
        changes: changes === undefined ? null : JSON.stringify(changes),
      })
      .returning("seq")
      .executeTakeFirstOrThrow();
    if (seq % TRIM_EVERY === 0) await trim(accountId);
  };
  return {
    /** Inserts an entry and keeps the newest 10,000 of the account. */
    insert,
    /** Adds one to the count of the last such entry about the record, where it was made after `since`; otherwise inserts one. Its field says how often it happened, and its client is the last one. */
    async count(entry: Omit<AuditEntry, "fields">, since: number): Promise<void> {
      const { accountId, operation, recordId, client } = entry;
      const known = await db
        .selectFrom("audit_log")
        .select(["seq", "fields"])
        .where("account_id", "=", accountId)
        .where("operation", "=", operation)
        .where("record_id", "=", recordId ?? "")
        .where("at", ">", since)
        .orderBy("seq", "desc")
        .limit(1)
        .executeTakeFirst();
      // guard: failed sign-ins as one entry = then
      if (known === undefined) return insert({ ...entry, fields: countFields(1) });
      const fields = JSON.stringify(countFields(countIn(known.fields) + 1));
      await db
        .updateTable("audit_log")
        .set({ fields, client })
        .where("seq", "=", known.seq)
        .execute();
    },
  };
}

function countFields(count: number): readonly string[] {
  return [`times: ${count}`];
}

function countIn(fields: string): number {
  return Number(/\d+/.exec(fields)?.[0] ?? 0);
}

import type { Kysely } from "kysely";

import type { AuditReads, AuditWrites } from "../../identity/audit.ts";
import type { Database } from "../tables.ts";

/** So that an account that changes something all the time does not fill the disk: some 3 MB. */
const MOST_OF_ACCOUNT = 10_000;
/** To look at each insert which are too many would read that many rows each time. */
const TRIM_EVERY = 100;

export function createAudit(db: Kysely<Database>): AuditReads & AuditWrites {
  return { ...createReads(db), ...createWrites(db) };
}

function createReads(db: Kysely<Database>): AuditReads {
  return {
    async list({ accountId, before, limit, by, resource, recordId }) {
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

function createWrites(db: Kysely<Database>): AuditWrites {
  const trim = async (accountId: string): Promise<void> => {
    const first = await db
      .selectFrom("audit_log")
      .select("seq")
      .where("account_id", "=", accountId)
      .orderBy("seq", "desc")
      .offset(MOST_OF_ACCOUNT)
      .limit(1)
      .executeTakeFirst();
    if (first === undefined) return;
    await db
      .deleteFrom("audit_log")
      .where("account_id", "=", accountId)
      .where("seq", "<=", first.seq)
      .execute();
  };
  const insert: AuditWrites["insert"] = async (entry) => {
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
    insert,
    async count(entry, since) {
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

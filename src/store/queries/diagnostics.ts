import type { Kysely, Selectable } from "kysely";

import type { DiagnosticsRun, Finding } from "../../domain/diagnostics.ts";
import type { DiagnosticsReads, DiagnosticsWrites } from "../diagnostics.ts";
import type { Database } from "./tables.ts";
import type { DiagnosticsTable } from "./diagnostics-tables.ts";

/** Of a check. */
const KEPT = 100;

export function createDiagnostics(db: Kysely<Database>): DiagnosticsReads & DiagnosticsWrites {
  const due = (now: number) =>
    db
      .selectFrom("diagnoses")
      .select("id")
      .where("next_attempt_at", "<=", now)
      .orderBy("next_attempt_at")
      .orderBy("seq")
      .limit(1);

  return {
    isDue: async (now) => (await due(now).executeTakeFirst()) !== undefined,
    async listFinished(checkNo, limit) {
      const rows = await db
        .selectFrom("diagnoses")
        .selectAll()
        .where("check_no", "=", checkNo)
        .where("ended_at", "is not", null)
        .orderBy("seq", "desc")
        .limit(limit)
        .execute();
      return rows.map((row) => {
        const findings: readonly Finding[] = JSON.parse(row.findings ?? "[]");
        return { ...fromRow(row), endedAt: row.ended_at ?? 0, findings };
      });
    },
    async insert({ id, accountId, checkNo, checkId, outage, location, createdAt }) {
      await db
        .insertInto("diagnoses")
        .values({
          id,
          account_id: accountId,
          check_no: checkNo,
          check_id: checkId,
          outage,
          location,
          created_at: createdAt,
          attempts: 0,
          next_attempt_at: createdAt,
        })
        .execute();
    },
    async claim({ now, until }) {
      const row = await db
        .updateTable("diagnoses")
        .set((eb) => ({ attempts: eb("attempts", "+", 1), next_attempt_at: until }))
        .where("id", "=", due(now))
        .returningAll()
        .executeTakeFirst();
      return row && fromRow(row);
    },
    async finish({ id, attempts }, { at, findings }) {
      const row = await db
        .updateTable("diagnoses")
        .set({ next_attempt_at: null, ended_at: at, findings: JSON.stringify(findings) })
        .where("id", "=", id)
        .where("attempts", "=", attempts)
        .where("ended_at", "is", null)
        .returning("check_no")
        .executeTakeFirst();
      if (row === undefined) return false;
      const oldestKept = db
        .selectFrom("diagnoses")
        .select("seq")
        .where("check_no", "=", row.check_no)
        .orderBy("seq", "desc")
        .limit(1)
        .offset(KEPT - 1);
      await db
        .deleteFrom("diagnoses")
        .where("check_no", "=", row.check_no)
        .where("seq", "<", oldestKept)
        .execute();
      return true;
    },
    async remove(id) {
      await db.deleteFrom("diagnoses").where("id", "=", id).execute();
    },
  };
}

function fromRow(row: Selectable<DiagnosticsTable>): DiagnosticsRun {
  return {
    id: row.id,
    accountId: row.account_id,
    checkNo: row.check_no,
    checkId: row.check_id,
    outage: row.outage,
    location: row.location,
    createdAt: row.created_at,
    attempts: row.attempts,
  };
}

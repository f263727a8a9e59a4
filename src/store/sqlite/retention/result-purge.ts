import { sql, type Kysely } from "kysely";

import type { EnginePurge } from "../../retention/purge.ts";
import type { PurgeSource } from "../../retention/purge-rounds.ts";
import type { Database } from "../../tables/database.ts";
import { dayOf, tableOf, type ResultDays } from "../result-days.ts";

/** Purges the tables of days: chunk by chunk until one is empty, for dropping a full one takes as long as reading it. */
export function createResultPurge(days: Pick<ResultDays, "list" | "forget">): EnginePurge {
  /** Days that are no longer read. */
  const old = new Set<string>();
  return {
    resultsBefore(at) {
      for (const day of days.list().filter((kept) => kept < dayOf(at))) {
        days.forget(day);
        old.add(day);
      }
      return [...old].map((day) => purgeDay(day, () => old.delete(day)));
    },
    async resultsOfCheck(db, checkNo, limit) {
      let rows = 0;
      for (const day of days.list()) {
        if (rows === limit) break;
        const { numAffectedRows = 0n } =
          await sql`delete from ${sql.table(tableOf(day))} where check_no = ${checkNo} and started_at in (select started_at from ${sql.table(tableOf(day))} where check_no = ${checkNo} limit ${limit - rows})`.execute(
            db,
          );
        rows += Number(numAffectedRows);
      }
      return rows;
    },
    others: () => Promise.resolve([]),
  };
}

function purgeDay(day: string, purged: () => void): PurgeSource {
  return {
    name: tableOf(day),
    async deleteChunk(db, { limit }) {
      if ((await deleteFirst(db, day, limit)) === limit) return { hasMore: true };
      await sql`drop table ${sql.table(tableOf(day))}`.execute(db);
      return { hasMore: false, committed: purged };
    },
  };
}

/** Deletes a range of keys, which frees whole pages. */
async function deleteFirst(db: Kysely<Database>, day: string, limit: number): Promise<number> {
  const table = sql.table(tableOf(day));
  const { rows } = await sql<{ check_no: number; started_at: number }>`
    select check_no, started_at from ${table} order by check_no, started_at limit 1 offset ${limit - 1}`.execute(
    db,
  );
  const [last] = rows;
  const first = sql`(check_no, started_at) <= (${last?.check_no ?? null}, ${last?.started_at ?? null})`;
  const { numAffectedRows = 0n } =
    await sql`delete from ${table} where ${last === undefined ? sql`1 = 1` : first}`.execute(db);
  return Number(numAffectedRows);
}

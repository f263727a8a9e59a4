import { sql } from "kysely";
import type { Kysely, Selectable } from "kysely";

import type { Result } from "../../domain/run/result.ts";
import type { ResultDays } from "./partitions/result-days.ts";
import type { Database } from "../queries/tables.ts";
import type { ResultTable } from "./dialect.ts";

const columns = [
  ["check_no", "bigint"],
  ["started_at", "bigint"],
  ["ended_at", "bigint"],
  ["tick", "bigint"],
  ["revision", "bigint"],
  ["passed", "bigint"],
  ["reason", "text"],
  ["text", "text"],
  ["message", "text"],
  ["runtime_ms", "bigint"],
  ["location", "text"],
  ["earlier_runs", "text"],
  ["timings", "text"],
] as const satisfies readonly (readonly [keyof ResultTable, string])[];

export const resultColumns = sql.join(columns.map(([name]) => sql.ref(name)));

/** Of two with the same key the first is kept. Those of a day without a partition are strays. */
export async function insertResults(
  db: Kysely<Database>,
  results: readonly Result[],
  days: Pick<ResultDays, "takes">,
): Promise<void> {
  const { taken = [], stray = [] } = Object.groupBy(results, ({ startedAt }) =>
    days.takes(startedAt) ? "taken" : "stray",
  );
  if (taken.length > 0) await insertInto(db, "results", taken);
  if (stray.length > 0) await insertInto(db, "stray_results", stray);
}

/** In one statement, whose text is the same for any number of them. */
async function insertInto(
  db: Kysely<Database>,
  table: "results" | "stray_results",
  results: readonly Result[],
): Promise<void> {
  // In the order of their keys, so that two statements with the same ones never wait for each other.
  const rows = results
    .map(toRow)
    .toSorted((one, other) => one.check_no - other.check_no || one.started_at - other.started_at);
  const arrays = columns.map(
    ([name, type]) => sql`${rows.map((row) => row[name])}::${sql.raw(type)}[]`,
  );
  await sql`insert into ${sql.table(table)} (${resultColumns}) select * from unnest(${sql.join(arrays)}) on conflict do nothing`.execute(
    db,
  );
}

function toRow(result: Result): Selectable<ResultTable> {
  return {
    check_no: result.checkNo,
    started_at: result.startedAt,
    ended_at: result.endedAt,
    tick: result.tick,
    revision: result.revision,
    passed: result.passed ? 1 : 0,
    reason: result.reason,
    text: result.text,
    message: result.message,
    runtime_ms: result.runtimeMs,
    location: result.location,
    earlier_runs: JSON.stringify(result.earlierRuns),
    timings: result.timings === undefined ? null : JSON.stringify(result.timings),
  };
}

export function fromRow(row: Selectable<ResultTable>): Result {
  return {
    checkNo: row.check_no,
    startedAt: row.started_at,
    endedAt: row.ended_at,
    tick: row.tick,
    revision: row.revision,
    passed: row.passed === 1,
    reason: row.reason,
    text: row.text,
    message: row.message,
    runtimeMs: row.runtime_ms,
    location: row.location,
    earlierRuns: JSON.parse(row.earlier_runs),
    timings: row.timings === null ? undefined : JSON.parse(row.timings),
  };
}

import { sql, type Kysely, type Selectable } from "kysely";

import type { Reason } from "../../domain/run/outcome.ts";
import type { Result } from "../../domain/run/result.ts";
import type { Timings } from "../../domain/run/timings.ts";
import type { State } from "../../domain/run/verdict.ts";
import type { ResultQuery } from "../results.ts";
import type { PartitionedDays } from "./partitions/result-days.ts";
import type { Database } from "../tables/database.ts";
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

/** Of two results with the same key, the first is kept. Results of a day without a partition are strays. */
export async function insertResults(
  db: Kysely<Database>,
  results: readonly Result[],
  days: Pick<PartitionedDays, "takes">,
): Promise<void> {
  const { taken = [], stray = [] } = Object.groupBy(results, ({ startedAt }) =>
    days.takes(startedAt) ? "taken" : "stray",
  );
  if (taken.length > 0) await insertInto(db, "results", taken);
  if (stray.length > 0) await insertInto(db, "stray_results", stray);
}

/** Uses one statement whose text is the same for any number of rows. */
async function insertInto(
  db: Kysely<Database>,
  table: "results" | "stray_results",
  results: readonly Result[],
): Promise<void> {
  // Sorted by key, so that two statements with the same rows never deadlock.
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

interface RecentRow extends Pick<ResultTable, "check_no"> {
  readonly state: State | null;
  readonly started_at: number | null;
  readonly reason: Reason | null;
}

interface Recent {
  readonly state: State | undefined;
  readonly results: Pick<Result, "startedAt" | "reason">[];
}

/** Reads the state and the newest results of each query's check, one query per check. */
export async function readRecent(
  db: Kysely<Database>,
  queries: readonly ResultQuery[],
): Promise<ReadonlyMap<number, Recent>> {
  const array = (name: "checkNo" | "from" | "to" | "limit") =>
    sql`${queries.map((query) => query[name])}::bigint[]`;
  // The constant is what the planner leaves out partitions by.
  const earliest = Math.min(...queries.map(({ from }) => from));
  const { rows } = await sql<RecentRow>`
    select check_states.check_no, check_states.state, recent.started_at, recent.reason
    from unnest(${sql.join((["checkNo", "from", "to", "limit"] as const).map(array))}) as wanted (check_no, since, until, most)
    join check_states on check_states.check_no = wanted.check_no
    left join lateral (
      select started_at, reason from all_results
      where all_results.check_no = wanted.check_no and started_at between wanted.since and wanted.until
        and started_at >= ${earliest}::bigint
      order by started_at desc limit wanted.most
    ) as recent on true`.execute(db);
  const found = new Map<number, Recent>();
  for (const { check_no, state, started_at: startedAt, reason } of rows) {
    const known = found.get(check_no) ?? { state: state ?? undefined, results: [] };
    if (startedAt !== null && reason !== null) known.results.push({ startedAt, reason });
    found.set(check_no, known);
  }
  return found;
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
    timings: timingsOf(row),
  };
}

export function timingsOf({ timings }: Pick<ResultTable, "timings">): Timings | undefined {
  return timings === null ? undefined : JSON.parse(timings);
}

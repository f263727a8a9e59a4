import { sql, type Kysely, type RawBuilder } from "kysely";

import { DAY_MS, dayOf, partsByDay, type DayTimes } from "../../../domain/availability.ts";
import type { SpanTable } from "../checks.ts";
import type { Database } from "../database.ts";

/** Few enough for the parameters of a statement. */
const CHECKS_A_QUERY = 1000;

type Kind = SpanTable["kind"] | "measured";

interface Row extends Pick<SpanTable, "check_no" | "start_at" | "end_at"> {
  readonly kind: Kind;
  /** Duration of spans within the day; null for a span across several days. */
  readonly ms: number | null;
}

type Sums = Record<Kind, number>;

export function createDayTimeReads(db: Kysely<Database>) {
  return {
    /** Time enabled, down, and in maintenance of each check in [from, to), by day. Days without data are omitted. */
    async listDayTimes(
      checkNos: readonly number[],
      from: number,
      to: number,
    ): Promise<ReadonlyMap<number, ReadonlyMap<number, DayTimes>>> {
      const checks = new Map<number, Map<number, Sums>>(checkNos.map((no) => [no, new Map()]));
      for (let first = 0; first < checkNos.length; first += CHECKS_A_QUERY) {
        const some = checkNos.slice(first, first + CHECKS_A_QUERY);
        for (const table of ["spans", "imported_spans"] as const)
          for (const row of await readSpans(db, { table, checkNos: some, from, to })) {
            const days = checks.get(row.check_no);
            if (days !== undefined) addRow(days, row, { from, to });
          }
      }
      return new Map([...checks].map(([no, days]) => [no, timesOf(days)]));
    },
  };
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/** A check that goes up and down all the time has a row a day, for the database adds up what lies within one. */
async function readSpans(
  db: Kysely<Database>,
  {
    table,
    checkNos,
    from,
    to,
  }: Range & {
    readonly table: "spans" | "imported_spans";
    readonly checkNos: readonly number[];
  },
): Promise<readonly Row[]> {
  // Literals, for a parameter is no integer to every engine.
  const dayLength = sql.lit(DAY_MS);
  const startDay = sql<number>`start_at - start_at % ${dayLength}`;
  const endDay = sql<number>`end_at - end_at % ${dayLength}`;
  const isWithin = sql<boolean>`(end_at is not null and ${startDay} = ${endDay} and start_at >= ${from} and end_at <= ${to})`;
  const wanted = sql<boolean>`start_at < ${to} and (end_at is null or end_at > ${from})`;
  const spans = table === "spans" ? knownSpans(checkNos) : importedSpans(checkNos);
  const { rows } = await sql<Row>`
    select check_no, kind, start_at, end_at, null as ms from ${spans} where ${wanted} and not ${isWithin}
    union all
    select check_no, kind, ${startDay} as start_at, null as end_at, cast(sum(end_at - start_at) as bigint) as ms
    from ${spans} where ${wanted} and ${isWithin} group by check_no, kind, ${startDay}`.execute(db);
  return rows;
}

/** Spans of checks, and those of enabled time in which their state was known. */
function knownSpans(checkNos: readonly number[]): RawBuilder<unknown> {
  const ofChecks = sql`from spans join check_states using (check_no) where check_no in (${sql.join(checkNos)})`;
  return sql`(
    select check_no, kind, start_at, end_at ${ofChecks}
    union all
    select check_no, 'measured' as kind,
      case when start_at < known_since then known_since else start_at end as start_at, end_at
    ${ofChecks} and kind = 'enabled' and known_since is not null and (end_at is null or end_at > known_since)
  ) as known`;
}

/** Imported spans count as measured. */
function importedSpans(checkNos: readonly number[]): RawBuilder<unknown> {
  const ofChecks = sql`from imported_spans join check_states using (check_no) where check_no in (${sql.join(checkNos)})`;
  return sql`(
    select check_no, kind, start_at, end_at ${ofChecks}
    union all
    select check_no, 'measured' as kind, start_at, end_at ${ofChecks} and kind = 'enabled'
  ) as known`;
}

function addRow(days: Map<number, Sums>, row: Row, range: Range): void {
  const { kind, start_at: start, end_at, ms } = row;
  const parts =
    ms === null
      ? partsByDay({ start, end: end_at ?? undefined }, range)
      : [[dayOf(start), ms] as const];
  for (const [day, part] of parts) {
    const sums = days.get(day) ?? { enabled: 0, measured: 0, down: 0, maintenance: 0 };
    sums[kind] += part;
    days.set(day, sums);
  }
}

function timesOf(days: ReadonlyMap<number, Sums>): ReadonlyMap<number, DayTimes> {
  return new Map(
    [...days].map(([day, { enabled, measured, down, maintenance }]) => [
      day,
      {
        // Two that a clock recorded before and after it was set may share time.
        enabledMs: Math.min(enabled, DAY_MS),
        measuredMs: Math.min(measured, enabled, DAY_MS),
        downMs: Math.min(down, enabled, DAY_MS),
        maintenanceMs: Math.min(maintenance, DAY_MS),
      },
    ]),
  );
}

import { setImmediate } from "node:timers/promises";

import type { Kysely } from "kysely";

import type { Result } from "../../domain/run/result.ts";
import { Conflict, messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { RepackedDay } from "./repack.ts";
import { inOrder } from "./result-order.ts";
import { unpackDay } from "./unpack-day.ts";
import type { LatestResult, ResultQuery } from "../results.ts";
import { addSummaries } from "./stored-summaries.ts";
import type { Database } from "../tables/database.ts";

declare module "../tables/database.ts" {
  interface Database {
    readonly packed_days: PackedDayTable;
  }
}

/** Results of a check on a past day, in one blob. Results that arrived later are separate rows. */
interface PackedDayTable {
  readonly check_no: number;
  /** The instant at which it begins. */
  readonly day: number;
  /** Starts of the first and the last of them. */
  readonly first_at: number;
  readonly last_at: number;
  readonly last_tick: number;
  readonly results: number;
  readonly packed: Uint8Array;
}

export type PackedDays = ReturnType<typeof createPackedDays>;

export interface PackedReader {
  /** The first results in the order of the query. */
  readonly read: (query: ResultQuery, limit: number) => Promise<readonly Result[]>;
}

interface Deps {
  readonly log: Log;
  readonly meter: Meter;
  /** An instant after which no packed result began, where it is known without a query. */
  readonly latestStart?: () => number;
}

const DAY_MS = 86_400_000;
/** Few enough for the parameters of a statement. */
const CHECKS_A_QUERY = 1000;

export function createPackedDays(db: Kysely<Database>, deps: Deps) {
  return {
    /** Begins one or more reads of one check: a day that several of them need is unpacked once. */
    open: (): PackedReader => createReader(db, deps),
    /** An instant after which no packed result began. */
    async latestStart(): Promise<number> {
      if (deps.latestStart !== undefined) return deps.latestStart();
      const { at } = await db
        .selectFrom("packed_days")
        .select((eb) => eb.fn.max<number | null>("last_at").as("at"))
        .executeTakeFirstOrThrow();
      return at ?? -Infinity;
    },
    /** Start and tick of the latest packed result of each of these checks that has any. */
    async latest(checkNos: readonly number[]): Promise<ReadonlyMap<number, LatestResult>> {
      const found = new Map<number, LatestResult>();
      for (let from = 0; from < checkNos.length; from += CHECKS_A_QUERY)
        for (const row of await latestOf(db, checkNos.slice(from, from + CHECKS_A_QUERY)))
          found.set(row.check_no, { startedAt: row.last_at, tick: row.last_tick });
      return found;
    },
  };
}

function latestOf(db: Kysely<Database>, checkNos: readonly number[]) {
  return db
    .selectFrom("packed_days")
    .select(["check_no", "last_at", "last_tick"])
    .where((eb) =>
      eb(
        eb.refTuple("check_no", "day"),
        "in",
        eb
          .selectFrom("packed_days as own")
          .select((own) => ["own.check_no", own.fn.max("own.day").as("day")])
          .where("own.check_no", "in", checkNos)
          .groupBy("own.check_no")
          .$asTuple("check_no", "day"),
      ),
    )
    .execute();
}

interface UnpackedDay {
  readonly day: number;
  readonly count: number;
  readonly results: readonly Result[];
}

function createReader(db: Kysely<Database>, deps: Deps): PackedReader {
  const { latestStart = () => Infinity } = deps;
  let latest: UnpackedDay | undefined;

  const resultsOf = async (
    checkNo: number,
    { day, count }: Omit<UnpackedDay, "results">,
  ): Promise<readonly Result[]> => {
    // A day that was packed again has more.
    if (latest?.day === day && latest.count === count) return latest.results;
    const results = await unpack(db, { checkNo, day, ...deps });
    latest = { day, count, results };
    return results;
  };
  return {
    async read(query, limit) {
      const { checkNo, from, to, order } = query;
      const found: Result[] = [];
      let after: number | undefined;
      while (found.length < limit && from <= latestStart()) {
        const next = await nextDay(db, query, after);
        if (next === undefined) break;
        after = next.day;
        const within = (await resultsOf(checkNo, next)).filter(
          ({ startedAt }) => startedAt >= from && startedAt <= to,
        );
        found.push(...inOrder(within, order).slice(0, limit - found.length));
      }
      return found;
    },
  };
}

/** The next packed day that has results in the range. */
async function nextDay(
  db: Kysely<Database>,
  { checkNo, from, to, order }: ResultQuery,
  after: number | undefined,
): Promise<Omit<UnpackedDay, "results"> | undefined> {
  const isNewest = order === "newest";
  const known = db
    .selectFrom("packed_days")
    .select(["day", "results as count"])
    .where("check_no", "=", checkNo)
    // Both are said of the day as well, for it is in the index.
    .where("day", ">", from - DAY_MS)
    .where("day", "<=", to)
    .where("last_at", ">=", from)
    .where("first_at", "<=", to);
  const rest = after === undefined ? known : known.where("day", isNewest ? "<" : ">", after);
  return rest
    .orderBy("day", isNewest ? "desc" : "asc")
    .limit(1)
    .executeTakeFirst();
}

interface DayToUnpack extends Deps {
  readonly checkNo: number;
  readonly day: number;
}

/** One that is damaged has no results, and does not keep the others from being read. */
async function unpack(
  db: Kysely<Database>,
  { checkNo, day, log, meter }: DayToUnpack,
): Promise<readonly Result[]> {
  const packed = await readPacked(db, { checkNo, day });
  if (packed === undefined) return [];
  try {
    return unpackDay(checkNo, packed);
  } catch (error) {
    log.error("store.packed_day_unreadable", { check_no: checkNo, day, error: messageOf(error) });
    meter.count("store.packed_day_unreadable");
    return [];
  } finally {
    // Others have the event loop between two days.
    await setImmediate();
  }
}

export async function readPacked(
  db: Kysely<Database>,
  { checkNo, day }: { readonly checkNo: number; readonly day: number },
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom("packed_days")
    .select("packed")
    .where("check_no", "=", checkNo)
    .where("day", "=", day)
    .executeTakeFirst();
  return row?.packed;
}

/** Within a unit: puts a packed day in the place of its rows, which `deleteRows` deletes and counts, and adds to the summaries of the day what was not packed before. */
export async function replaceRows(
  db: Kysely<Database>,
  { rows, checkNo, day, added, ...packed }: RepackedDay,
  deleteRows: () => Promise<number>,
): Promise<void> {
  const deleted = await deleteRows();
  if (deleted !== rows)
    throw new Conflict(`${deleted} rows of the day were deleted, and ${rows} packed`);
  const row = {
    check_no: checkNo,
    day,
    first_at: packed.firstAt,
    last_at: packed.lastAt,
    last_tick: packed.lastTick,
    results: packed.count,
    packed: packed.packed,
  };
  await db
    .insertInto("packed_days")
    .values(row)
    .onConflict((conflict) => conflict.columns(["check_no", "day"]).doUpdateSet(row))
    .execute();
  if (added !== undefined) await addSummaries(db, { checkNo, day, added });
}

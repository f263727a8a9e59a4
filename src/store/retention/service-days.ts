import type { Kysely } from "kysely";

import type { Clock } from "../../kit/clock.ts";
import { readClock, type Engine } from "../tables/engine.ts";
import type { Database } from "../tables/database.ts";

declare module "../tables/database.ts" {
  interface Database {
    readonly service_days: ServiceDayTable;
  }
}

interface ServiceDayTable {
  /** The instant at which it begins. */
  readonly day: number;
  /** How long the service has run since it entered this day. */
  readonly run_ms: number;
  readonly counted_at: number;
}

/** How the store is read and written for retention. */
export interface StoreAccess {
  readonly db: Kysely<Database>;
  readonly inTx: <Value>(work: (db: Kysely<Database>) => Promise<Value>) => Promise<Value>;
  readonly engine: Engine;
}

interface Deps {
  readonly access: StoreAccess;
  readonly clock: Pick<Clock, "monotonic">;
  /** Maximum days that are ever requested. */
  readonly maxDays: number;
}

const DAY_MS = 86_400_000;
/** Less than a day, for a day that the service ran through is always entered. */
const BETWEEN_DAYS_MS = 20 * 3_600_000;
const COUNT_INTERVAL_MS = 60_000;
/** The current day, and one that a wrong clock may have added. */
const EXTRA_DAYS = 2;

/**
 * The days on which the service ran. What is kept for some days is kept for that many of these, so that a wrong clock, however far
 * ahead and however long, ends nothing sooner than a right one.
 */
export function createServiceDays({ access, clock, maxDays }: Deps) {
  const { db, inTx, engine } = access;
  let countedAt = clock.monotonic();
  let isFirst = true;
  return {
    /** Counts the time since the last call, and enters the day once the service has run long enough since it entered another. */
    async count(): Promise<void> {
      const ranMs = Math.floor(clock.monotonic() - countedAt);
      if (!isFirst && ranMs < COUNT_INTERVAL_MS) return;
      await inTx((unit) => countDay(unit, engine, { ranMs, maxDays }));
      countedAt += ranMs;
      isFirst = false;
    },
    /** Time since which data older than `days` is kept; undefined if there is none. */
    async keptSince(days: number): Promise<number | undefined> {
      const now = await readClock(db, engine);
      const entered = await db
        .selectFrom("service_days")
        .select("day")
        .where("day", "<=", now)
        .orderBy("day", "desc")
        .limit(1)
        .offset(days + EXTRA_DAYS - 1)
        .executeTakeFirst();
      return entered && Math.min(now - days * DAY_MS, entered.day);
    },
  };
}

interface Count {
  readonly ranMs: number;
  readonly maxDays: number;
}

async function countDay(
  db: Kysely<Database>,
  engine: Engine,
  { ranMs, maxDays }: Count,
): Promise<void> {
  const last = await engine
    .lockRows(db.selectFrom("service_days").selectAll().orderBy("day", "desc").limit(1))
    .executeTakeFirst();
  const now = await readClock(db, engine);
  const day = Math.floor(now / DAY_MS) * DAY_MS;
  if (last === undefined) {
    await enter(db, day, now);
    return;
  }
  // Each process counts only time that no other has counted.
  const uncountedMs = Math.max(0, Math.min(ranMs, now - last.counted_at));
  const runMs = last.run_ms + uncountedMs;
  const isNew = (await dayRow(db, day).executeTakeFirst()) === undefined;
  if (!isNew || runMs < BETWEEN_DAYS_MS) {
    await db
      .updateTable("service_days")
      .set({ run_ms: runMs, counted_at: now })
      .where("day", "=", last.day)
      .execute();
    return;
  }
  await enter(db, day, now);
  // Later ones were entered while the clock was ahead.
  await db.deleteFrom("service_days").where("day", ">", day).execute();
  const oldestKept = db
    .selectFrom("service_days")
    .select("day")
    .orderBy("day", "desc")
    .limit(1)
    .offset(maxDays + EXTRA_DAYS - 1);
  await db.deleteFrom("service_days").where("day", "<", oldestKept).execute();
}

function dayRow(db: Kysely<Database>, day: number) {
  return db.selectFrom("service_days").select("day").where("day", "=", day);
}

async function enter(db: Kysely<Database>, day: number, now: number): Promise<void> {
  await db
    .insertInto("service_days")
    .values({ day, run_ms: 0, counted_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

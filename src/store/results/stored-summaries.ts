import { setImmediate } from "node:timers/promises";

import type { Kysely } from "kysely";

import { DAY_MS } from "../../domain/availability.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import { packSummaries, unpackSummaries } from "./pack-summaries.ts";
import type { PackedSummaries } from "./repack.ts";
import { addUp } from "./summarize-results.ts";
import { HOUR_MS, type StoredSummary } from "../results.ts";
import type { Database } from "../tables/database.ts";

declare module "../tables/database.ts" {
  interface Database {
    readonly hourly_summaries: SummaryTable;
    readonly daily_summaries: SummaryTable;
  }
}

/** Summaries of a check and a day, in one blob. */
interface SummaryTable {
  readonly check_no: number;
  /** The instant at which it begins. */
  readonly day: number;
  readonly packed: Uint8Array;
}

/** Some 3 ms of hours from three locations. */
const DAYS_AT_ONCE = 30;

export interface DaysOfCheck {
  readonly checkNo: number;
  /** The first day, and the instant after the last. */
  readonly from: number;
  readonly to: number;
  readonly step: SummaryStep;
}

export type SummaryStep = "hourly" | "daily";

export const stepMsOf: Readonly<Record<SummaryStep, number>> = { hourly: HOUR_MS, daily: DAY_MS };

/** Summaries of days that are packed. */
export interface StoredSummaries {
  /** Summaries by day. Damaged ones are omitted. */
  readonly read: (days: DaysOfCheck) => Promise<ReadonlyMap<number, readonly StoredSummary[]>>;
}

interface Deps {
  readonly log: Log;
  readonly meter: Meter;
}

export function createStoredSummaries(db: Kysely<Database>, { log, meter }: Deps): StoredSummaries {
  return {
    async read({ checkNo, from, to, step }) {
      const rows = await db
        .selectFrom(tableOf(step))
        .select(["day", "packed"])
        .where("check_no", "=", checkNo)
        .where("day", ">=", from)
        .where("day", "<", to)
        .orderBy("day")
        .execute();
      const days = new Map<number, readonly StoredSummary[]>();
      for (const [index, { day, packed }] of rows.entries()) {
        // Others have the event loop in between.
        if (index % DAYS_AT_ONCE === 0) await setImmediate();
        try {
          days.set(day, unpackSummaries(packed, { day, stepMs: stepMsOf[step] }));
        } catch (error) {
          const damaged = { check_no: checkNo, day, summaries: step, error: messageOf(error) };
          log.error("store.packed_day_unreadable", damaged);
          meter.count("store.packed_day_unreadable");
        }
      }
      return days;
    },
  };
}

interface AddedDay {
  readonly checkNo: number;
  readonly day: number;
  readonly added: PackedSummaries;
}

/** Within a unit: adds what results add up to that were in no summary before. */
export async function addSummaries(
  db: Kysely<Database>,
  { checkNo, day, added }: AddedDay,
): Promise<void> {
  for (const [step, packed] of [
    ["hourly", added.hours],
    ["daily", added.whole],
  ] as const) {
    const table = tableOf(step);
    const known = await db
      .selectFrom(table)
      .select("packed")
      .where("check_no", "=", checkNo)
      .where("day", "=", day)
      .executeTakeFirst();
    const scale = { day, stepMs: stepMsOf[step] };
    const row = { packed: known === undefined ? packed : sum(known.packed, packed, scale) };
    await db
      .insertInto(table)
      .values({ check_no: checkNo, day, ...row })
      .onConflict((conflict) => conflict.columns(["check_no", "day"]).doUpdateSet(row))
      .execute();
  }
}

function sum(
  known: Uint8Array,
  added: Uint8Array,
  scale: { readonly day: number; readonly stepMs: number },
): Uint8Array {
  const both = [...unpackSummaries(known, scale), ...unpackSummaries(added, scale)];
  return packSummaries(addUp(both), scale);
}

function tableOf(step: SummaryStep): "hourly_summaries" | "daily_summaries" {
  return step === "hourly" ? "hourly_summaries" : "daily_summaries";
}

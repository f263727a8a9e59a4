import { DAY_MS } from "../../domain/availability.ts";
import type { Result } from "../../domain/run/result.ts";
import { HOUR_MS } from "../results.ts";
import { packDay } from "./pack-day.ts";
import { packSummaries } from "./pack-summaries.ts";
import { summarizeResults } from "./summarize-results.ts";
import { inOrder } from "./result-order.ts";
import { unpackDay } from "./unpack-day.ts";

/** A packed day that takes the place of rows. */
export interface RepackedDay {
  readonly checkNo: number;
  /** The instant at which it begins. */
  readonly day: number;
  /** How many rows. */
  readonly rows: number;
  /** How many results, with those that were packed before. */
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly lastTick: number;
  readonly packed: Uint8Array;
  /** Summaries of results that were not packed before; undefined if all were. */
  readonly added: PackedSummaries | undefined;
}

export interface PackedSummaries {
  /** Summaries by hour, and of the whole day. */
  readonly hours: Uint8Array;
  readonly whole: Uint8Array;
}

interface DayOfCheck {
  readonly checkNo: number;
  readonly day: number;
  readonly rows: readonly Result[];
  /** Data packed before these rows arrived. */
  readonly packed: Uint8Array | undefined;
}

/** Packs at least one row of a check and day with the data already packed. Throws if the rows cannot be packed. */
export function repack({ checkNo, day, rows, packed }: DayOfCheck): RepackedDay {
  const before = packed === undefined ? [] : unpackDay(checkNo, packed);
  const results = inOrder([...rows, ...before], "oldest");
  const last = results.at(-1);
  const known = new Set(before.map(({ startedAt }) => startedAt));
  const added = results.filter(({ startedAt }) => !known.has(startedAt));
  return {
    checkNo,
    day,
    rows: rows.length,
    count: results.length,
    firstAt: results[0]?.startedAt ?? day,
    lastAt: last?.startedAt ?? day,
    lastTick: last?.tick ?? day,
    packed: packDay(results),
    added: added.length === 0 ? undefined : summariesOf(added, day),
  };
}

function summariesOf(results: readonly Result[], day: number): PackedSummaries {
  const packed = (stepMs: number): Uint8Array =>
    packSummaries(summarizeResults(results, stepMs), { day, stepMs });
  return { hours: packed(HOUR_MS), whole: packed(DAY_MS) };
}

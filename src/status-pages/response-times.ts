import { LRUCache } from "lru-cache";

import { DAY_MS, dayOf } from "../domain/availability.ts";
import {
  emptySummary,
  mergeSummaries,
  quantileMs,
  type RunSummary,
} from "../domain/run/run-summary.ts";
import type { ChartPeriod } from "../domain/status/status-page.ts";
import { waitAtMost, type Clock } from "../kit/clock.ts";
import { HOUR_MS, type ResultReads, type StoredSummary } from "../store/results.ts";

/** How long runs that passed took, in some stretch of time. */
export interface TimePoint {
  readonly at: number;
  readonly medianMs: number;
  /** 95 % of them took no longer. */
  readonly p95Ms: number;
}

/** Chart data of one check, without the current day or hour. */
export interface ResponseTimes {
  readonly period: ChartPeriod;
  readonly from: number;
  readonly total: TimePoint;
  /** One for each hour or day that has any. */
  readonly points: readonly TimePoint[];
  /** One for each three hours or week that has any, for who reads the figures. */
  readonly rows: readonly TimePoint[];
}

export interface ResponseTimesReader {
  /** Returns data for the checks that have some already. */
  readonly read: (
    checkNos: readonly number[],
    period: ChartPeriod,
  ) => Promise<ReadonlyMap<number, ResponseTimes>>;
}

interface Entry {
  readonly hour: number;
  readonly times: ResponseTimes | undefined;
}

interface Deps {
  readonly store: { readonly results: Pick<ResultReads, "summaries"> };
  readonly clock: Clock;
}

export interface Scale {
  readonly stepMs: number;
  readonly steps: number;
  readonly rowMs: number;
}

export const scales: Readonly<Record<ChartPeriod, Scale>> = {
  "24h": { stepMs: HOUR_MS, steps: 24, rowMs: 3 * HOUR_MS },
  "90d": { stepMs: DAY_MS, steps: 90, rowMs: 7 * DAY_MS },
};

/** Times that take longer to read are on the page the next time that it is made. */
const TIMEOUT_MS = 500;
const MAX_ENTRIES = 2000;
const MEDIAN = 0.5;
const MAX = 0.95;

/** Reads the times of a check once an hour, one check after the other: those of today come from its results. */
export function createResponseTimes({ store, clock }: Deps): ResponseTimesReader {
  const entries = new LRUCache<string, Entry>({ max: MAX_ENTRIES });
  const reading = new Map<string, Promise<void>>();
  let last = Promise.resolve();

  const refresh = async (checkNo: number, period: ChartPeriod, key: string): Promise<void> => {
    const { stepMs, steps } = scales[period];
    const now = clock.now();
    const to = period === "90d" ? dayOf(now) : now - (now % HOUR_MS);
    const from = to - steps * stepMs;
    const summaries = await store.results.summaries({ checkNo, from, to, stepMs });
    const times = timesOf(summaries, period, from);
    entries.set(key, { hour: hourOf(now), times });
  };
  const refreshOnce = (checkNo: number, period: ChartPeriod): Promise<void> => {
    const key = keyOf(checkNo, period);
    const known = reading.get(key);
    if (known !== undefined) return known;
    const work = last.then(() => refresh(checkNo, period, key));
    // Failed reads are left out and retried for the next page.
    last = work.catch(() => {}).finally(() => reading.delete(key));
    reading.set(key, last);
    return last;
  };

  return {
    async read(checkNos, period) {
      const hour = hourOf(clock.now());
      const missing = checkNos.filter((no) => entries.get(keyOf(no, period))?.hour !== hour);
      if (missing.length > 0) {
        const all = Promise.all(missing.map((no) => refreshOnce(no, period)));
        await waitAtMost(all, TIMEOUT_MS, clock);
      }
      return new Map(
        checkNos.flatMap((no) => {
          const times = entries.get(keyOf(no, period))?.times;
          return times === undefined ? [] : [[no, times] as const];
        }),
      );
    },
  };
}

function timesOf(
  summaries: readonly StoredSummary[],
  period: ChartPeriod,
  from: number,
): ResponseTimes | undefined {
  const { stepMs, rowMs } = scales[period];
  const [total] = pointsOf(summaries, () => from);
  if (total === undefined) return undefined;
  const startOf = (at: number, ms: number): number => from + Math.floor((at - from) / ms) * ms;
  return {
    period,
    from,
    total,
    points: pointsOf(summaries, (at) => startOf(at, stepMs)),
    rows: pointsOf(summaries, (at) => startOf(at, rowMs)),
  };
}

/** All locations together. */
function pointsOf(
  summaries: readonly StoredSummary[],
  startOf: (at: number) => number,
): readonly TimePoint[] {
  const stretches = new Map<number, RunSummary>();
  for (const { at, summary } of summaries) {
    const start = startOf(at);
    stretches.set(start, mergeSummaries(stretches.get(start) ?? emptySummary, summary));
  }
  return [...stretches].flatMap(([at, summary]): readonly TimePoint[] => {
    const medianMs = quantileMs(summary, MEDIAN);
    const p95Ms = quantileMs(summary, MAX);
    return medianMs === undefined || p95Ms === undefined ? [] : [{ at, medianMs, p95Ms }];
  });
}

function keyOf(checkNo: number, period: ChartPeriod): string {
  return `${checkNo} ${period}`;
}

function hourOf(at: number): number {
  return Math.floor(at / HOUR_MS);
}

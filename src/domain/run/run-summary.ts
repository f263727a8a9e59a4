import type { Result } from "./result.ts";

/** Phases of a run; `rest` is the time after the last measured phase. */
export const summaryPhases = ["dns", "connect", "tls", "firstByte", "rest"] as const;
export type SummaryPhase = (typeof summaryPhases)[number];

/** Runs of a check in some time: sums, so that those of a day are what those of its hours add up to. */
export interface RunSummary {
  readonly runs: number;
  readonly failures: number;
  /** How many of those that passed were timed; all times are of these. */
  readonly timed: number;
  readonly sumMs: number;
  readonly minMs: number;
  readonly maxMs: number;
  /** How many of these had their phases measured, and what each phase took of all of them, in tenths of a ms. */
  readonly phased: number;
  readonly phaseTenths: Readonly<Record<SummaryPhase, number>>;
  /** How many of the times are in each bucket. */
  readonly buckets: ReadonlyMap<number, number>;
}

type Counted = Pick<Result, "passed" | "runtimeMs" | "timings">;

/** Ratio between the ends of consecutive buckets: a value read from a bucket differs by at most 4.8 % from the actual time. */
const GROWTH = 1.1;
const TENTHS = 10;

export const emptySummary: RunSummary = {
  runs: 0,
  failures: 0,
  timed: 0,
  sumMs: 0,
  minMs: 0,
  maxMs: 0,
  phased: 0,
  phaseTenths: { dns: 0, connect: 0, tls: 0, firstByte: 0, rest: 0 },
  buckets: new Map(),
};

export function summarizeRuns(results: readonly Counted[]): RunSummary {
  const passed = results.filter((result) => result.passed);
  // For a run shorter than half a millisecond, only its phases show that it was timed.
  const timed = passed.filter(({ runtimeMs, timings }) => runtimeMs > 0 || timings !== undefined);
  const times = timed.map(({ runtimeMs }) => Math.round(runtimeMs));
  const phaseTenths = { ...emptySummary.phaseTenths };
  let phased = 0;
  for (const { timings } of timed) {
    if (timings === undefined) continue;
    phased += 1;
    let before = 0;
    for (const phase of summaryPhases) {
      const ended = tenthsOf(phase === "rest" ? timings.total : timings[phase]);
      if (ended === undefined) continue;
      phaseTenths[phase] += Math.max(0, ended - before);
      before = Math.max(before, ended);
    }
  }
  const buckets = new Map<number, number>();
  for (const ms of times) buckets.set(bucketOf(ms), (buckets.get(bucketOf(ms)) ?? 0) + 1);
  return {
    runs: results.length,
    failures: results.length - passed.length,
    timed: timed.length,
    sumMs: times.reduce((sum, ms) => sum + ms, 0),
    minMs: times.reduce((least, ms) => Math.min(least, ms), times[0] ?? 0),
    maxMs: times.reduce((most, ms) => Math.max(most, ms), 0),
    phased,
    phaseTenths,
    buckets,
  };
}

export function mergeSummaries(one: RunSummary, other: RunSummary): RunSummary {
  if (one.runs === 0) return other;
  if (other.runs === 0) return one;
  const buckets = new Map(one.buckets);
  for (const [bucket, count] of other.buckets)
    buckets.set(bucket, (buckets.get(bucket) ?? 0) + count);
  const phaseTenths = { ...one.phaseTenths };
  for (const phase of summaryPhases) phaseTenths[phase] += other.phaseTenths[phase];
  return {
    runs: one.runs + other.runs,
    failures: one.failures + other.failures,
    timed: one.timed + other.timed,
    sumMs: one.sumMs + other.sumMs,
    minMs: leastOf(one, other),
    maxMs: Math.max(one.maxMs, other.maxMs),
    phased: one.phased + other.phased,
    phaseTenths,
    buckets,
  };
}

export function meanMs({ timed, sumMs }: RunSummary): number | undefined {
  return timed === 0 ? undefined : sumMs / timed;
}

/** Returns the mean duration of a phase, in ms; undefined if no phases were measured. */
export function meanPhaseMs(
  { phased, phaseTenths }: RunSummary,
  phase: SummaryPhase,
): number | undefined {
  return phased === 0 ? undefined : phaseTenths[phase] / phased / TENTHS;
}

/** Returns a quantile of the times, to 4.8 %; undefined if none were measured. */
export function quantileMs(summary: RunSummary, share: number): number | undefined {
  const { timed, minMs, maxMs, buckets } = summary;
  if (timed === 0) return undefined;
  let left = Math.max(1, Math.ceil(share * timed));
  for (const [bucket, count] of [...buckets].toSorted(([one], [other]) => one - other)) {
    left -= count;
    if (left <= 0) return Math.min(Math.max(timeOf(bucket), minMs), maxMs);
  }
  return maxMs;
}

/** The first two buckets hold times up to 1 ms: zero, and one. */
function bucketOf(ms: number): number {
  return ms < 1 ? 0 : 1 + Math.ceil(Math.log(ms) / Math.log(GROWTH));
}

/** Returns the geometric mean of a bucket's bounds. */
function timeOf(bucket: number): number {
  return bucket === 0 ? 0 : (2 * GROWTH ** (bucket - 1)) / (GROWTH + 1);
}

function tenthsOf(ms: number | undefined): number | undefined {
  return ms === undefined ? undefined : Math.round(ms * TENTHS);
}

function leastOf(one: RunSummary, other: RunSummary): number {
  if (one.timed === 0) return other.minMs;
  return other.timed === 0 ? one.minMs : Math.min(one.minMs, other.minMs);
}

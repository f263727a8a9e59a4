import type { Result } from "../domain/run/result.ts";
import type { RunSummary } from "../domain/run/run-summary.ts";
import type { Timings } from "../domain/run/timings.ts";
import type { State } from "../domain/run/verdict.ts";

/** A result with what the check was at the time. Targets carry no credentials here. */
export interface StoredResult extends Result {
  readonly type: string;
  readonly target: string;
  readonly timeoutSeconds: number;
  readonly intervalMinutes: number;
}

export interface ResultQuery {
  readonly checkNo: number;
  /** Start of the runs, in ms; both ends belong to the range. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
  readonly order: "newest" | "oldest";
}

/** Reads the latest result, however old, that began by `by`; undefined if none is kept. */
type ReadLast = (checkNo: number, by?: number) => Promise<StoredResult | undefined>;

export const HOUR_MS = 3_600_000;

/** The runs of a check from one location in an hour, a day, or another stretch of time. */
export interface StoredSummary {
  /** Start, in GMT. */
  readonly at: number;
  readonly location: string;
  readonly summary: RunSummary;
}

export interface SummaryQuery {
  readonly checkNo: number;
  /** Stretches that begin in [from, to). */
  readonly from: number;
  readonly to: number;
  /** How long each is. */
  readonly stepMs: number;
}

export interface ResultReads {
  readonly last: ReadLast;
  /** A page at a time, so that a long read neither holds the loop nor the memory. */
  readonly page: (query: ResultQuery) => AsyncIterable<readonly StoredResult[]>;
  /** Summaries in time order; those of hours and days include results that are no longer kept. Empty periods are omitted. */
  readonly summaries: (query: SummaryQuery) => Promise<readonly StoredSummary[]>;
}

/** Start and tick of a check's latest result, and its run as shown in lists. */
export interface LatestResult {
  readonly startedAt: number;
  readonly tick: number;
  /** Undefined of one that is packed, as are the others: it is read with those of its day. */
  readonly runtimeMs?: number | undefined;
  readonly text?: string | undefined;
  readonly timings?: Timings | undefined;
}

export interface ResultWrites {
  readonly append: (result: Result) => Promise<void>;
  readonly last: ReadLast;
  /** Results that are not packed. */
  readonly recent: (query: ResultQuery) => Promise<readonly Result[]>;
}

/** Condition for storing a result, tested in its transaction because another process may have stored a result since. */
export interface ResultCondition {
  /** The state that it agrees with. */
  readonly state?: State;
  /**
   * The latest start that is believed, by the clock as it is once the check is locked. A result that began at the same time as this one or later, and by
   * then, was stored first although it is newer.
   */
  readonly believedUntil?: () => number;
  /** Another heartbeat exceeds the limit if this many started after `from` and by `to`. */
  readonly limit?: { readonly from: number; readonly to: number; readonly most: number };
}

/** `lost` where the check has another state, a result that began in the same millisecond, or a newer one; `throttled` where there were too many. */
export type AppendEnd = "stored" | "lost" | "throttled";

/** How an engine stores results: many, appended only, and kept for a month. */
export interface ResultStorage extends ResultReads, ResultWrites {
  /** The latest result of each of these checks that has any. */
  readonly latest: (checkNos: readonly number[]) => Promise<ReadonlyMap<number, LatestResult>>;
  /** Moves results to where they stay. True once all that were stored before the call are there. */
  readonly compact: () => Promise<boolean>;
}

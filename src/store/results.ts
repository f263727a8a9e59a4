import type { Result } from "../domain/run/result.ts";
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

/** The latest, however old, of those that began by `by`; undefined where none is kept. */
type ReadLast = (checkNo: number, by?: number) => Promise<StoredResult | undefined>;

export interface ResultReads {
  readonly last: ReadLast;
  /** A page at a time, so that a long read neither holds the loop nor the memory. */
  readonly page: (query: ResultQuery) => AsyncIterable<readonly StoredResult[]>;
}

/** When the latest result of a check began, and its tick. */
export interface LatestResult {
  readonly startedAt: number;
  readonly tick: number;
}

export interface ResultWrites {
  readonly append: (result: Result) => Promise<void>;
  readonly last: ReadLast;
  /** Those that are not packed. */
  readonly recent: (query: ResultQuery) => Promise<readonly Result[]>;
}

/** What must hold of the check for a result to be stored, asked in its unit: another process may have stored and flipped since it was judged. */
export interface ResultCondition {
  /** The state that it agrees with. */
  readonly state?: State;
  /** Where so many heartbeats began after `from`, and by `to`, another one is too many. */
  readonly limit?: { readonly from: number; readonly to: number; readonly most: number };
}

/** `lost` where the check has another state, or a result that began in the same millisecond; `throttled` where there were too many. */
export type AppendEnd = "stored" | "lost" | "throttled";

/** How an engine stores results: many, appended only, and kept for a month. */
export interface ResultStorage extends ResultReads, ResultWrites {
  /** The latest result of each of these checks that has any. */
  readonly latest: (checkNos: readonly number[]) => Promise<ReadonlyMap<number, LatestResult>>;
  /** Moves results to where they stay. True once all that were stored before the call are there. */
  readonly compact: () => Promise<boolean>;
}

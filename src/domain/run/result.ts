import type { Reason } from "./outcome.ts";
import type { Timings } from "./timings.ts";

/** One run of a series: when and where it began, and its outcome. */
export interface Confirmation {
  readonly at: number;
  readonly location: string;
  readonly passed: boolean;
  readonly message: string;
}

export type EarlierRun = readonly [startedAt: number, location: string, passed: boolean];

/** The stored result of a tick: the last run of its series, with the earlier ones listed. */
export interface Result {
  readonly checkNo: number;
  /** The check's revision at the time: type, target, timeout and interval are looked up by it. */
  readonly revision: number;
  /** Time at which the run was due. */
  readonly tick: number;
  /** Start of the run; strictly increasing within a check, so it identifies the result. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly passed: boolean;
  readonly reason: Reason;
  readonly text: string;
  readonly message: string;
  /** Run time in ms as shown in charts; 0 if not measured. */
  readonly runtimeMs: number;
  readonly location: string;
  /** The other runs of the series; empty for a tick that needed no recheck. */
  readonly earlierRuns: readonly EarlierRun[];
  readonly timings: Timings | undefined;
}

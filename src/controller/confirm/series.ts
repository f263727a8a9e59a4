import type { DueTick } from "../../tracking/due-tick.ts";
import type { TrackedCheck } from "../../tracking/tracked-check.ts";
import type { Location } from "../../domain/location.ts";
import type { Run, TimedReport } from "./run.ts";

/** The runs of one tick, in order, until they have a verdict. */
export interface RunSeries {
  readonly due: DueTick;
  readonly tracked: TrackedCheck;
  /** Live locations of the check's regions, in the order of use. */
  readonly ranking: readonly Location[];
  readonly runs: Run[];
  /** Monotonic time at which the last report with an outcome arrived. */
  heardAt: number | undefined;
  /** Reports of the series, for tracing. */
  readonly reports: TimedReport[] | undefined;
}

import type { DueTick } from "../../tracking/due-tick.ts";
import type { TrackedCheck } from "../../tracking/tracked-check.ts";
import type { Location } from "../../domain/location.ts";
import type { Run, TimedReport } from "./run.ts";

/** The runs of one tick, in order, until they have a verdict. */
export interface Series {
  readonly due: DueTick;
  readonly tracked: TrackedCheck;
  /** The live locations of the check's regions, in the order in which they are asked. */
  readonly ranking: readonly Location[];
  readonly runs: Run[];
  /** Monotonic time at which the last report with an outcome arrived. */
  heardAt: number | undefined;
  /** What they were sent by, where it is traced. */
  readonly reports: TimedReport[] | undefined;
}

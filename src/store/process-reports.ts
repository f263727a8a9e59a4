import type { OpenServiceProblem } from "../domain/service-problem.ts";

/** The latest report of a process about itself. */
export interface ProcessReport {
  readonly id: string;
  /** The name of its machine. */
  readonly host: string;
  readonly problems: readonly OpenServiceProblem[];
}

/** The state of an installation, as one of its processes sees it. */
export interface InstallationState {
  /** Reports of the other processes that are no older than 20 seconds, by id. */
  readonly others: readonly ProcessReport[];
  /** Shards whose checks do not run, because no controller owns them or their owner stopped renewing its lease. */
  readonly uncontrolledShards: readonly number[];
}

/** The reports by which the processes of an installation know of each other's problems. */
export interface ProcessReports {
  /** Stores the report of this process, and reads those of the others. Rejects if the database cannot be used. */
  readonly exchange: (own: ProcessReport) => Promise<InstallationState>;
}

import { serviceProblems, type OpenServiceProblem } from "../../domain/service-problem.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { InstallationState, ProcessReports } from "../../store/process-reports.ts";
import { keyOf } from "./problem-watch.ts";

interface Deps {
  /** Undefined if this is the only process. */
  readonly reports: ProcessReports | undefined;
  /** Names this process. */
  readonly id: string;
  /** The name of this machine. */
  readonly host: string;
  /** The open problems of this process. */
  readonly ownProblems: () => readonly OpenServiceProblem[];
  readonly log: Log;
}

/** Knows what the other processes of the installation report. */
export interface InstallationWatch {
  /** Exchanges reports with the other processes; while the database cannot be used, nothing is known of them. */
  readonly look: () => Promise<void>;
  readonly uncontrolledShards: () => readonly number[];
  /** Whether this process alerts of a shared problem in place of a controller that is gone: one process does. */
  readonly isFirst: () => boolean;
  /** The open problems of all processes, oldest first, each once: what another process alone has found names its machine. */
  readonly problems: () => readonly OpenServiceProblem[];
}

const nothing: InstallationState = { others: [], uncontrolledShards: [] };

export function createInstallationWatch({
  reports,
  id,
  host,
  ownProblems,
  log,
}: Deps): InstallationWatch {
  let state = nothing;
  return {
    async look() {
      try {
        state = (await reports?.exchange({ id, host, problems: ownProblems() })) ?? nothing;
      } catch (error) {
        state = nothing;
        log.warn("app.reports_not_exchanged", { error: messageOf(error) });
      }
    },
    uncontrolledShards: () => state.uncontrolledShards,
    isFirst: () => state.others.every((other) => id < other.id),
    problems() {
      const all = new Map(ownProblems().map((problem) => [keyOf(problem), problem]));
      for (const other of state.others)
        for (const problem of other.problems) {
          // A process of another version may have a problem that this one does not know.
          if (!Object.hasOwn(serviceProblems, problem.name)) continue;
          const known = all.get(keyOf(problem));
          const { shared } = serviceProblems[problem.name];
          if (known !== undefined && shared) continue;
          const found = shared ? problem.found : `${problem.found} (on ${other.host})`;
          all.set(keyOf(problem), {
            ...problem,
            found: known === undefined ? found : `${known.found}; ${found}`,
            since: Math.min(problem.since, known?.since ?? Infinity),
          });
        }
      return [...all.values()].toSorted((one, other) => one.since - other.since);
    },
  };
}

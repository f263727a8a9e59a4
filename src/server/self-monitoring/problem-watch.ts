import {
  serviceProblems,
  type OpenServiceProblem,
  type ServiceProblem,
} from "../../domain/service-problem.ts";
import { sleep, type Clock } from "../../kit/clock.ts";
import type { Log } from "../../kit/log.ts";

interface Deps {
  readonly examine: () => Promise<readonly ServiceProblem[]>;
  readonly clock: Clock;
  readonly log: Log;
  /** Called with each problem that opens. */
  readonly opened?: (problem: OpenServiceProblem) => void;
  /** Called with each problem that ends. */
  readonly ended?: (problem: OpenServiceProblem) => void;
}

export interface ProblemWatch {
  /** The problems of the service that last, oldest first. */
  readonly open: () => readonly OpenServiceProblem[];
  readonly run: (signal: AbortSignal) => Promise<void>;
}

const EXAMINE_INTERVAL_MS = 5000;
/** A problem is over once it was not found for this long, so that one that comes and goes is one. */
const OVER_AFTER_MS = 30_000;

interface Watched {
  readonly problem: OpenServiceProblem;
  readonly foundFrom: number;
  readonly foundLast: number;
  readonly isOpen: boolean;
}

/** Examines the service every five seconds, and keeps account of what is wrong with it. */
export function createProblemWatch({
  examine,
  clock,
  log,
  opened = () => {},
  ended = () => {},
}: Deps): ProblemWatch {
  const watched = new Map<string, Watched>();

  const look = async (): Promise<void> => {
    const found = await examine();
    const now = clock.monotonic();
    for (const problem of found) {
      const key = keyOf(problem);
      const known = watched.get(key);
      const foundFrom = known?.foundFrom ?? now;
      const since = known?.problem.since ?? clock.now();
      const isOpen =
        known?.isOpen === true || now - foundFrom >= serviceProblems[problem.name].afterMs;
      const current = { problem: { ...problem, since }, foundFrom, foundLast: now, isOpen };
      watched.set(key, current);
      if (!isOpen || known?.isOpen === true) continue;
      log.error("app.problem", { ...problem }, key);
      opened(current.problem);
    }
    for (const [key, { problem, foundLast, isOpen }] of watched) {
      const isFound = foundLast === now;
      if (isFound || (isOpen && now - foundLast < OVER_AFTER_MS)) continue;
      watched.delete(key);
      if (!isOpen) continue;
      const { name, subject, since } = problem;
      log.info("app.problem_ended", { name, subject, lastedMs: clock.now() - since });
      ended(problem);
    }
  };

  return {
    open: () => [...watched.values()].filter(({ isOpen }) => isOpen).map(({ problem }) => problem),
    async run(signal) {
      while (!signal.aborted) {
        await look();
        await sleep(clock, EXAMINE_INTERVAL_MS, signal);
      }
    },
  };
}

export function keyOf({ name, subject }: Pick<ServiceProblem, "name" | "subject">): string {
  return `${name} ${subject}`;
}

import type { LocationHandlers, Report } from "../bus/bus.ts";
import type { Clock } from "../kit/clock.ts";
import { createFairSemaphore } from "../kit/concurrency/fair-semaphore.ts";

/** Starts a few runs per turn of the event loop, so that running ones progress in between; accounts take turns, each in order. */
export interface StartLimiter {
  /** Undefined if the account's next run may start immediately, otherwise a promise to wait for. */
  readonly next: (accountId: string) => Promise<void> | undefined;
}

/** A hundred runs that begin at once delay each other by more than response times may be wrong. */
const STARTS_A_TURN = 8;
/** Interval at which waiting starts are reconsidered. */
const LOOK_INTERVAL_MS = 20;

export function createStartLimiter(
  clock: Pick<Clock, "setTimer">,
  mayBegin: (accountId: string) => boolean,
): StartLimiter {
  const starts = createFairSemaphore(clock, {
    slots: STARTS_A_TURN,
    isShared: false,
    isPerTurn: true,
    admits: mayBegin,
    recheckMs: LOOK_INTERVAL_MS,
  });
  return {
    next: (accountId) =>
      starts.waiting() === 0 && starts.tryAcquire(accountId)
        ? undefined
        : starts.acquire(/* guard: turns to begin in a probe thread = "" */ accountId),
  };
}

/** The same, with each job in its turn; a wait for that is no part of its run. */
export function limitStarts(
  { runJob, ...handlers }: LocationHandlers,
  starts: StartLimiter,
  clock: Pick<Clock, "monotonic">,
): LocationHandlers {
  return {
    ...handlers,
    runJob(job) {
      const receivedAt = clock.monotonic();
      const turn = starts.next(job.accountId);
      if (turn === undefined) return runJob(job);
      return turn.then(async () => {
        const waitedMs = clock.monotonic() - receivedAt;
        return startedLater(await runJob(job), waitedMs);
      });
    },
  };
}

function startedLater(report: Report, waitedMs: number): Report {
  if ("error" in report) return report;
  const startOffsetMs = report.startOffsetMs + waitedMs;
  return { ...report, startOffsetMs, endOffsetMs: report.endOffsetMs + waitedMs };
}

import type { LocationHandlers, Report } from "../bus/bus.ts";
import type { Clock, Timer } from "../kit/clock.ts";
import { createRoundRobinQueue } from "../kit/concurrency/round-robin-queue.ts";

/** Lets a few begin in a turn of the event loop, so that what is under way has its turn in between; accounts take turns, each in order. */
export interface StartLimiter {
  /** Undefined where the next run of the account may begin at once, and else what to wait for. */
  readonly next: (accountId: string) => Promise<void> | undefined;
}

/** A hundred runs that begin at once delay each other by more than response times may be wrong. */
const STARTS_A_TURN = 8;
/** Whether those may begin that have to wait is looked for so often. */
const LOOK_EVERY_MS = 20;

interface Waiter {
  readonly begin: () => void;
}

export function createStartLimiter(
  clock: Pick<Clock, "setTimer">,
  mayBegin: (accountId: string) => boolean,
): StartLimiter {
  const waiting = createRoundRobinQueue<Waiter>();
  let left = STARTS_A_TURN;
  let isTurnDue = false;
  let look: Timer | undefined;

  const advance = (): void => {
    while (left > 0) {
      const next = waiting.take(
        ([accountId = ""], waiter) => waiter !== undefined || mayBegin(accountId),
      );
      if (next === undefined) return;
      left -= 1;
      next.begin();
    }
  };
  const turn = (): void => {
    isTurnDue = false;
    look?.cancel();
    look = undefined;
    left = STARTS_A_TURN;
    advance();
    if (waiting.size() === 0) return;
    if (left === 0) turnLater();
    else look = clock.setTimer(turnLater, LOOK_EVERY_MS);
  };
  function turnLater(): void {
    if (!isTurnDue) setImmediate(turn);
    isTurnDue = true;
  }

  return {
    next(accountId) {
      turnLater();
      if (left > 0 && waiting.size() === 0 && mayBegin(accountId)) {
        left -= 1;
        return undefined;
      }
      return new Promise((begin) => {
        waiting.add([/* guard: turns to begin in a probe thread = "" */ accountId], { begin });
        advance();
      });
    },
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

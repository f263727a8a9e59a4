import type { LocationHandlers, Report } from "../../bus/bus.ts";
import type { Clock } from "../../kit/clock.ts";

/** Lets a few begin in a turn of the event loop, in order, so that what is under way has its turn in between. */
export interface StartLimiter {
  readonly next: () => Promise<void>;
}

/** A hundred runs that begin at once delay each other by more than response times may be wrong. */
const STARTS_A_TURN = 8;

export function createStartLimiter(): StartLimiter {
  const waiting: (() => void)[] = [];
  let first = 0;
  let left = STARTS_A_TURN;
  let isTurnDue = false;

  const turn = (): void => {
    isTurnDue = false;
    left = STARTS_A_TURN;
    for (; left > 0 && first < waiting.length; first += 1) {
      left -= 1;
      waiting[first]?.();
    }
    if (first < waiting.length) turnLater();
    else [waiting.length, first] = [0, 0];
  };
  const turnLater = (): void => {
    if (!isTurnDue) setImmediate(turn);
    isTurnDue = true;
  };

  return {
    next() {
      turnLater();
      if (left > 0 && waiting.length === 0) {
        left -= 1;
        return Promise.resolve();
      }
      return new Promise((resolve) => void waiting.push(resolve));
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
    async runJob(job) {
      const receivedAt = clock.monotonic();
      await starts.next();
      const waitedMs = clock.monotonic() - receivedAt;
      return startedLater(await runJob(job), waitedMs);
    },
  };
}

function startedLater(report: Report, waitedMs: number): Report {
  if ("error" in report) return report;
  const startOffsetMs = report.startOffsetMs + waitedMs;
  return { ...report, startOffsetMs, endOffsetMs: report.endOffsetMs + waitedMs };
}

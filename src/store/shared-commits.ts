import type { Clock } from "../kit/clock.ts";

/** Equal to the scheduler's interval between starts: at 500 results a second, 25 share a commit. */
const WAIT_MS = 50;

/**
 * Calls back all waiters together after a delay, so that results of the same period share one commit: a separate one costs as much CPU as the rest of a run,
 * and a sync of the disk. For results that only their run waits for.
 */
export function createSharedWait(clock: Pick<Clock, "setTimer">): (ready: () => void) => void {
  let waiting: (() => void)[] = [];
  const end = (): void => {
    const ended = waiting;
    waiting = [];
    for (const ready of ended) ready();
  };
  return (ready) => {
    if (waiting.push(ready) === 1) clock.setTimer(end, WAIT_MS);
  };
}

import type { Clock } from "../kit/clock.ts";

/** As often as the scheduler begins runs: at 500 results a second 25 share a commit. */
const WAIT_MS = 50;

/**
 * Calls back after a while, all that wait at once, so that results of the same stretch of time share one commit: one of its own costs
 * as much CPU as the rest of a run, and a sync of the disk. For results that nobody waits for but their run.
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

import { sleep } from "../kit/clock.ts";
import type { Clock } from "../kit/clock.ts";

/** As often as the scheduler begins runs: at 500 results a second 25 share a commit. */
const WAIT_MS = 50;

/**
 * Lets results wait, so that those of the same stretch of time share one commit: one of its own costs as much CPU as the rest of a
 * run, and a sync of the disk. For results that nobody waits for but their run.
 */
export function createSharedWait(clock: Clock): () => Promise<void> {
  let wait: Promise<void> | undefined;
  return () => {
    wait ??= sleep(clock, WAIT_MS).then(() => void (wait = undefined));
    return wait;
  };
}

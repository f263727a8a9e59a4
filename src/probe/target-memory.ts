import type { Clock } from "../kit/clock.ts";
import { createMemoryBudget, type MemoryBudget } from "../kit/concurrency/memory-budget.ts";

/** Limit for all threads together, because processing a body takes several times its size. A single account gets half. */
const MAX_BYTES = 64 * 2 ** 20;
/** Limit for all threads together; each run has received one socket read, 64 KiB. */
const MAX_WAITING = 1024;
/** Far longer than a page takes that comes as fast as it is read. */
const MAX_WAIT_MS = 2000;

/** Returns one thread's fraction of the memory, because threads do not share state. */
export function targetBytesOf(threads: number): number {
  return MAX_BYTES / threads;
}

/** The memory for what targets send to all runs of a thread. */
export function createTargetMemory(
  clock: Pick<Clock, "monotonic" | "setTimer">,
  limitBytes = MAX_BYTES,
): MemoryBudget {
  return createMemoryBudget(clock, {
    limitBytes,
    maxWaiting: (MAX_WAITING * limitBytes) / MAX_BYTES,
    maxWaitMs: MAX_WAIT_MS,
    refusal: "too much is received from targets at once",
  });
}

import type { Clock } from "../kit/clock.ts";
import { createMemoryBudget, type MemoryBudget } from "../kit/concurrency/memory-budget.ts";

/** Of all threads together: what is made of a body takes several times as much. Alone, an account has half. */
const MOST_BYTES = 64 * 2 ** 20;
/** Of all threads together; each has received what a socket reads at once, 64 KiB. */
const MOST_WAITING = 1024;
/** Far longer than a page takes that comes as fast as it is read. */
const MAX_WAIT_MS = 2000;

/** What one of so many threads has, which know nothing of each other. */
export function targetBytesOf(threads: number): number {
  return MOST_BYTES / threads;
}

/** The memory for what targets send to all runs of a thread. */
export function createTargetMemory(
  clock: Pick<Clock, "monotonic" | "setTimer">,
  mostBytes = MOST_BYTES,
): MemoryBudget {
  return createMemoryBudget(clock, {
    mostBytes,
    mostWaiting: (MOST_WAITING * mostBytes) / MOST_BYTES,
    maxWaitMs: MAX_WAIT_MS,
    refusal: "too much is received from targets at once",
  });
}

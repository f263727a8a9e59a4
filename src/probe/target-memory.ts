import type { Clock } from "../kit/clock.ts";
import { createMemoryBudget } from "../kit/fair/memory-budget.ts";
import type { MemoryBudget } from "../kit/fair/memory-budget.ts";

/** The heap of a thread is 256 MB, and what is made of a body takes several times as much. Alone, an account has half. */
const MOST_BYTES = 64 * 2 ** 20;
/** Far longer than a page takes that comes as fast as it is read. */
const MAX_WAIT_MS = 2000;

/** The memory for what targets send to all runs of a thread. */
export function createTargetMemory(
  clock: Pick<Clock, "monotonic" | "setTimer">,
  mostBytes = MOST_BYTES,
): MemoryBudget {
  return createMemoryBudget(clock, {
    mostBytes,
    maxWaitMs: MAX_WAIT_MS,
    refusal: "too much is received from targets at once",
  });
}

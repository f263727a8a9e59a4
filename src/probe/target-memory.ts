import type { Clock } from "../kit/clock.ts";
import { createSharedMemory } from "../kit/fair/shared-memory.ts";
import type { SharedMemory } from "../kit/fair/shared-memory.ts";

/** The heap of a thread is 256 MB, and what is made of a body takes several times as much. Alone, an account has half. */
const MOST_BYTES = 64 * 2 ** 20;
/** Far longer than a page takes that comes as fast as it is read. */
const MAX_WAIT_MS = 2000;

/** The memory for what targets send to all runs of a thread. */
export function createTargetMemory(
  clock: Pick<Clock, "monotonic" | "setTimer">,
  mostBytes = MOST_BYTES,
): SharedMemory {
  return createSharedMemory(clock, {
    mostBytes,
    maxWaitMs: MAX_WAIT_MS,
    refusal: "too much is received from targets at once",
  });
}

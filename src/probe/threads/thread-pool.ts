import type { Clock } from "../../kit/clock.ts";
import type { ProbeThread } from "./probe-thread.ts";
import type { ThreadSupply } from "./thread-supply.ts";

/** A fixed number of threads; one that ends is replaced. */
export interface ThreadPool {
  /** The thread for everything with that hash. */
  readonly threadFor: (hash: number) => ProbeThread;
  readonly ready: () => number;
  /** Returns the reason why nothing can be run; undefined if something can. */
  readonly trouble: () => string | undefined;
}

interface Slot {
  thread: ProbeThread;
}

/** After a thread that never became ready. */
const RESTART_AFTER_MS = 1000;
/** Time without a thread after which jobs are not run; a replacement takes less. */
const TROUBLE_AFTER_MS = 5000;

export function createThreadPool(
  threads: number,
  { take }: Pick<ThreadSupply, "take">,
  clock: Pick<Clock, "monotonic" | "setTimer">,
): ThreadPool {
  const ready = (): number => slots.filter(({ thread }) => thread.isReady()).length;
  let noneSince: number | undefined = clock.monotonic();
  const slots = Array.from({ length: threads }, () => {
    const replace = (): void => {
      slot.thread = take(owner);
    };
    const owner = {
      ready: () => void (noneSince = undefined),
      ended(wasReady: boolean) {
        if (wasReady) replace();
        else clock.setTimer(replace, RESTART_AFTER_MS);
        if (ready() === 0) noneSince ??= clock.monotonic();
      },
    };
    const slot: Slot = { thread: take(owner) };
    return slot;
  });

  return {
    threadFor(hash) {
      const slot = slots[hash % slots.length];
      if (slot === undefined) throw new RangeError("a pool has one thread or more");
      return slot.thread;
    },
    ready,
    trouble() {
      const noneForMs = clock.monotonic() - (noneSince ?? Infinity);
      return noneForMs > TROUBLE_AFTER_MS
        ? `no thread can run checks for the last ${Math.round(noneForMs / 1000)} s`
        : undefined;
    },
  };
}

import type { Store } from "../../src/store/store.ts";
import { drainEventLoop, type FakeClock } from "../time/fake-clock.ts";

/** The store, and how many writes to it are under way. */
export function countWrites(store: Store): {
  readonly store: Store;
  readonly pending: () => number;
} {
  let pending = 0;
  const counted = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    pending += 1;
    try {
      return await work();
    } finally {
      pending -= 1;
    }
  };
  return {
    store: {
      ...store,
      append: (...result) => counted(() => store.append(...result)),
      write: (unit) => counted(() => store.write(unit)),
    },
    pending: () => pending,
  };
}

const STEP_MS = 500;

/** Moves the clock on, with no time passing while the disk is at work, so that a slow one changes nothing. */
export function advanceWithDisk(
  clock: FakeClock,
  pendingWrites: () => number,
): (ms: number) => Promise<void> {
  return async (ms) => {
    const until = clock.monotonic() + ms;
    while (clock.monotonic() < until) {
      await clock.advance(Math.min(STEP_MS, until - clock.monotonic()));
      while (pendingWrites() > 0) await drainEventLoop(1);
    }
  };
}

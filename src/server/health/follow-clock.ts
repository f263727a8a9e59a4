import { messageOf } from "../../kit/errors.ts";
import type { Interruptions } from "../../kit/interruptions.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { FollowingClock } from "../../kit/time/steady-clock.ts";
import type { Store } from "../../store/store.ts";
import { shiftTimes } from "../../store/transactions/shift-times.ts";

interface Deps {
  readonly clock: FollowingClock;
  /** Store whose times follow this clock; undefined if it has its own clock. */
  readonly store: Pick<Store, "write"> | undefined;
  readonly interruptions: Pick<Interruptions, "record">;
  readonly log: Log;
  readonly meter: Meter;
  /** Called with each step. */
  readonly stepped?: (byMs: number) => void;
}

/** Follows the system's clock: a step is seen once all that waits in the store has been moved by it. */
export function followClock(
  { clock, store, interruptions, log, meter, stepped = () => {} }: Deps,
  signal: AbortSignal,
): Promise<void> {
  return clock.follow({
    async adopt(byMs, set) {
      if (store === undefined) return set();
      const now = clock.now() + byMs;
      await store.write(async (tx) => {
        await shiftTimes(tx, { byMs, now });
        // In the order of the transactions, so that no later one sees moved times at the old time.
        set();
      });
    },
    adopted({ byMs, from }) {
      // The machine may have been suspended as well.
      interruptions.record("clock", from, clock.monotonic());
      meter.count("app.clock_step", { direction: byMs > 0 ? "forward" : "back" });
      log.warn("app.clock_step", { byMs });
      stepped(byMs);
    },
    failed: (error) => log.error("app.clock_step_waits", { error: messageOf(error) }),
    signal,
  });
}

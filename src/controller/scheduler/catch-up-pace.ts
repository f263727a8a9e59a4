import type { Clock } from "../../kit/clock.ts";
import type { ActiveCheck } from "../../store/tables/checks.ts";
import { tickAfter } from "./scheduled-check.ts";

/** Spreads overdue runs at a start or takeover, because thousands of simultaneous runs could not be timed. */
export interface CatchUpPace {
  /** How long the check's run waits, in ms; it is over before the check's next tick. */
  readonly delayOf: (active: ActiveCheck, now: number) => number;
}

const MINUTE_MS = 60_000;
/** Maximum runs started at once: as many as in one turn of the scheduler. */
const AT_ONCE = 200;
/** 20,000 checks of a minute have 333 ticks a second already. */
const PER_SECOND = 500;
const MAX_DURATION_MS = 30_000;

export function createCatchUpPace(clock: Pick<Clock, "monotonic">): CatchUpPace {
  /** Earliest time at which all previous runs could have started one after the other. */
  let lastAt = -Infinity;
  return {
    delayOf(active, now) {
      const at = clock.monotonic();
      lastAt = Math.max(lastAt, at - (1000 * AT_ONCE) / PER_SECOND) + 1000 / PER_SECOND;
      const inTurnMs = Math.max(0, lastAt - at);
      // Checks with distant next ticks wait longest, so that all checks wait the same fraction of their interval.
      const intervalMs = active.check.intervalMinutes * MINUTE_MS;
      const spreadMs = Math.min(intervalMs / 2, MAX_DURATION_MS);
      const untilNextTick = (tickAfter(active, now) - now) / intervalMs;
      return Math.min(inTurnMs, spreadMs * untilNextTick);
    },
  };
}

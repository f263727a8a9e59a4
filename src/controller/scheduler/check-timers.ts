import type { Clock } from "../../kit/clock.ts";
import { createTimerWheel } from "../../kit/time/timer-wheel.ts";
import type { ActiveCheck } from "../../store/tables/checks.ts";
import { noneMissed } from "./missed-ticks.ts";
import { tickAfter, type ScheduledCheck } from "./scheduled-check.ts";

/** The scheduled checks, each with a timer for its next tick. */
export interface CheckTimers {
  readonly add: (active: ActiveCheck) => ScheduledCheck;
  readonly find: (checkNo: number) => ScheduledCheck | undefined;
  readonly remove: (checkNo: number) => ScheduledCheck | undefined;
  readonly includes: (check: ScheduledCheck) => boolean;
  readonly all: () => Iterable<ScheduledCheck>;
  readonly count: () => number;
  /** Sets the timer to the check's next tick, or to its retry where that comes before. */
  readonly arm: (check: ScheduledCheck) => void;
  /** Schedules a retry of the check after a number of ms. */
  readonly retryIn: (check: ScheduledCheck, ms: number) => void;
  /** Calls `fire` for every check whose timer is due, each once. */
  readonly advance: (fire: (check: ScheduledCheck) => void) => void;
}

export function createCheckTimers(clock: Pick<Clock, "now" | "monotonic">): CheckTimers {
  const byNumber = new Map<number, ScheduledCheck>();
  const bySlot: (ScheduledCheck | undefined)[] = [];
  const freeSlots: number[] = [];
  const wheel = createTimerWheel(clock.monotonic());
  const arm = (check: ScheduledCheck): void => {
    check.nextTick = tickAfter(check.active, Math.max(clock.now(), check.lastTick ?? 0));
    const tickAt = clock.monotonic() + check.nextTick - clock.now();
    wheel.set(check.slot, Math.min(tickAt, check.retryAt ?? Infinity));
  };

  return {
    add(active) {
      const slot = freeSlots.pop() ?? bySlot.length;
      const check: ScheduledCheck = {
        active,
        slot,
        lastTick: undefined,
        nextTick: 0,
        retryAt: undefined,
        isRetry: false,
        isCatchUp: false,
        tracked: undefined,
        running: undefined,
        unrecorded: noneMissed,
        hasMissedTicks: false,
      };
      byNumber.set(active.check.no, check);
      bySlot[slot] = check;
      return check;
    },
    find: (checkNo) => byNumber.get(checkNo),
    remove(checkNo) {
      const check = byNumber.get(checkNo);
      if (check === undefined) return undefined;
      wheel.cancel(check.slot);
      byNumber.delete(checkNo);
      bySlot[check.slot] = undefined;
      freeSlots.push(check.slot);
      return check;
    },
    includes: (check) => bySlot[check.slot] === check,
    all: () => byNumber.values(),
    count: () => byNumber.size,
    arm,
    retryIn(check, ms) {
      check.retryAt = clock.monotonic() + ms;
      arm(check);
    },
    advance(fire) {
      wheel.advance(clock.monotonic(), (slot) => {
        const check = bySlot[slot];
        if (check !== undefined) fire(check);
      });
    },
  };
}

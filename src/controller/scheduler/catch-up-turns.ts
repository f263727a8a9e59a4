import type { Clock } from "../../kit/clock.ts";
import { WHEEL_STEP_MS } from "../../kit/time/timer-wheel.ts";

/** How many runs of what was due before may begin in each turn of the scheduler: they stand behind what is due now. */
export interface CatchUpTurns {
  readonly nextTurn: () => void;
  /** Whether one may begin in this turn; counts it. */
  readonly take: () => boolean;
}

/** 1,000 a second. */
const PER_TURN = 50;
/** After a turn that took so long there is more due than can be done. */
const LATE_MS = 3 * WHEEL_STEP_MS;

export function createCatchUpTurns({ monotonic }: Pick<Clock, "monotonic">): CatchUpTurns {
  let turnAt = monotonic();
  let left = PER_TURN;
  return {
    nextTurn() {
      const now = monotonic();
      left = now - turnAt > LATE_MS ? 0 : PER_TURN;
      turnAt = now;
    },
    take() {
      if (left === 0) return false;
      left -= 1;
      return true;
    },
  };
}

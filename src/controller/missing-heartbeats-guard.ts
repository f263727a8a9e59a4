import {
  MASS_FAILURE_SHARE,
  massFailureThreshold,
  MASS_FAILURE_WINDOW_MS,
} from "../tracking/mass-failure-threshold.ts";
import type { Clock } from "../kit/clock.ts";

/**
 * Detects many checks whose heartbeats stop at the same time: the cause is then likely between them and us, such as a load balancer. Each is judged again after
 * a while.
 */
export interface MissingHeartbeatsGuard {
  /** Records an overdue check. */
  readonly note: (checkNo: number) => void;
  /** Returns the time at which to judge the check, given the number of watched checks; undefined if it can be judged now. */
  readonly heldUntil: (checkNo: number, watched: number) => number | undefined;
}

/** Equal to the hold of a location's failures. */
const HOLD_MS = 30_000;

/** `part` is the fraction of all checks watched by this process. */
export function createMissingHeartbeatsGuard(
  { monotonic }: Pick<Clock, "monotonic">,
  part: () => number,
): MissingHeartbeatsGuard {
  /** Times at which checks became overdue and until which each is held, oldest first. */
  const silent = new Map<number, number>();
  const held = new Map<number, number>();

  const forget = (times: Map<number, number>, before: number): void => {
    for (const [oldest, at] of times) {
      if (at > before) return;
      times.delete(oldest);
    }
  };

  return {
    note(checkNo) {
      forget(silent, monotonic() - MASS_FAILURE_WINDOW_MS);
      if (!silent.has(checkNo)) silent.set(checkNo, monotonic());
    },
    heldUntil(checkNo, watched) {
      const now = monotonic();
      forget(held, now - MASS_FAILURE_WINDOW_MS);
      const until = held.get(checkNo);
      if (until !== undefined) return now < until ? until : undefined;
      forget(silent, now - MASS_FAILURE_WINDOW_MS);
      if (silent.size < massFailureThreshold(part()) || silent.size <= watched * MASS_FAILURE_SHARE)
        return undefined;
      held.set(checkNo, now + HOLD_MS);
      return now + HOLD_MS;
    },
  };
}

import { MASS_SHARE, massOf, MASS_WINDOW_MS } from "../tracking/mass-bounds.ts";
import type { Clock } from "../kit/clock.ts";

/**
 * When many checks fall silent at the same time, what lies between them and us is the likelier cause, such as a balancer before the API: each
 * is judged again after a while.
 */
export interface SilenceGuard {
  /** A check is silent for too long. */
  readonly note: (checkNo: number) => void;
  /** When it is to be judged, of so many that are watched; undefined for now. */
  readonly heldUntil: (checkNo: number, watched: number) => number | undefined;
}

/** As long as the failures of a location are held. */
const HOLD_MS = 30_000;

/** Of the part of all checks that is watched here. */
export function createSilenceGuard(
  { monotonic }: Pick<Clock, "monotonic">,
  part: () => number,
): SilenceGuard {
  /** When each fell silent, and until when each is held; the longest ago first. */
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
      forget(silent, monotonic() - MASS_WINDOW_MS);
      if (!silent.has(checkNo)) silent.set(checkNo, monotonic());
    },
    heldUntil(checkNo, watched) {
      const now = monotonic();
      forget(held, now - MASS_WINDOW_MS);
      const until = held.get(checkNo);
      if (until !== undefined) return now < until ? until : undefined;
      forget(silent, now - MASS_WINDOW_MS);
      if (silent.size < massOf(part()) || silent.size <= watched * MASS_SHARE) return undefined;
      held.set(checkNo, now + HOLD_MS);
      return now + HOLD_MS;
    },
  };
}

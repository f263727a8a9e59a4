import type { Clock } from "../clock.ts";

/** Points that each key may spend a minute. */
export interface MinuteBudget {
  /** False where the key has fewer left: then it spends none. */
  readonly spend: (key: string, points: number) => boolean;
  readonly giveBack: (key: string, points: number) => void;
  /** When every key has all its points again. */
  readonly secondsLeft: () => number;
}

const WINDOW_MS = 60_000;

/**
 * Counts at once, while a body arrives and for every heartbeat, where the promise of a library would cost more than the count.
 * All keys begin anew together, so that what is kept of them is dropped whole. 0 is no limit.
 */
export function createMinuteBudget(
  perMinute: number,
  clock: Pick<Clock, "monotonic">,
): MinuteBudget {
  const spent = new Map<string, number>();
  let endsAt = -Infinity;
  const spentBy = (key: string): number => {
    const now = clock.monotonic();
    if (now >= endsAt) {
      spent.clear();
      endsAt = now + WINDOW_MS;
    }
    return spent.get(key) ?? 0;
  };
  return {
    spend(key, points) {
      if (perMinute === 0) return true;
      const after = spentBy(key) + points;
      if (after > perMinute) return false;
      spent.set(key, after);
      return true;
    },
    giveBack(key, points) {
      const before = spentBy(key);
      if (before > points) spent.set(key, before - points);
      else spent.delete(key);
    },
    secondsLeft: () => Math.max(1, Math.ceil((endsAt - clock.monotonic()) / 1000)),
  };
}

import type { Clock } from "../clock.ts";
import { createPace } from "../concurrency/pace.ts";
import { oneProcess, shareOfProcess } from "../concurrency/process-share.ts";

/** Points that each key may spend a minute. */
export interface MinuteBudget {
  /** False where the key has fewer left: then it spends none. */
  readonly spend: (key: string, points: number) => boolean;
  readonly giveBack: (key: string, points: number) => void;
  /** When every key has all its points again. */
  readonly secondsLeft: () => number;
}

const WINDOW_MS = 60_000;

/** Counts at once, while a body arrives and for every heartbeat, where the promise of a library would cost more than the count. 0 is no limit. */
export function createMinuteBudget(
  perMinute: number,
  clock: Pick<Clock, "monotonic">,
  processes = oneProcess,
): MinuteBudget {
  const spent = createPace(clock, WINDOW_MS);
  return {
    spend(key, points) {
      if (perMinute === 0) return true;
      if (spent.countOf(key) + points > shareOfProcess(perMinute, processes)) return false;
      spent.change(key, points);
      return true;
    },
    giveBack: (key, points) => spent.change(key, -points),
    secondsLeft: () => Math.max(1, Math.ceil(spent.msLeft() / 1000)),
  };
}

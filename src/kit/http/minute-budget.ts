import type { Clock } from "../clock.ts";
import { oneProcess, shareOfProcess } from "../concurrency/process-share.ts";
import { createWindowCounter } from "../concurrency/window-counter.ts";

/** Points that each key may spend a minute. */
export interface MinuteBudget {
  /** Spends points; false, without spending, if the key has too few. */
  readonly spend: (key: string, points: number) => boolean;
  readonly giveBack: (key: string, points: number) => void;
  /** Seconds until the key has all its points again, at least one. */
  readonly secondsLeft: (key: string) => number;
}

const WINDOW_MS = 60_000;

/** 0 is no limit. */
export function createMinuteBudget(
  perMinute: number,
  clock: Pick<Clock, "monotonic">,
  processes = oneProcess,
): MinuteBudget {
  const spent = createWindowCounter(clock, WINDOW_MS);
  return {
    spend: (key, points) =>
      perMinute === 0 || spent.tryAdd(key, points, shareOfProcess(perMinute, processes)),
    giveBack: (key, points) => void spent.add(key, -points),
    secondsLeft: (key) => Math.max(1, Math.ceil(spent.msLeft(key) / 1000)),
  };
}

import type { Clock } from "../clock.ts";

/** How often something may be done of each key in a span of time. */
export interface Pace {
  /** Whether it was done `most` times in the current span. */
  readonly isUsedUp: (key: string, most: number) => boolean;
  readonly use: (key: string) => void;
  /** How often it was done in the current span. */
  readonly countOf: (key: string) => number;
  readonly change: (key: string, by: number) => void;
  /** Until the current span ends, and everything that was counted in it is forgotten. */
  readonly msLeft: () => number;
}

/** Counts in spans, each of which begins with what is done first after the one before. All keys begin anew together, so that they are dropped whole. */
export function createPace({ monotonic }: Pick<Clock, "monotonic">, spanMs: number): Pace {
  const counts = new Map<string, number>();
  let endsAt = -Infinity;
  const countOf = (key: string): number => {
    const now = monotonic();
    if (now >= endsAt) {
      counts.clear();
      endsAt = now + spanMs;
    }
    return counts.get(key) ?? 0;
  };
  const change = (key: string, by: number): void => {
    const count = countOf(key) + by;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  };
  return {
    countOf,
    change,
    isUsedUp: (key, most) => countOf(key) >= most,
    use: (key) => change(key, 1),
    msLeft: () => endsAt - monotonic(),
  };
}

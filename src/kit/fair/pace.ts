import type { Clock } from "../clock.ts";

/** How often something may be done of each key in a span of time. */
export interface Pace {
  /** Whether it was done `most` times in the current span. */
  readonly isUsedUp: (key: string, most: number) => boolean;
  readonly use: (key: string) => void;
}

/** Counts in spans that follow each other: what was counted in one is forgotten in the next. */
export function createPace({ monotonic }: Pick<Clock, "monotonic">, spanMs: number): Pace {
  const counts = new Map<string, number>();
  let span = 0;
  const forgetOld = (): void => {
    const current = Math.floor(monotonic() / spanMs);
    if (current === span) return;
    span = current;
    counts.clear();
  };
  return {
    isUsedUp(key, most) {
      forgetOld();
      return (counts.get(key) ?? 0) >= most;
    },
    use(key) {
      forgetOld();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    },
  };
}

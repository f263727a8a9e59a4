import type { Clock } from "../clock.ts";

/** Counts by key in windows of one length. A key's window begins with its first count after the window before it. */
export interface WindowCounter {
  /** The key's count in its current window. */
  readonly countOf: (key: string) => number;
  /** Adds to the key's count and returns it. A negative amount takes back what was added in the same window. */
  readonly add: (key: string, amount?: number) => number;
  /** Adds unless the key's count would exceed the maximum. */
  readonly tryAdd: (key: string, amount: number, most: number) => boolean;
  /** Milliseconds until the key's count is 0 again. */
  readonly msLeft: (key: string) => number;
}

interface Window {
  count: number;
  readonly endsAt: number;
}

export function createWindowCounter(
  { monotonic }: Pick<Clock, "monotonic">,
  windowMs: number,
): WindowCounter {
  /** In the order in which they end. */
  const windows = new Map<string, Window>();

  const currentOf = (key: string, now: number): Window | undefined => {
    const window = windows.get(key);
    return window === undefined || window.endsAt <= now ? undefined : window;
  };
  const begin = (key: string, now: number): Window => {
    for (const [ended, { endsAt }] of windows) {
      if (endsAt > now) break;
      windows.delete(ended);
    }
    const window = { count: 0, endsAt: now + windowMs };
    windows.set(key, window);
    return window;
  };
  const addAt = (key: string, amount: number, now: number): number => {
    const current = currentOf(key, now);
    if (current === undefined && amount <= 0) return 0;
    const window = current ?? begin(key, now);
    window.count = Math.max(0, window.count + amount);
    return window.count;
  };
  return {
    countOf: (key) => currentOf(key, monotonic())?.count ?? 0,
    add: (key, amount = 1) => addAt(key, amount, monotonic()),
    tryAdd(key, amount, most) {
      const now = monotonic();
      if ((currentOf(key, now)?.count ?? 0) + amount > most) return false;
      addAt(key, amount, now);
      return true;
    },
    msLeft(key) {
      const now = monotonic();
      return (currentOf(key, now)?.endsAt ?? now) - now;
    },
  };
}

/** Exponential backoff of what failed at great cost: refused for a minute, then for twice as long each time, up to a bound. Times are of the monotonic clock. */
export interface Backoffs {
  /** Undefined if it is not refused now. */
  readonly of: (key: string, now: number) => Backoff | undefined;
  /** It failed again. */
  readonly add: (key: string, now: number) => void;
  readonly forget: (key: string) => void;
}

export interface Backoff {
  /** How often it has failed. */
  readonly times: number;
  readonly minutesLeft: number;
}

const MINUTE_MS = 60_000;
/** More entries mean a deliberate attack; the oldest are forgotten. */
const MAX_KEPT = 10_000;

export function createBackoffs(maxMs: number): Backoffs {
  const refused = new Map<string, { readonly times: number; readonly until: number }>();
  return {
    of(key, now) {
      // Usually the map is empty, and every run asks.
      if (refused.size === 0) return undefined;
      const { times, until } = refused.get(key) ?? NEVER;
      return until > now ? { times, minutesLeft: Math.ceil((until - now) / MINUTE_MS) } : undefined;
    },
    add(key, now) {
      const times = (refused.get(key) ?? NEVER).times + 1;
      const until = now + Math.min(MINUTE_MS * 2 ** (times - 1), maxMs);
      refused.delete(key);
      refused.set(key, { times, until });
      const [oldest] = refused.keys();
      if (oldest !== undefined && refused.size > MAX_KEPT) refused.delete(oldest);
    },
    forget: (key) => void refused.delete(key),
  };
}

const NEVER = { times: 0, until: -Infinity };

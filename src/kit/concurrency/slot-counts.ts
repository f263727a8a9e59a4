/** The key of a total, and the key of an account's part of it. */
export type SharedKeys = readonly [all: string, account: string];

/** Counts the slots that are taken under each key, for limits of which none is waited for here. */
export interface SlotCounts {
  readonly countOf: (key: string) => number;
  readonly change: (keys: readonly string[], by: number) => void;
  /** Whether `more` slots of the account exceed its fair share of `most`. */
  readonly exceedsFairShare: (keys: SharedKeys, most: number, more?: number) => boolean;
}

export function createSlotCounts(): SlotCounts {
  const counts = new Map<string, number>();
  const countOf = (key: string): number => counts.get(key) ?? 0;
  return {
    countOf,
    change(keys, by) {
      for (const key of keys) {
        const count = countOf(key) + by;
        if (count === 0) counts.delete(key);
        else counts.set(key, count);
      }
    },
    exceedsFairShare: ([all, account], most, more = 1) =>
      exceedsFairShare(countOf(account), countOf(all), most, more),
  };
}

/**
 * Whether a key that has `own` of `all` taken slots exceeds its fair share with `more` of them: it has at most as many as it leaves for all others.
 * Alone it has half, and the next key to come always finds some.
 */
export function exceedsFairShare(own: number, all: number, most: number, more = 1): boolean {
  // Evaluated for the last one, as if they were taken in sequence.
  return own + more - 1 >= most - (all + more - 1);
}

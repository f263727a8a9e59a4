/** The key of what all share, and the key of an account's part of it. */
export type SharedKeys = readonly [all: string, account: string];

/** Counts places, of each key that they are taken for. */
export interface PlaceCounts {
  readonly countOf: (key: string) => number;
  readonly change: (keys: readonly string[], by: 1 | -1) => void;
  /** Whether an account has as many as it leaves for all others: alone it has half, and whoever comes next finds some. */
  readonly isShareTaken: (keys: SharedKeys, most: number) => boolean;
}

export function createPlaceCounts(): PlaceCounts {
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
    isShareTaken: ([ofAll, ofAccount], most) => countOf(ofAccount) >= most - countOf(ofAll),
  };
}

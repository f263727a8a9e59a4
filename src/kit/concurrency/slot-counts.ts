/** The key of what all share, and the key of an account's part of it. */
export type SharedKeys = readonly [all: string, account: string];

/** Counts slots, of each key that they are taken for. */
export interface SlotCounts {
  readonly countOf: (key: string) => number;
  readonly change: (keys: readonly string[], by: number) => void;
  /**
   * Whether an account that takes so many more has more than it leaves for all others: alone it has half, and whoever comes next finds
   * some.
   */
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
    exceedsFairShare: ([ofAll, ofAccount], most, more = 1) =>
      // As if it took one after the other: this is about the last.
      countOf(ofAccount) + more - 1 >= most - (countOf(ofAll) + more - 1),
  };
}

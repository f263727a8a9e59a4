/**
 * Shares something that takes unequal time: among the keys that wait, the one that has used least goes first. A key that did not
 * wait meanwhile has nothing in hand from then.
 */
export interface LeastUsed {
  /** The key that is to go first; undefined where there is none. */
  readonly pick: (waiting: Iterable<string>) => string | undefined;
  /** Adds what a key has used. */
  readonly charge: (key: string, cost: number) => void;
}

/** So many keys are remembered. */
const MOST_KEPT = 1000;

export function createLeastUsed(): LeastUsed {
  const used = new Map<string, number>();
  /** What the key had used that went last: whoever has used less counts as having used as much. */
  let level = 0;
  const usedBy = (key: string): number => Math.max(used.get(key) ?? 0, level);
  /** Forgets the half that used least: as if those that come now had used as much. */
  const forget = (): void => {
    if (used.size <= MOST_KEPT) return;
    const costs = [...used.values()].toSorted((one, other) => one - other);
    level = Math.max(level, costs[MOST_KEPT / 2] ?? 0);
    for (const [key, cost] of used) if (cost <= level) used.delete(key);
  };
  return {
    pick(waiting) {
      let first: string | undefined;
      let least = Infinity;
      for (const key of waiting) {
        if (usedBy(key) >= least) continue;
        first = key;
        least = usedBy(key);
      }
      if (first !== undefined) level = least;
      return first;
    },
    charge(key, cost) {
      used.set(key, usedBy(key) + cost);
      forget();
    },
  };
}

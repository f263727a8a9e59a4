/**
 * Items that wait for something that takes unequal time, each under a key: the key that has used least goes first. A key that did
 * not wait meanwhile has nothing in hand from then.
 */
export interface LeastUsedQueue<Item extends object> {
  readonly add: (key: string, item: Item) => void;
  readonly remove: (key: string, item: Item) => void;
  /** Removes and returns the next item: of the key that has used least the first, or the one that `choose` picks. */
  readonly take: (choose?: (items: Iterable<Item>) => Item | undefined) => Item | undefined;
  /** Adds what a key has used. */
  readonly charge: (key: string, cost: number) => void;
  readonly size: () => number;
  readonly items: () => readonly Item[];
}

/** Keys that are remembered. */
const MAX_KEPT = 1000;

export function createLeastUsedQueue<Item extends object>(): LeastUsedQueue<Item> {
  const waiting = new Map<string, Set<Item>>();
  const used = new Map<string, number>();
  /** What the key had used that went last: a key that has used less counts as having used as much. */
  let level = 0;
  let size = 0;
  const usedBy = (key: string): number => Math.max(used.get(key) ?? 0, level);
  /** Forgets the half that used least: as if those that come now had used as much. */
  const forget = (): void => {
    if (used.size <= MAX_KEPT) return;
    const costs = [...used.values()].toSorted((one, other) => one - other);
    level = Math.max(level, costs[MAX_KEPT / 2] ?? 0);
    for (const [key, cost] of used) if (cost <= level) used.delete(key);
  };
  const nextKey = (): string | undefined => {
    let next: string | undefined;
    let least = Infinity;
    for (const key of waiting.keys()) {
      if (usedBy(key) >= least) continue;
      next = key;
      least = usedBy(key);
    }
    return next;
  };
  const remove = (key: string, item: Item): void => {
    const own = waiting.get(key);
    if (own?.delete(item) !== true) return;
    size -= 1;
    if (own.size === 0) waiting.delete(key);
  };
  return {
    add(key, item) {
      const own = waiting.get(key) ?? new Set();
      waiting.set(key, own);
      if (!own.has(item)) size += 1;
      own.add(item);
    },
    remove,
    take(choose = firstOf) {
      const key = nextKey();
      if (key === undefined) return undefined;
      level = usedBy(key);
      const item = choose(waiting.get(key) ?? []);
      if (item !== undefined) remove(key, item);
      return item;
    },
    charge(key, cost) {
      used.set(key, usedBy(key) + cost);
      forget();
    },
    size: () => size,
    items: () => [...waiting.values()].flatMap((own) => [...own]),
  };
}

function firstOf<Item>(items: Iterable<Item>): Item | undefined {
  for (const item of items) return item;
  return undefined;
}

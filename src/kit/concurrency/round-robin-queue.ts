/**
 * Items that wait, each under a path of keys. At every level the keys take turns, and the items of one path are in order: with
 * an account and a host in the path, the accounts take turns, and so do the hosts of each account.
 */
export interface RoundRobinQueue<Item extends object> {
  readonly add: (path: readonly string[], item: Item) => void;
  readonly remove: (path: readonly string[], item: Item) => void;
  /** Removes and returns the item whose turn it is. Asks whether it may be taken for each beginning of a path, and then for the item itself. */
  readonly take: (mayTake: MayTake<Item>) => Item | undefined;
  readonly size: () => number;
  /** How many wait under the path itself. */
  readonly sizeOf: (path: readonly string[]) => number;
  readonly clear: () => void;
}

type MayTake<Item> = (path: readonly string[], item: Item | undefined) => boolean;

/** Keys in the order of their turns, the next one first. Empty collections are not created, because every run may wait for a moment. */
interface Level<Item> {
  items: Set<Item> | undefined;
  levels: Map<string, Level<Item>> | undefined;
}

export function createRoundRobinQueue<Item extends object>(): RoundRobinQueue<Item> {
  let top = emptyLevel<Item>();
  let size = 0;
  return {
    add(path, item) {
      let level = top;
      for (const key of path) {
        level.levels ??= new Map();
        const next = level.levels.get(key) ?? emptyLevel<Item>();
        level.levels.set(key, next);
        level = next;
      }
      level.items ??= new Set();
      if (!level.items.has(item)) size += 1;
      level.items.add(item);
    },
    remove(path, item) {
      if (removeFrom(top, path, item)) size -= 1;
    },
    take(mayTake) {
      const item = takeFrom(top, [], mayTake);
      if (item !== undefined) size -= 1;
      return item;
    },
    size: () => size,
    sizeOf(path) {
      let level: Level<Item> | undefined = top;
      for (const key of path) level = level?.levels?.get(key);
      return level?.items?.size ?? 0;
    },
    clear() {
      top = emptyLevel();
      size = 0;
    },
  };
}

function emptyLevel<Item>(): Level<Item> {
  return { items: undefined, levels: undefined };
}

function isEmpty({ items, levels }: Level<unknown>): boolean {
  return (items?.size ?? 0) === 0 && (levels?.size ?? 0) === 0;
}

function removeFrom<Item>(
  level: Level<Item>,
  [key, ...rest]: readonly string[],
  item: Item,
): boolean {
  if (key === undefined) return level.items?.delete(item) === true;
  const next = level.levels?.get(key);
  if (next === undefined || !removeFrom(next, rest, item)) return false;
  if (isEmpty(next)) level.levels?.delete(key);
  return true;
}

function takeFrom<Item>(
  { items, levels }: Level<Item>,
  path: string[],
  mayTake: MayTake<Item>,
): Item | undefined {
  if (items !== undefined && items.size > 0) {
    const { value: first } = items.values().next();
    return first !== undefined && mayTake(path, first) && items.delete(first) ? first : undefined;
  }
  if (levels === undefined) return undefined;
  for (const key of levels.keys()) {
    const next = levels.get(key);
    if (next === undefined) continue;
    path.push(key);
    const item = mayTake(path, undefined) ? takeFrom(next, path, mayTake) : undefined;
    path.pop();
    if (item === undefined) continue;
    // Set again, so that it is the last.
    if (levels.size > 1 || isEmpty(next)) levels.delete(key);
    if (!isEmpty(next)) levels.set(key, next);
    return item;
  }
  return undefined;
}

/**
 * Items that wait, each under a path of keys: at every level the keys take turns, and the items of one path are in order. An
 * account and a host in the path, for example, let the accounts take turns, and the hosts of each account.
 */
export interface Turns<Item extends object> {
  readonly add: (path: readonly string[], item: Item) => void;
  readonly remove: (path: readonly string[], item: Item) => void;
  /** The item whose turn it is. Asks whether one may be taken: for each beginning of a path, and then for the item itself. */
  readonly take: (mayTake: MayTake<Item>) => Item | undefined;
  readonly size: () => number;
  readonly clear: () => void;
}

type MayTake<Item> = (path: readonly string[], item: Item | undefined) => boolean;

/** At each level those that had their turn longest ago are first. */
interface Level<Item> {
  readonly items: Set<Item>;
  readonly levels: Map<string, Level<Item>>;
}

export function createTurns<Item extends object>(): Turns<Item> {
  let top = emptyLevel<Item>();
  let size = 0;
  return {
    add(path, item) {
      let level = top;
      for (const key of path) {
        const next = level.levels.get(key) ?? emptyLevel<Item>();
        level.levels.set(key, next);
        level = next;
      }
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
    clear() {
      top = emptyLevel();
      size = 0;
    },
  };
}

function emptyLevel<Item>(): Level<Item> {
  return { items: new Set(), levels: new Map() };
}

function isEmpty({ items, levels }: Level<unknown>): boolean {
  return items.size === 0 && levels.size === 0;
}

function removeFrom<Item>(
  level: Level<Item>,
  [key, ...rest]: readonly string[],
  item: Item,
): boolean {
  if (key === undefined) return level.items.delete(item);
  const next = level.levels.get(key);
  if (next === undefined || !removeFrom(next, rest, item)) return false;
  if (isEmpty(next)) level.levels.delete(key);
  return true;
}

function takeFrom<Item>(
  { items, levels }: Level<Item>,
  path: readonly string[],
  mayTake: MayTake<Item>,
): Item | undefined {
  const [first] = items;
  if (first !== undefined) return mayTake(path, first) && items.delete(first) ? first : undefined;
  for (const [key, next] of levels) {
    const inner = [...path, key];
    if (!mayTake(inner, undefined)) continue;
    const item = takeFrom(next, inner, mayTake);
    if (item === undefined) continue;
    // Set anew, so that it is the last.
    levels.delete(key);
    if (!isEmpty(next)) levels.set(key, next);
    return item;
  }
  return undefined;
}

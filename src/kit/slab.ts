/** Items that come and go often, each under a number that another one has after it. */
export interface Slab<Item> {
  /** Returns the number of the item. */
  readonly add: (item: Item) => number;
  /** Removes what has that number. */
  readonly take: (slot: number) => Item | undefined;
  readonly items: () => readonly Item[];
}

/**
 * Instead of a Map or a Set, which is copied again and again while entries come and go. V8 links each copy to the next, and a copy keeps what was
 * in it: once one is in the old generation, all that follow it live until that is collected, and with them what they hold.
 */
export function createSlab<Item extends object>(): Slab<Item> {
  const items: (Item | undefined)[] = [];
  const free: number[] = [];
  return {
    add(item) {
      const slot = free.pop() ?? items.length;
      items[slot] = item;
      return slot;
    },
    take(slot) {
      const item = items[slot];
      if (item === undefined) return undefined;
      items[slot] = undefined;
      free.push(slot);
      return item;
    },
    items: () => items.filter((item) => item !== undefined),
  };
}

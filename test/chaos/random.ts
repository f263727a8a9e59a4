/** Random numbers that a seed brings back in the same order (mulberry32). */
export interface Random {
  /** From 0 up to 1, which is never reached. */
  readonly next: () => number;
  /** True with that probability. */
  readonly chance: (chance: number) => boolean;
  readonly pick: <Item>(items: readonly [Item, ...Item[]]) => Item;
  /** Independent numbers: when they are drawn must not change what the others get. */
  readonly split: () => Random;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    chance: (chance) => next() < chance,
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
    split: () => createRandom(Math.floor(next() * 2 ** 32)),
  };
}

export function shuffled<Item>(random: Random, items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

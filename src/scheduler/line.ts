export interface Limits {
  readonly atOnce: number;
  /** How many begin between two turns, so that many that are due together do not stall the loop. */
  readonly eachTurn: number;
}

/** Those that are due, in the order in which they came: so many are under way at once, the others wait. */
export interface Line<Item> {
  /** Begins the tick of the item, or lets it wait. Gives the tick that waited in its place: only the latest is run. */
  readonly enter: (item: Item, tick: number) => number | undefined;
  /** Waits no more. */
  readonly leave: (item: Item) => void;
  /** Something that was begun is over. */
  readonly ended: () => void;
  readonly turn: () => void;
  readonly clear: () => void;
}

export function createLine<Item>(
  { atOnce, eachTurn }: Limits,
  begin: (item: Item, tick: number) => void,
): Line<Item> {
  const waiting = new Map<Item, number>();
  let underWay = 0;
  let left = eachTurn;

  const advance = (): void => {
    for (const [item, tick] of waiting) {
      if (left === 0 || underWay >= atOnce) return;
      left -= 1;
      underWay += 1;
      waiting.delete(item);
      begin(item, tick);
    }
  };

  return {
    enter(item, tick) {
      const overtaken = waiting.get(item);
      waiting.set(item, tick);
      advance();
      return overtaken;
    },
    leave: (item) => void waiting.delete(item),
    ended() {
      underWay -= 1;
      advance();
    },
    turn() {
      left = eachTurn;
      advance();
    },
    clear: () => waiting.clear(),
  };
}

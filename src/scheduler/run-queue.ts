export interface RunLimits {
  readonly maxRunning: number;
  /** How many start between two turns, so that many that are due together do not stall the event loop. */
  readonly maxStartsPerTurn: number;
}

/** Items that are due, in order: a limited number runs at once, the others wait. */
export interface RunQueue<Item> {
  /** Starts the tick of the item, or lets it wait. Gives the tick that waited in its place: only the latest is run. */
  readonly add: (item: Item, tick: number) => number | undefined;
  /** Ends the item's wait. */
  readonly remove: (item: Item) => void;
  /** A run that was started is over. */
  readonly finished: () => void;
  readonly nextTurn: () => void;
  readonly clear: () => void;
}

export function createRunQueue<Item>(
  { maxRunning, maxStartsPerTurn }: RunLimits,
  begin: (item: Item, tick: number) => void,
): RunQueue<Item> {
  const waiting = new Map<Item, number>();
  let underWay = 0;
  let left = maxStartsPerTurn;

  const advance = (): void => {
    for (const [item, tick] of waiting) {
      if (left === 0 || underWay >= maxRunning) return;
      left -= 1;
      underWay += 1;
      waiting.delete(item);
      begin(item, tick);
    }
  };

  return {
    add(item, tick) {
      const overtaken = waiting.get(item);
      waiting.set(item, tick);
      advance();
      return overtaken;
    },
    remove: (item) => void waiting.delete(item),
    finished() {
      underWay -= 1;
      advance();
    },
    nextTurn() {
      left = maxStartsPerTurn;
      advance();
    },
    clear: () => waiting.clear(),
  };
}

/** Collects what goes to another thread, and sends it once in a turn of the event loop. */
export interface Outbox<Item> {
  readonly add: (item: Item) => void;
}

export function createOutbox<Item>(send: (items: readonly Item[]) => void): Outbox<Item> {
  let items: Item[] = [];
  const flush = (): void => {
    const sent = items;
    items = [];
    send(sent);
  };
  return {
    add(item) {
      if (items.push(item) === 1) setImmediate(flush);
    },
  };
}

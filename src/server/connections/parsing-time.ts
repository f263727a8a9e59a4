import type { Clock } from "../../kit/clock.ts";
import { createLeastUsed } from "../../kit/concurrency/least-used.ts";

/** Shares the time in which requests are parsed: so much in a turn of the event loop, and then who has used least goes first. */
export interface ParsingTime<Item> {
  /** Whether there is time in this turn, and nobody waits. */
  readonly isLeft: () => boolean;
  /** Counts what it takes to parse, for who pays for it where somebody waits. */
  readonly spend: (payer: string, parse: (bytes: Uint8Array) => void, bytes: Uint8Array) => void;
  /** The item will be served once, when it is its turn. */
  readonly wait: (payer: string, item: Item) => void;
  readonly leave: (payer: string, item: Item) => void;
}

/** So long is parsed in one turn of the event loop. */
const TURN_MS = 10;

export function createParsingTime<Item>(
  { monotonic }: Pick<Clock, "monotonic">,
  serve: (item: Item) => void,
): ParsingTime<Item> {
  const used = createLeastUsed();
  /** By payer, in the order in which they began to wait. */
  const waiting = new Map<string, Set<Item>>();
  let isDue = false;
  let isServing = false;
  let usedMs = 0;

  const leave = (payer: string, item: Item): void => {
    const own = waiting.get(payer);
    if (own?.delete(item) === true && own.size === 0) waiting.delete(payer);
  };
  const serveNext = (): boolean => {
    const payer = used.pick(waiting.keys());
    if (payer === undefined) return false;
    for (const item of waiting.get(payer) ?? []) {
      leave(payer, item);
      serve(item);
      break;
    }
    return true;
  };
  const serveTurn = (): void => {
    isServing = true;
    usedMs = 0;
    while (usedMs < TURN_MS && serveNext());
    isServing = false;
    isDue = false;
    usedMs = 0;
    if (waiting.size > 0) serveLater();
  };
  const serveLater = (): void => {
    if (isDue) return;
    isDue = true;
    setImmediate(serveTurn);
  };

  return {
    isLeft: () => isServing || (usedMs < TURN_MS && waiting.size === 0),
    spend(payer, parse, bytes) {
      serveLater();
      const began = monotonic();
      parse(bytes);
      const ms = monotonic() - began;
      usedMs += ms;
      if (isServing) used.charge(payer, ms);
    },
    wait(payer, item) {
      waiting.set(payer, (waiting.get(payer) ?? new Set()).add(item));
      serveLater();
    },
    leave,
  };
}

import { LRUCache } from "lru-cache";

import type { Clock } from "../clock.ts";

/**
 * Periods in which our limits kept data of a client unread or refused it: it waited for its turn, or its connection was closed for another one. Missing
 * heartbeats in such a period prove nothing. All times are on the monotonic clock.
 */
export interface ReceiveGaps {
  /** Records that data of the client waits to be read, until the returned function is called. */
  readonly waits: (client: string) => () => void;
  /** Something of the client is thrown away unread, or refused before it is known what it says. */
  readonly refused: (client: string) => void;
  /** End of the latest gap of the client: now while a noticeable wait continues. */
  readonly lastEnd: (client: string) => number;
  /** Start of the longest current wait; undefined if there is none. */
  readonly waitsSince: (client: string) => number | undefined;
}

/** Wait that a client can notice. Shorter ones are common, and restarting timers for each would hide missing heartbeats forever. */
const NOTICEABLE_DELAY_MS = 1000;
/** Maximum remembered clients with gaps. */
const MAX_KEPT = 10_000;

export function createReceiveGaps({ monotonic }: Pick<Clock, "monotonic">): ReceiveGaps {
  /** Waits by client, in order of their start. */
  const waiting = new Map<string, Set<{ readonly since: number }>>();
  /** By client. */
  const ends = new LRUCache<string, number>({ max: MAX_KEPT });

  const waitsSince = (client: string): number | undefined => {
    for (const { since } of waiting.get(client) ?? []) return since;
    return undefined;
  };
  const refused = (client: string): void => void ends.set(client, monotonic());
  return {
    waits(client) {
      const wait = { since: monotonic() };
      const own = waiting.get(client) ?? new Set();
      waiting.set(client, own.add(wait));
      return () => {
        if (!own.delete(wait)) return;
        if (own.size === 0) waiting.delete(client);
        if (monotonic() - wait.since >= NOTICEABLE_DELAY_MS) refused(client);
      };
    },
    refused,
    lastEnd(client) {
      const now = monotonic();
      return now - (waitsSince(client) ?? now) >= NOTICEABLE_DELAY_MS
        ? now
        : (ends.peek(client) ?? -Infinity);
    },
    waitsSince,
  };
}

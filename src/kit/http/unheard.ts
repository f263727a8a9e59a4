import { LRUCache } from "lru-cache";

import type { Clock } from "../clock.ts";

/**
 * When a client sent what was not read or taken, because of limits of ours: it waited for its turn, or its connection was closed for another one.
 * Silence of a client says nothing for such a time. All times are of the monotonic clock.
 */
export interface Unheard {
  /** Something of the client waits to be read, until the function is called that this gives. */
  readonly waits: (client: string) => () => void;
  /** Something of the client is thrown away unread, or refused before it is known what it says. */
  readonly refused: (client: string) => void;
  /** When the latest time ended in which the client was not heard: now while something has waited so long that it counts. */
  readonly lastEnd: (client: string) => number;
  /** Since when that waits which waits longest; undefined where nothing does. */
  readonly waitsSince: (client: string) => number | undefined;
}

/** A client can feel such a wait. Shorter ones are common, and restarting anything for each would hide a silence for ever. */
const FELT_MS = 1000;
/** So many clients are remembered that were not heard. */
const MOST_KEPT = 10_000;

export function createUnheard({ monotonic }: Pick<Clock, "monotonic">): Unheard {
  /** By client, in the order in which they began. */
  const waiting = new Map<string, Set<{ readonly since: number }>>();
  /** By client. */
  const ends = new LRUCache<string, number>({ max: MOST_KEPT });

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
        if (monotonic() - wait.since >= FELT_MS) refused(client);
      };
    },
    refused,
    lastEnd(client) {
      const now = monotonic();
      return now - (waitsSince(client) ?? now) >= FELT_MS ? now : (ends.peek(client) ?? -Infinity);
    },
    waitsSince,
  };
}

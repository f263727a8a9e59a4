import { LRUCache } from "lru-cache";

import type { Clock } from "../../kit/clock.ts";
import type { EventLoopMonitor } from "../../kit/time/event-loop-monitor.ts";

/**
 * Decides which clients may connect under overload. Refusing a connection early takes 25 µs, while reading and refusing a request takes at least 110: clients
 * with served requests go first, and some of the others are read.
 */
export interface LoadShedding {
  /** Counts a connection of the client; true if it must be closed unread. */
  readonly refuses: (client: string) => boolean;
  /** Whether there is time to answer a refused connection, which is otherwise reset. Only for recently served addresses, where someone may be honest. */
  readonly answers: (client: string) => boolean;
  /** Records that a request of the client was served. */
  readonly served: (client: string) => void;
}

interface Deps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly eventLoop: Pick<EventLoopMonitor, "stalledSince">;
}

interface Client {
  /** Connections that sent nothing, minus one per second. */
  debt: number;
  countedAt: number;
  servedAt: number;
}

/** Period examined for overload: the event loop was blocked for a tenth of a second in total. */
const LOOKED_BACK_MS = 1000;
const STALLED_MS = 100;
/** Longer than a wave of connections takes that was let in for want of pressure. */
const PRESSURE_LASTS_MS = 10_000;
const LOOK_INTERVAL_MS = 100;

/** Maximum debt of a recently served client, because a network behind one address may open that many at once. */
const MAX_DEBT = 256;
/** Maximum debt of other clients, because many senders behind one address are all new after a start. */
const MAX_STRANGER_DEBT = 128;
/** Connections beyond this debt are forgiven as soon as they end. */
const DEBT_OVER_LIMIT = 60;
/** Limit for all clients that were not served recently. */
const STRANGERS = { aSecond: 200, atOnce: 1000 };
/** Limit for all clients with too much debt: some behind their address, such as an untrusted proxy, may be honest. */
const INDEBTED = { aSecond: 200, atOnce: 200 };
/** Limit for all refused clients that get a response: a response takes about 0.1 ms, so these use 2 % of a CPU. */
const ANSWERED = { aSecond: 200, atOnce: 200 };
const SERVED_LATELY_MS = 3_600_000;
const MAX_CLIENTS = 20_000;

export function createLoadShedding({ clock, eventLoop }: Deps): LoadShedding {
  const clients = new LRUCache<string, Client>({ max: MAX_CLIENTS });
  const isUnderPressure = createPressure({ eventLoop });
  const strangers = createBucket(STRANGERS, clock);
  const indebted = createBucket(INDEBTED, clock);
  const answered = createBucket(ANSWERED, clock);

  const clientOf = (key: string, now: number): Client => {
    const known = clients.get(key) ?? { debt: 0, countedAt: now, servedAt: -Infinity };
    known.debt = Math.max(0, known.debt - (now - known.countedAt) / 1000);
    known.countedAt = now;
    clients.set(key, known);
    return known;
  };
  return {
    refuses(key) {
      const now = clock.monotonic();
      const client = clientOf(key, now);
      const isServed = now - client.servedAt < SERVED_LATELY_MS;
      const maxDebt = isServed ? MAX_DEBT : MAX_STRANGER_DEBT;
      const isIndebted = client.debt >= maxDebt;
      if (isUnderPressure(now) && !(isIndebted ? indebted.take() : isServed || strangers.take()))
        return true;
      client.debt = Math.min(client.debt + 1, maxDebt + DEBT_OVER_LIMIT);
      return false;
    },
    answers(key) {
      const { servedAt = -Infinity } = clients.get(key) ?? {};
      // guard: answers under pressure = left
      return clock.monotonic() - servedAt < SERVED_LATELY_MS && answered.take();
    },
    served(key) {
      const now = clock.monotonic();
      const client = clientOf(key, now);
      client.debt = Math.max(0, client.debt - 1);
      client.servedAt = now;
    },
  };
}

/** Fills up with time. */
function createBucket(
  { aSecond, atOnce }: { readonly aSecond: number; readonly atOnce: number },
  { monotonic }: Pick<Clock, "monotonic">,
): { readonly take: () => boolean } {
  let left = atOnce;
  let filledAt = monotonic();
  return {
    take() {
      const now = monotonic();
      left = Math.min(left + ((now - filledAt) / 1000) * aSecond, atOnce);
      filledAt = now;
      // guard: strangers under pressure
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
}

function createPressure({ eventLoop }: Pick<Deps, "eventLoop">): (now: number) => boolean {
  let lookedAt = -Infinity;
  let until = -Infinity;
  return (now) => {
    if (now - lookedAt >= LOOK_INTERVAL_MS) {
      lookedAt = now;
      if (eventLoop.stalledSince(now - LOOKED_BACK_MS) >= STALLED_MS)
        until = now + PRESSURE_LASTS_MS;
    }
    return now < until;
  };
}

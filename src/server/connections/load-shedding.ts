import { LRUCache } from "lru-cache";

import type { Clock } from "../../kit/clock.ts";
import type { EventLoopMonitor } from "../../kit/time/event-loop-monitor.ts";

/**
 * Who may connect while this process has more to do than it can. To refuse a connection before anything is made for it takes 25 µs, and to read
 * a request and refuse that 110 at least: so whoever was answered as he asked goes first, and of all others some are read.
 */
export interface LoadShedding {
  /** Counts a connection of the client; true where it is to be closed unread. */
  readonly refuses: (client: string) => boolean;
  /** Whether there is time to answer a connection that is refused; otherwise it is closed, which its client sees as a reset. Only for an address that was served lately: somebody there may be honest. */
  readonly answers: (client: string) => boolean;
  /** A request of the client was answered as it asked. */
  readonly served: (client: string) => void;
}

interface Deps {
  readonly clock: Pick<Clock, "monotonic">;
  readonly eventLoop: Pick<EventLoopMonitor, "stalledSince">;
}

interface Client {
  /** Connections that brought nothing, of which one a second is forgotten. */
  debt: number;
  countedAt: number;
  servedAt: number;
}

/** The process has more to do than it can where its event loop stood still for a tenth of a second, in pieces. */
const LOOKED_BACK_MS = 1000;
const STALLED_MS = 100;
/** Longer than a wave of connections takes that was let in for want of pressure. */
const PRESSURE_LASTS_MS = 10_000;
const LOOK_EVERY_MS = 100;

/** Of one that was served lately: a network behind one address may open as many at once. */
const MOST_DEBT = 256;
/** Of one that was not: those of many senders behind one address, all of them new after a start. */
const MOST_DEBT_OF_STRANGER = 128;
/** What goes on after that is forgiven as soon as it ends. */
const DEBT_OVER_LIMIT = 60;
/** Of all that were not served lately. */
const STRANGERS = { aSecond: 200, atOnce: 1000 };
/** Of all that have too much debt: some of those behind their address, such as a proxy that is not trusted, may be honest. */
const INDEBTED = { aSecond: 200, atOnce: 200 };
/** Of all that are refused: to answer takes about 0.1 ms, so that these cost 2 % of a processor. */
const ANSWERED = { aSecond: 200, atOnce: 200 };
const SERVED_LATELY_MS = 3_600_000;
const MOST_CLIENTS = 20_000;

export function createLoadShedding({ clock, eventLoop }: Deps): LoadShedding {
  const clients = new LRUCache<string, Client>({ max: MOST_CLIENTS });
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
      const mostDebt = isServed ? MOST_DEBT : MOST_DEBT_OF_STRANGER;
      const isIndebted = client.debt >= mostDebt;
      if (isUnderPressure(now) && !(isIndebted ? indebted.take() : isServed || strangers.take()))
        return true;
      client.debt = Math.min(client.debt + 1, mostDebt + DEBT_OVER_LIMIT);
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
    if (now - lookedAt >= LOOK_EVERY_MS) {
      lookedAt = now;
      if (eventLoop.stalledSince(now - LOOKED_BACK_MS) >= STALLED_MS)
        until = now + PRESSURE_LASTS_MS;
    }
    return now < until;
  };
}

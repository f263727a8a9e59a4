import type { Clock } from "../kit/clock.ts";
import type { Interruptions } from "../kit/interruptions.ts";

/** Whether all processes that receive heartbeats could: a heartbeat may be sent to any of them. Times are of the monotonic clock. */
export interface Hearing {
  /** When the latest time ended in which one of them could not: now while it lasts. */
  readonly lastEnd: () => number;
  /** The same, but that times which were shorter than so many ms, and are since `start` in all, do not count. One of which nobody knows how long it was does. */
  readonly lastLongEnd: (leastMs: number, start: number) => number;
  /** How long after an instant it is known whether all could hear until then. */
  readonly knownAfterMs: number;
  /** A heartbeat of the check came that is not stored: it proves that the check is alive. */
  readonly saw: (checkNo: number) => void;
  /** When such a heartbeat came last to any other process; undefined where none is known. */
  readonly lastSeen: (checkNo: number) => Promise<number | undefined>;
  /** How many processes receive heartbeats and requests now, at least one. */
  readonly live: () => number;
}

/** A time before this process in which nobody could hear. */
export interface Downtime {
  /** When this process began, by the monotonic clock. */
  readonly endedAt: number;
  readonly lastedMs: number;
}

/** How long nobody heard before now, where the last who did was alive at `aliveAt`. */
export function downtimeSince(
  clock: Pick<Clock, "now" | "monotonic">,
  aliveAt: number | undefined,
): Downtime {
  const lastedMs = aliveAt === undefined ? Infinity : clock.now() - aliveAt;
  // A clock that was set says nothing.
  return { endedAt: clock.monotonic(), lastedMs: lastedMs < 0 ? Infinity : lastedMs };
}

/** Where no other process receives heartbeats. */
export function ownHearing(
  { lastEnd, lastEndOf, lostSince }: Pick<Interruptions, "lastEnd" | "lastEndOf" | "lostSince">,
  { endedAt, lastedMs }: Downtime,
): Hearing {
  return {
    lastEnd,
    lastLongEnd(leastMs, start) {
      const long = Math.max(lastEndOf(leastMs), lastedMs >= leastMs ? endedAt : -Infinity);
      return lostSince(Math.max(long, start)) >= leastMs ? lastEnd() : long;
    },
    knownAfterMs: 0,
    saw() {},
    lastSeen: () => Promise.resolve(undefined),
    live: () => 1,
  };
}

import type { Interruptions } from "../kit/interruptions.ts";

/** Whether all processes that receive heartbeats could: a heartbeat may be sent to any of them. Times are of the monotonic clock. */
export interface Hearing {
  /** When the latest time ended in which one of them could not: now while it lasts. */
  readonly lastEnd: () => number;
  /** How long after an instant it is known whether all could hear until then. */
  readonly knownAfterMs: number;
  /** A heartbeat of the check came that is not stored: it proves that the check is alive. */
  readonly saw: (checkNo: number) => void;
  /** When such a heartbeat came last to any other process; undefined where none is known. */
  readonly lastSeen: (checkNo: number) => Promise<number | undefined>;
  /** How many processes receive heartbeats and requests now, at least one. */
  readonly live: () => number;
}

/** Where no other process receives heartbeats. */
export function ownHearing({ lastEnd }: Pick<Interruptions, "lastEnd">): Hearing {
  return {
    lastEnd,
    knownAfterMs: 0,
    saw() {},
    lastSeen: () => Promise.resolve(undefined),
    live: () => 1,
  };
}

import type { Clock } from "../kit/clock.ts";
import {
  FELT_MS,
  lengthSince,
  union,
  type Interruptions,
  type Interval,
} from "../kit/interruptions.ts";

/** Whether all processes that receive heartbeats could: a heartbeat may be sent to any of them. Times are of the monotonic clock. */
export interface Hearing {
  /** When the latest time ended in which one of them could not: now while it lasts. */
  readonly lastEnd: () => number;
  /** How long at least one of them could not since `start`, in all. Time of which nothing is known counts. */
  readonly lostSince: (start: number) => number;
  /** How long after an instant it is known whether all could hear until then. */
  readonly knownAfterMs: number;
  /** A heartbeat of the check came that is not stored: it proves that the check is alive. */
  readonly saw: (checkNo: number) => void;
  /** When such a heartbeat came last to any other process; undefined where none is known. */
  readonly lastSeen: (checkNo: number) => Promise<number | undefined>;
  /** How many processes receive heartbeats and requests now, at least one. */
  readonly live: () => number;
}

/** What the processes before this one left behind, in ms since the epoch. */
export interface EarlierReception {
  /** When the last of them was alive. */
  readonly aliveAt: number;
  /** Before that nothing is known. */
  readonly knownFrom: number;
  /** When they could not receive heartbeats, in order. */
  readonly lost: readonly Interval[];
}

/** When no heartbeat could be received before this process began, by its monotonic clock: always, where nothing is known, or the clock was set back. */
export function lostBefore(
  clock: Pick<Clock, "now" | "monotonic">,
  earlier: EarlierReception | undefined,
): readonly Interval[] {
  const [now, monotonic] = [clock.now(), clock.monotonic()];
  if (earlier === undefined || earlier.aliveAt > now) return [{ from: -Infinity, to: monotonic }];
  const { aliveAt, knownFrom, lost } = earlier;
  const at = (time: number): number => monotonic - (now - time);
  return [
    { from: -Infinity, to: at(knownFrom) },
    ...lost.map(({ from, to }) => ({ from: at(from), to: at(to) })),
    { from: at(aliveAt), to: monotonic },
  ];
}

/** As many as fit into a page of the database. */
const MOST_KEPT = 80;

/** What to leave behind for the next process. Of very many interruptions the oldest are forgotten, and what was before them is unknown. */
export function receptionToKeep(
  clock: Pick<Clock, "now" | "monotonic">,
  lost: readonly Interval[],
): EarlierReception {
  const [now, monotonic] = [clock.now(), clock.monotonic()];
  const at = (time: number): number => Math.round(now - (monotonic - time));
  const all = union(lost)
    .filter(({ from, to }) => to - from >= FELT_MS)
    .map(({ from, to }) => ({ from: at(from), to: at(to) }));
  const kept = all.slice(-MOST_KEPT);
  const [oldest] = kept;
  const isAll = oldest === undefined || (all.length === kept.length && oldest.from > 0);
  return isAll
    ? { aliveAt: now, knownFrom: 0, lost: kept }
    : { aliveAt: now, knownFrom: oldest.to, lost: kept.slice(1) };
}

/** Where no other process receives heartbeats. */
export function ownHearing(
  { lastEnd, lost }: Pick<Interruptions, "lastEnd" | "lost">,
  before: readonly Interval[],
): Hearing {
  return {
    lastEnd,
    lostSince: (start) => lengthSince(start, [...before, ...lost()]),
    knownAfterMs: 0,
    saw() {},
    lastSeen: () => Promise.resolve(undefined),
    live: () => 1,
  };
}

import type { Clock } from "../kit/clock.ts";
import {
  NOTICEABLE_DELAY_MS,
  lengthSince,
  union,
  type Interruptions,
  type Interval,
} from "../kit/interruptions.ts";

/** Whether all processes that receive heartbeats could: a heartbeat may be sent to any of them. Times are of the monotonic clock. */
export interface HeartbeatReception {
  /** End of the latest gap of one of the processes: now while a gap lasts. */
  readonly lastEnd: () => number;
  /** Total time since `start` in which at least one process could not receive heartbeats. Unknown time counts. */
  readonly lostSince: (start: number) => number;
  /** Delay after an instant until it is known whether all processes could receive until then. */
  readonly knownAfterMs: number;
  /** A heartbeat of the check came that is not stored: it proves that the check is alive. */
  readonly recordProofOfLife: (checkNo: number) => void;
  /** Returns the latest such heartbeat received by any other process; undefined if none is known. */
  readonly lastSeen: (checkNo: number) => Promise<number | undefined>;
  /** How many processes receive heartbeats and requests now, at least one. */
  readonly live: () => number;
}

/** Reception recorded by earlier processes, in ms since the epoch. */
export interface EarlierReception {
  /** Last time that one of them was alive. */
  readonly aliveAt: number;
  /** Before that nothing is known. */
  readonly knownFrom: number;
  /** Gaps in which they could not receive heartbeats, in order. */
  readonly lost: readonly Interval[];
}

/** Returns the gaps before this process started, on its monotonic clock: all time if nothing is known or the clock was set back. */
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

/** Maximum that fits in a page of the database. */
const MAX_KEPT = 80;

/** Returns the reception record for the next process. Of too many interruptions, the oldest are dropped and the time before them counts as unknown. */
export function receptionToKeep(
  clock: Pick<Clock, "now" | "monotonic">,
  lost: readonly Interval[],
): EarlierReception {
  const [now, monotonic] = [clock.now(), clock.monotonic()];
  const at = (time: number): number => Math.round(now - (monotonic - time));
  const all = union(lost)
    .filter(({ from, to }) => to - from >= NOTICEABLE_DELAY_MS)
    .map(({ from, to }) => ({ from: at(from), to: at(to) }));
  const kept = all.slice(-MAX_KEPT);
  const [oldest] = kept;
  const isAll = oldest === undefined || (all.length === kept.length && oldest.from > 0);
  return isAll
    ? { aliveAt: now, knownFrom: 0, lost: kept }
    : { aliveAt: now, knownFrom: oldest.to, lost: kept.slice(1) };
}

/** Reception of a single receiving process. */
export function ownReception(
  { lastEnd, lost }: Pick<Interruptions, "lastEnd" | "lost">,
  before: readonly Interval[],
): HeartbeatReception {
  return {
    lastEnd,
    lostSince: (start) => lengthSince(start, [...before, ...lost()]),
    knownAfterMs: 0,
    recordProofOfLife() {},
    lastSeen: () => Promise.resolve(undefined),
    live: () => 1,
  };
}

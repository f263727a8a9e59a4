import type { Clock } from "./clock.ts";

/** Reason why this process could not receive or act: it was starting, suspended, unable to commit or to accept connections, or its clock was set. */
export type InterruptionCause = "start" | "stalled" | "store" | "listener" | "clock";

/** Times in which this process could not receive or act, for which it judges nothing. All times are on the monotonic clock. */
export interface Interruptions {
  /** Starts an interruption, now or earlier, and returns the function that ends it. */
  readonly begin: (cause: InterruptionCause, from?: number) => () => void;
  /** Notes one that is over. */
  readonly record: (cause: InterruptionCause, from: number, to: number) => void;
  /** End of the latest noticeable interruption: now while one lasts, -Infinity if there was none. */
  readonly lastEnd: () => number;
  /** Number of ended interruptions that clients could notice. */
  readonly felt: () => number;
  /** Total ms since `start` in which any interruption lasted; overlaps count once. */
  readonly lostSince: (start: number) => number;
  /** Interruptions of the last day in order, merged if they overlap; a current one ends now. */
  readonly lost: () => readonly Interval[];
  /** Current interruptions with their starts. */
  readonly open: () => readonly OpenInterruption[];
  /** The one that ended last. */
  readonly lastEnded: () => EndedInterruption | undefined;
}

export interface OpenInterruption {
  readonly cause: InterruptionCause;
  readonly from: number;
}

export interface EndedInterruption extends OpenInterruption {
  readonly to: number;
}

export type Interval = Pick<EndedInterruption, "from" | "to">;

/** Clients wait that long for a connection and an answer; a step of the clock has no length, and always counts. */
export const NOTICEABLE_DELAY_MS = 1000;

/** Longer than any wait that asks for lost time, so that forgotten interruptions are not needed. */
const KEPT_MS = 24 * 3_600_000;

/** `ended` is called with each that is over. */
export function createInterruptions(
  clock: Pick<Clock, "monotonic">,
  ended: (interruption: EndedInterruption) => void = () => {},
): Interruptions {
  const open = new Set<OpenInterruption>();
  let over: readonly Interval[] = [];
  let lastEnd = -Infinity;
  let felt = 0;
  let lastEnded: EndedInterruption | undefined;

  const record = (cause: InterruptionCause, from: number, to: number): void => {
    if (cause === "clock" || to - from >= NOTICEABLE_DELAY_MS) {
      felt += 1;
      lastEnd = Math.max(lastEnd, to);
    }
    const oldest = clock.monotonic() - KEPT_MS;
    over = union([...over, { from, to }]).filter((interval) => interval.to > oldest);
    lastEnded = { cause, from, to };
    ended(lastEnded);
  };

  const lost = (): readonly Interval[] => {
    const now = clock.monotonic();
    return union([...over, ...[...open].map(({ from }) => ({ from, to: now }))]);
  };

  return {
    begin(cause, from = clock.monotonic()) {
      const interruption = { cause, from };
      open.add(interruption);
      return () => {
        if (open.delete(interruption)) record(cause, from, clock.monotonic());
      };
    },
    record,
    felt: () => felt,
    lastEnd: () => (open.size > 0 ? clock.monotonic() : lastEnd),
    lostSince: (start) => lengthSince(start, lost()),
    lost,
    open: () => [...open],
    lastEnded: () => lastEnded,
  };
}

/** How long any of the intervals lasted since `start`. */
export function lengthSince(start: number, intervals: readonly Interval[]): number {
  return union(intervals).reduce(
    (sum, { from, to }) => sum + Math.max(0, to - Math.max(from, start)),
    0,
  );
}

/** The intervals without overlaps, in order. */
export function union(intervals: readonly Interval[]): readonly Interval[] {
  const merged: Interval[] = [];
  for (const interval of intervals.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last === undefined || interval.from > last.to) merged.push(interval);
    else merged.splice(-1, 1, { from: last.from, to: Math.max(last.to, interval.to) });
  }
  return merged;
}

import type { Clock } from "./clock.ts";

/** Why this process could not receive or act: it was starting, stood still, could not commit, could not accept connections, or its clock was set. */
export type InterruptionCause = "start" | "stalled" | "store" | "listener" | "clock";

/** When this process could not receive or act: what it missed meanwhile, it does not judge. All times are of the monotonic clock. */
export interface Interruptions {
  /** Begins one, now or at an earlier instant, and gives the function that ends it. */
  readonly begin: (cause: InterruptionCause, from?: number) => () => void;
  /** Notes one that is over. */
  readonly record: (cause: InterruptionCause, from: number, to: number) => void;
  /** When the latest one ended that a client can have felt: now while one lasts, -Infinity where there was none. */
  readonly lastEnd: () => number;
  /** How many ended so far that a client can have felt. */
  readonly felt: () => number;
  /** For how many ms since `start` any one lasted; those that overlap count once. */
  readonly lostSince: (start: number) => number;
  /** Those of the last day in order, merged where they overlap; one that lasts ends now. */
  readonly lost: () => readonly Interval[];
  /** Those that last, with the instant at which they began. */
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
export const FELT_MS = 1000;

/** Longer than any wait that asks for lost time, so that what is forgotten is not asked for. */
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
    if (cause === "clock" || to - from >= FELT_MS) {
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

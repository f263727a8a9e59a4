import type { Clock } from "./clock.ts";

/** Why this process could not hear or act: it stood still, could not commit, could not accept connections, or its clock was set. */
export type InterruptionCause = "stalled" | "store" | "listener" | "clock";

/** When this process could not hear or act: what it missed meanwhile, it does not judge. All times are of the monotonic clock. */
export interface Interruptions {
  /** Begins one, now or at an earlier instant, and gives the function that ends it. */
  readonly begin: (cause: InterruptionCause, from?: number) => () => void;
  /** Notes one that is over. */
  readonly record: (cause: InterruptionCause, from: number, to: number) => void;
  /** When the latest one ended: now while one lasts, -Infinity where there was none. */
  readonly lastEnd: () => number;
  /** For how many ms since `start` any one lasted; those that overlap count once. */
  readonly lostSince: (start: number) => number;
  /** Those that last, with the instant at which they began. */
  readonly open: () => readonly OpenInterruption[];
}

export interface OpenInterruption {
  readonly cause: InterruptionCause;
  readonly from: number;
}

interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Longer than any wait that asks for lost time, so that what is forgotten is not asked for. */
const KEPT_MS = 24 * 3_600_000;

export function createInterruptions(clock: Pick<Clock, "monotonic">): Interruptions {
  const open = new Set<OpenInterruption>();
  let ended: readonly Interval[] = [];
  let latest = -Infinity;

  const record = (from: number, to: number): void => {
    latest = Math.max(latest, to);
    const oldest = clock.monotonic() - KEPT_MS;
    ended = union([...ended, { from, to }]).filter((interval) => interval.to > oldest);
  };

  return {
    begin(cause, from = clock.monotonic()) {
      const interruption = { cause, from };
      open.add(interruption);
      return () => {
        if (open.delete(interruption)) record(from, clock.monotonic());
      };
    },
    record: (_cause, from, to) => record(from, to),
    lastEnd: () => (open.size > 0 ? clock.monotonic() : latest),
    lostSince(start) {
      const now = clock.monotonic();
      const all = union([...ended, ...[...open].map(({ from }) => ({ from, to: now }))]);
      return all.reduce((sum, { from, to }) => sum + Math.max(0, to - Math.max(from, start)), 0);
    },
    open: () => [...open],
  };
}

/** Without overlaps, in order. */
function union(intervals: readonly Interval[]): readonly Interval[] {
  const merged: Interval[] = [];
  for (const interval of intervals.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last === undefined || interval.from > last.to) merged.push(interval);
    else merged.splice(-1, 1, { from: last.from, to: Math.max(last.to, interval.to) });
  }
  return merged;
}

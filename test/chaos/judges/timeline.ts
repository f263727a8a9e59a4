/** Times are of one monotonic clock, in ms. */
export interface Interval {
  readonly from: number;
  readonly to: number;
}

/** Without overlaps, in order. */
export function union(intervals: readonly Interval[]): readonly Interval[] {
  const merged: Interval[] = [];
  for (const interval of intervals.toSorted((one, other) => one.from - other.from)) {
    const last = merged.at(-1);
    if (last === undefined || interval.from > last.to) merged.push(interval);
    else merged.splice(-1, 1, { from: last.from, to: Math.max(last.to, interval.to) });
  }
  return merged;
}

export function overlaps(intervals: readonly Interval[], { from, to }: Interval): boolean {
  return intervals.some((interval) => interval.from <= to && interval.to >= from);
}

/** How long it was between two instants, without the time that was lost. */
export function livedBetween(lost: readonly Interval[], { from, to }: Interval): number {
  const gone = union(lost).reduce(
    (sum, one) => sum + Math.max(0, Math.min(one.to, to) - Math.max(one.from, from)),
    0,
  );
  return Math.max(0, to - from - gone);
}

/** The latest instant from which that long was lived until `to`. */
export function livedBefore(lost: readonly Interval[], to: number, ms: number): number {
  let end = to;
  let left = ms;
  for (const { from, to: until } of union(lost).toReversed()) {
    if (from >= end) continue;
    const free = Math.max(0, end - until);
    if (free >= left) break;
    left -= free;
    end = from;
  }
  return end - left;
}

/** A change that was requested and acknowledged, and later taken back; when it took effect in between is unknown. */
export interface Change {
  readonly what: string;
  readonly begun: Interval;
  /** Undefined where it was never taken back. */
  readonly ended?: Interval;
}

/** Returns whether one of these was in effect for sure. */
export function surelyDuring(changes: readonly Change[], at: number): boolean {
  return changes.some(({ begun, ended }) => begun.to <= at && at <= (ended?.from ?? Infinity));
}

/** Returns whether one of these may have been in effect at any instant of the interval. */
export function maybeDuring(changes: readonly Change[], { from, to }: Interval): boolean {
  return changes.some(({ begun, ended }) => begun.from <= to && from <= (ended?.to ?? Infinity));
}

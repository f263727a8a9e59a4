/** Since when heartbeats were heard, in ms. */
export interface Reception {
  /** When the last one came; -Infinity where that is not known. */
  readonly seen: number;
  /** Since when each would have been heard. */
  readonly heard: number;
  /** When the latest time ended in which none could be heard for so long at least. */
  readonly lastLongEnd: (leastMs: number) => number;
}

/** Of what comes once in a period, a time this part of it hides one at most. */
const BRIEF_PART = 0.1;

/**
 * When a heartbeat is expected that must be heard: after the last time in which none could be. Where those times were brief, it is one expectation later
 * than without them at most: else they would hide for good the silence of whatever is expected less often than they come.
 */
export function expectedHeartbeat(
  { seen, heard, lastLongEnd }: Reception,
  expectedAfter: (at: number) => number | undefined,
): number | undefined {
  const soonest = expectedAfter(heard);
  const first = heard === seen || seen === -Infinity ? undefined : expectedAfter(seen);
  const second = first && expectedAfter(first);
  if (soonest === undefined || first === undefined || second === undefined) return soonest;
  const long = lastLongEnd((second - first) * BRIEF_PART);
  const firstAfterLong = long <= seen ? first : expectedAfter(long);
  const latest = firstAfterLong && expectedAfter(firstAfterLong);
  return latest === undefined ? soonest : Math.min(soonest, latest);
}

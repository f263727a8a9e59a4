/** If this many checks, and more than this share, fail within this time, they have a common cause. */
export const MASS_FAILURE_WINDOW_MS = 60_000;
export const MASS_FAILURE_SHARE = 0.5;
const ALL_TOGETHER = 5;
/** One alone says nothing of all, however small the part is. */
const MIN = 2;

/** How many that is of the part of all checks that is seen here, 1 being all. */
export function massFailureThreshold(part: number): number {
  return Math.max(MIN, Math.ceil(ALL_TOGETHER * part));
}

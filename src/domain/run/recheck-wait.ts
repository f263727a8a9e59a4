import { rechecksOf, type Check } from "../check.ts";

/** Seconds between two rechecks where neither the check nor its account says otherwise. */
export const defaultRecheckWait = 5;
export const MAX_RECHECK_WAIT = 300;

const FIRST_WAIT_MS = 1000;
const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
/** Largest part of the interval that the waits of one series take together. */
const SHARE_OF_INTERVAL = 0.5;

interface Waiting {
  readonly check: Pick<Check, "intervalMinutes" | "rechecks">;
  /** Seconds: the check's own, or its account's. */
  readonly recheckWait: number;
}

/**
 * Milliseconds between an outcome that differs from the state and recheck number `recheck`, counted from 1. The first comes after a
 * second at most, because most blips are shorter. All waits of a series together take at most half the interval.
 */
export function recheckWaitMs({ check, recheckWait }: Waiting, recheck: number): number {
  const maxMs = recheckWait * SECOND_MS;
  const firstMs = Math.min(FIRST_WAIT_MS, maxMs);
  if (recheck <= 1) return firstMs;
  const leftMs = check.intervalMinutes * MINUTE_MS * SHARE_OF_INTERVAL - firstMs;
  return Math.min(maxMs, leftMs / Math.max(1, rechecksOf(check) - 1));
}

/** Milliseconds that the waits of a series take together where every recheck differs from the state. */
export function totalRecheckWaitMs(waiting: Waiting): number {
  const rechecks = rechecksOf(waiting.check);
  if (rechecks === 0) return 0;
  return recheckWaitMs(waiting, 1) + (rechecks - 1) * recheckWaitMs(waiting, 2);
}

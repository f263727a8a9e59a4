import type { TrackedCheck } from "../../tracking/tracked-check.ts";
import { latestTick } from "../../domain/check.ts";
import { hash32 } from "../../kit/hash.ts";
import type { ActiveCheck } from "../../store/tables/checks.ts";
import type { MissedTicks } from "./missed-ticks.ts";

const MINUTE_MS = 60_000;

/** An active check with its place in the schedule. */
export interface ScheduledCheck {
  readonly active: ActiveCheck;
  /** The number of its timer. */
  readonly slot: number;
  /** The latest tick that was started or missed. */
  lastTick: number | undefined;
  nextTick: number;
  /** Time on the monotonic clock at which the latest tick without a verdict is retried. */
  retryAt: number | undefined;
  /** Whether its latest run is a retry. */
  isRetry: boolean;
  /** Whether its latest tick was due before it was scheduled, and has not begun yet. */
  isCatchUp: boolean;
  /** Tracked state from the check's ticks. */
  tracked: TrackedCheck | undefined;
  /** Set while a run is in progress. */
  running: AbortController | undefined;
  /** Missed ticks that the store does not have yet, in order. */
  unrecorded: readonly MissedTicks[];
  /** Whether the check may show missed ticks since its latest result. */
  hasMissedTicks: boolean;
}

/** The check's own ticks between its last one and `tick`, with the last one where that did not begin. */
export function missedBefore(
  { active, lastTick, isCatchUp }: Pick<ScheduledCheck, "active" | "lastTick" | "isCatchUp">,
  tick: number,
): MissedTicks | undefined {
  if (lastTick === undefined) return undefined;
  const interval = active.check.intervalMinutes * MINUTE_MS;
  const firstTick = isCatchUp ? lastTick : tickAfter(active, lastTick);
  const ticks = Math.ceil((tick - firstTick) / interval);
  return ticks > 0
    ? { firstTick, lastTick: firstTick + (ticks - 1) * interval, ticks, reason: "not_running" }
    : undefined;
}

/** Returns the latest tick with a result or a gap; undefined if the check changed since, so that it must run immediately. */
export function recordedTick(active: ActiveCheck, now: number): number | undefined {
  const tick = Math.max(active.lastTick ?? 0, active.openGap?.lastTick ?? 0);
  const changedAt = Math.max(active.activeSince, active.check.runChangedAt);
  return tick < changedAt || isAheadOfClock(tick, now) ? undefined : tick;
}

/** A tick well ahead was run by a clock that has been set back since: waiting for it could take for ever. */
export function isAheadOfClock(tick: number, now: number): boolean {
  return tick > now + MINUTE_MS;
}

/** The first tick of the check's own phase after `at`. */
export function tickAfter(active: ActiveCheck, at: number): number {
  return latestTickOf(active, at) + active.check.intervalMinutes * MINUTE_MS;
}

/** The phase is a hash of the id: load is even over the interval, and a restart bunches nothing. */
export function latestTickOf({ check }: ActiveCheck, at: number): number {
  return latestTick(hash32(check.id), check.intervalMinutes, at);
}

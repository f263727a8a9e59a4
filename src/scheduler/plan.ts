import { latestTick } from "../domain/check.ts";
import type { ActiveCheck } from "../store/checks.ts";
import { hash32 } from "../kit/hash.ts";

const MINUTE_MS = 60_000;

/** A check on its rhythm. */
export interface Plan {
  readonly active: ActiveCheck;
  readonly slot: number;
  /** The last tick that was run, missed or given up. */
  lastTick: number | undefined;
  nextTick: number;
  /** Set while a run of it is under way. */
  running: AbortController | undefined;
}

/** Ticks that passed without a run. */
export interface MissedTicks {
  readonly firstTick: number;
  readonly lastTick: number;
  readonly ticks: number;
  readonly reason: "not_running" | "still_running";
}

/** The check's own ticks between its last one and `tick`. */
export function missedBefore(
  { active, lastTick }: Pick<Plan, "active" | "lastTick">,
  tick: number,
): MissedTicks | undefined {
  if (lastTick === undefined) return undefined;
  const interval = active.check.intervalMinutes * MINUTE_MS;
  const firstTick = tickAfter(active, lastTick);
  const ticks = Math.ceil((tick - firstTick) / interval);
  return ticks > 0
    ? { firstTick, lastTick: firstTick + (ticks - 1) * interval, ticks, reason: "not_running" }
    : undefined;
}

/** The first tick of the check's own rhythm after `at`. */
export function tickAfter(active: ActiveCheck, at: number): number {
  return latestTickOf(active, at) + active.check.intervalMinutes * MINUTE_MS;
}

/** The phase is a hash of the id: load is even over the interval, and a restart bunches nothing. */
export function latestTickOf({ check }: ActiveCheck, at: number): number {
  return latestTick(hash32(check.id), check.intervalMinutes, at);
}

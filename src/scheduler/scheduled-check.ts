import { latestTick } from "../domain/check.ts";
import type { ActiveCheck } from "../store/checks.ts";
import { hash32 } from "../kit/hash.ts";

const MINUTE_MS = 60_000;

/** A check on its rhythm. */
export interface ScheduledCheck {
  readonly active: ActiveCheck;
  readonly slot: number;
  /** The last tick that was run, missed or given up. */
  lastTick: number | undefined;
  nextTick: number;
  /** Set while a run of it is under way. */
  running: AbortController | undefined;
  /** Missed ticks that the store does not have yet, in order. */
  unrecorded: readonly MissedTicks[];
  /** The check may show missed ticks; told to the run that comes next. */
  hasMissedTicks: boolean;
}

/** Ticks that passed without a run. */
export interface MissedTicks {
  readonly firstTick: number;
  readonly lastTick: number;
  readonly ticks: number;
  readonly reason: "not_running" | "still_running" | "overloaded";
}

export function missedTick(tick: number, reason: MissedTicks["reason"]): MissedTicks {
  return { firstTick: tick, lastTick: tick, ticks: 1, reason };
}

/** Both stretches in order; neighbours of one reason become one, so that a long wait for the store stays short here. */
export function mergeMissed(
  earlier: readonly MissedTicks[],
  later: readonly MissedTicks[],
): readonly MissedTicks[] {
  const joined = [...earlier];
  for (const gap of later) {
    const last = joined.at(-1);
    if (last?.reason !== gap.reason) joined.push(gap);
    else joined.splice(-1, 1, { ...last, lastTick: gap.lastTick, ticks: last.ticks + gap.ticks });
  }
  return joined;
}

/** The check's own ticks between its last one and `tick`. */
export function missedBefore(
  { active, lastTick }: Pick<ScheduledCheck, "active" | "lastTick">,
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

/** A tick more than an interval ahead was run by a clock that has been set back since: to wait for it could take for ever. */
export function isAheadOfClock({ check }: ActiveCheck, tick: number, now: number): boolean {
  return tick > now + check.intervalMinutes * MINUTE_MS;
}

/** The first tick of the check's own rhythm after `at`. */
export function tickAfter(active: ActiveCheck, at: number): number {
  return latestTickOf(active, at) + active.check.intervalMinutes * MINUTE_MS;
}

/** The phase is a hash of the id: load is even over the interval, and a restart bunches nothing. */
export function latestTickOf({ check }: ActiveCheck, at: number): number {
  return latestTick(hash32(check.id), check.intervalMinutes, at);
}

/** Ticks that passed without a run. */
export interface MissedTicks {
  readonly firstTick: number;
  readonly lastTick: number;
  readonly ticks: number;
  readonly reason: "not_running" | "still_running" | "overloaded";
}

/** Shared by all checks without missed ticks. */
export const noneMissed: readonly MissedTicks[] = [];

export function missedTick(tick: number, reason: MissedTicks["reason"]): MissedTicks {
  return { firstTick: tick, lastTick: tick, ticks: 1, reason };
}

/** Both lists in order; neighbours of one reason become one, so that a long wait for the store stays short here. */
export function mergeMissed(
  earlier: readonly MissedTicks[],
  later: readonly MissedTicks[],
): readonly MissedTicks[] {
  const merged = [...earlier];
  for (const gap of later) {
    const last = merged.at(-1);
    if (last?.reason !== gap.reason) merged.push(gap);
    else merged.splice(-1, 1, { ...last, lastTick: gap.lastTick, ticks: last.ticks + gap.ticks });
  }
  return merged;
}

import type { Finding } from "../judges/judge-states.ts";

/** The ticks of a check that ran all the time. */
export interface TickStory {
  readonly about: string;
  readonly intervalMs: number;
  /** Its ticks lie there, and at every interval before and after. */
  readonly phaseMs: number;
  /** Ticks with a result, regardless of how many. */
  readonly results: readonly number[];
  readonly gaps: readonly TickGap[];
  /** Between these every tick is to be found. */
  readonly from: number;
  readonly to: number;
}

export interface TickGap {
  readonly kind: "missed" | "undecided";
  readonly firstTick: number;
  readonly lastTick: number;
}

export interface TickTally {
  readonly results: number;
  readonly undecided: number;
  readonly missed: number;
}

/** Whether each tick has one result, or is recorded as undecided or missed. One that was undecided may have a result after all: it is run again. */
export function judgeTicks(story: TickStory): {
  readonly tally: TickTally;
  readonly findings: readonly Finding[];
} {
  const { about, intervalMs, phaseMs, results, gaps, from, to } = story;
  const findings: Finding[] = [];
  const find = (kind: Finding["kind"], what: string): void =>
    void findings.push({ kind, about, at: Infinity, what });
  const counts = new Map<number, number>();
  for (const tick of results) counts.set(tick, (counts.get(tick) ?? 0) + 1);
  for (const [tick, count] of counts)
    if (count > 1) find("doubled", `the tick ${tick} has ${count} results`);
  const tally = { results: 0, undecided: 0, missed: 0 };
  const first = Math.ceil((from - phaseMs) / intervalMs) * intervalMs + phaseMs;
  for (let tick = first; tick <= to; tick += intervalMs) {
    const own = gaps.filter(({ firstTick, lastTick }) => firstTick <= tick && tick <= lastTick);
    const isMissed = own.some(({ kind }) => kind === "missed");
    if (counts.has(tick)) {
      tally.results += 1;
      if (isMissed)
        find("unaccounted", `the tick ${tick} has a result, and was recorded as missed`);
    } else if (own.length === 0)
      find("unaccounted", `the tick ${tick} has no result, and nothing says why`);
    else tally[isMissed ? "missed" : "undecided"] += 1;
  }
  return { tally, findings };
}

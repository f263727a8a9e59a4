import type { Receipt } from "../chaos/judges/judge-alerts.ts";
import { judgeProbed, type Truth } from "../chaos/judges/judge-states.ts";
import type { Interval } from "../chaos/judges/timeline.ts";
import type { StoredTick } from "./histories.ts";
import type { SentBeat } from "./honest.ts";

export const harms = [
  "falseState",
  "missedState",
  "missedTick",
  "lateTick",
  "lostHeartbeat",
  "refusedHeartbeat",
  "lostAlert",
  "lateAlert",
  "wrongAlert",
] as const;
/** Harm to one user from an attack on another. */
export type Harm = (typeof harms)[number];

export interface Finding {
  readonly harm: Harm;
  readonly about: string;
  readonly what: string;
}

export interface Limits {
  readonly intervalMs: number;
  /** From the first failing run to the verdict at most. */
  readonly confirmMs: number;
  readonly tickLateMs: number;
  readonly alertLateMs: number;
}

interface History {
  readonly about: string;
  readonly ticks: readonly StoredTick[];
  /** When the attack began: what was late before is not of it. */
  readonly since: number;
}

interface ProbedHistory extends History {
  /** Later ticks need not be there. */
  readonly until: number;
  readonly truths: readonly Truth[];
  readonly blurred: readonly Interval[];
}

/** A new check runs immediately, and not again if it is due this soon. */
const AT_ONCE_MS = 5000;

/** Whether each tick of a check that looks at a target ran in time, and found what was true. */
export function judgeTicks(story: ProbedHistory, limits: Limits): readonly Finding[] {
  const { about, ticks, since, until, truths, blurred } = story;
  const findings: Finding[] = [];
  let before: StoredTick | undefined;
  for (const tick of ticks) {
    const lateMs = tick.startedAt - tick.dueAt;
    if (tick.dueAt >= since && lateMs > limits.tickLateMs)
      findings.push({
        harm: "lateTick",
        about,
        what: `${tick.id} began ${Math.round(lateMs)} ms late`,
      });
    const gapMs = tick.dueAt - (before?.dueAt ?? tick.dueAt);
    const isFirstGap = before === ticks[0];
    if (gapMs > limits.intervalMs + (isFirstGap ? AT_ONCE_MS : 0))
      findings.push({ harm: "missedTick", about, what: `${gapMs} ms before ${tick.id}` });
    before = tick;
  }
  const next = (before?.dueAt ?? -Infinity) + limits.intervalMs;
  // For a target that goes down, the tick may last until confirmation.
  const runMs = truths.length > 1 ? limits.confirmMs : 0;
  if (next + limits.tickLateMs + runMs < until)
    findings.push({ harm: "missedTick", about, what: `none after ${before?.id ?? "the start"}` });
  const states = judgeProbed(
    {
      about,
      truths,
      inactive: [],
      observations: ticks.map(({ startedAt, endedAt, isUp }) => ({
        from: startedAt,
        to: endedAt,
        isUp,
      })),
      confirmMs: limits.confirmMs,
      detectMs: limits.intervalMs + limits.confirmMs,
    },
    { interruptions: [], lost: [], blurred },
  );
  for (const { kind, what } of states)
    findings.push({ harm: kind === "false" ? "falseState" : "missedState", about, what });
  return findings;
}

/** Clocks are read on both sides, to a millisecond, and one may be slewed; two heartbeats of a check are further apart. */
const SAME_MS = 1000;

/** Judges whether each heartbeat was accepted and stored, and whether no heartbeat was wrongly reported missing. */
export function judgeHeartbeats({
  about,
  ticks,
  beats,
  until,
}: Pick<ProbedHistory, "about" | "ticks" | "until"> & {
  readonly beats: readonly SentBeat[];
}): readonly Finding[] {
  const findings: Finding[] = [];
  const kept = new Set(ticks);
  const take = ({ from, isPassing }: SentBeat, to: number): boolean => {
    const found = [...kept].find(
      ({ dueAt, isUp }) => isUp === isPassing && dueAt >= from - SAME_MS && dueAt <= to + SAME_MS,
    );
    return found !== undefined && kept.delete(found);
  };
  for (const beat of beats) {
    const { status, from, to } = beat;
    if (status !== 200)
      findings.push({
        harm: "refusedHeartbeat",
        about,
        what: `${status} at ${Math.round(from)} after ${Math.round(to - from)} ms`,
      });
    else if (!take(beat, to))
      findings.push({ harm: "lostHeartbeat", about, what: `that of ${wordsOf(beat)} is not kept` });
  }
  // One that got no answer may have been taken, even later.
  for (const beat of beats) if (beat.outcome === "unknown") take(beat, Infinity);
  for (const { id, dueAt, isUp } of kept)
    // After that, no heartbeats are sent, so they are really missing.
    if (dueAt <= until)
      findings.push({ harm: "falseState", about, what: `${id} is ${isUp ? "up" : "down"}` });
  return findings;
}

function wordsOf({ from, to, isPassing }: SentBeat): string {
  return `${Math.round(from)} to ${Math.round(to)}, which ${isPassing ? "passes" : "fails"},`;
}

interface AlertHistory extends History {
  readonly receipts: readonly Receipt[];
}

/** Whether each change of state was alerted, once, within the time, and nothing else was. */
export function judgeAlerts(
  { about, ticks, since, receipts }: AlertHistory,
  { alertLateMs }: Limits,
): readonly Finding[] {
  const findings: Finding[] = [];
  const flips = ticks.filter(({ isUp }, index) => isUp !== ticks[index - 1]?.isUp);
  for (const { id, endedAt, isUp } of flips) {
    const alert = receipts.find((receipt) => receipt.result === id && receipt.isUp === isUp);
    const lateMs = Math.round((alert?.at ?? endedAt) - endedAt);
    if (alert === undefined) findings.push({ harm: "lostAlert", about, what: `no alert of ${id}` });
    else if (endedAt >= since && lateMs > alertLateMs)
      findings.push({ harm: "lateAlert", about, what: `${alert.id} took ${lateMs} ms` });
  }
  const known = new Set(flips.map(({ id }) => id));
  for (const { id, result } of receipts)
    if (!known.has(result))
      findings.push({
        harm: "wrongAlert",
        about,
        what: `${id} is of ${result}, which changed nothing`,
      });
  return findings;
}

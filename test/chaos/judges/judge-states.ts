import {
  livedBefore,
  livedBetween,
  maybeDuring,
  overlaps,
  type Change,
  type Interval,
} from "./timeline.ts";

export const verdictKinds = [
  "false",
  "missed",
  "lost",
  "forgotten",
  "doubled",
  "reordered",
  "undelivered",
  "unexpected",
  "unready",
  "unaccounted",
  "abandoned",
  "intruded",
  "unhit",
] as const;
export type VerdictKind = (typeof verdictKinds)[number];

/** Error of the program. */
export interface Finding {
  readonly kind: VerdictKind;
  readonly about: string;
  readonly at: number;
  readonly what: string;
}

/** State of a check reported by the API, at a time between the request and the response. Undefined before a first verdict. */
export interface Observation extends Interval {
  readonly isUp: boolean | undefined;
}

/** Since then the target was so. */
export interface Truth {
  readonly at: number;
  readonly isUp: boolean;
}

/** From when it was sent until it was answered, or given up. */
export interface Beat extends Interval {
  readonly isPassing: boolean;
  /** A refused one changes nothing. One without an answer may have been stored, even later. */
  readonly outcome: "stored" | "refused" | "unknown";
  /** The status of the answer, with its body unless it was stored. */
  readonly answer?: string;
}

/** Facts about the process, for every check. */
export interface Surroundings {
  /** When the process could not receive heartbeats: each interruption restarts the wait, and none of this time counts. */
  readonly interruptions: readonly Interval[];
  /** When it could not act as usual: those, others, and a while after each. */
  readonly lost: readonly Interval[];
  /** Suspensions of the test itself, in which its targets did not respond correctly. */
  readonly blurred: readonly Interval[];
  /** Instants before which the process may not know when heartbeats could be received: it was started or interrupted, or its clock was set. */
  readonly restarts?: readonly number[];
  /** Instants at which a process was killed: what it had claimed may have been sent, so an Up follows. */
  readonly kills?: readonly number[];
  /** When the receivers that answer well were away, and until they are tried again. */
  readonly away?: readonly Interval[];
  /** When a process may have sent alerts and saved nothing of it before it ended: the next knows nothing of those. */
  readonly unsaved?: readonly Interval[];
  /** How late a verdict may be after its tick, and an alert after its flip; unless it is said, as late as those of one process. */
  readonly lateMs?: number;
  readonly deliveredWithinMs?: number;
  /** Maximum delay before missing heartbeats are noticed. */
  readonly staleWithinMs?: number;
}

interface CheckStory {
  readonly about: string;
  readonly observations: readonly Observation[];
  /** When it did not run: disabled, in a maintenance, its account suspended. */
  readonly inactive: readonly Change[];
}

export interface ProbedStory extends CheckStory {
  readonly truths: readonly Truth[];
  /** From the first failing run to the verdict. */
  readonly confirmMs: number;
  /** From a change of the target to the verdict. */
  readonly detectMs: number;
}

/** Whether the state of a probed check was ever one that its target never had, or not the one that it had for long. */
export function judgeProbed(story: ProbedStory, around: Surroundings): readonly Finding[] {
  const { about, truths, observations, inactive, confirmMs, detectMs } = story;
  const { lost, blurred } = around;
  const findings: Finding[] = [];
  const said = new Set<Truth | undefined>();
  let before: Observation | undefined;
  for (const observation of observations) {
    const { isUp, from, to } = observation;
    if (before !== undefined && isUp !== undefined && isUp !== before.isUp) {
      const window = { from: livedBefore(lost, before.from, confirmMs), to };
      if (!overlaps(blurred, window) && !wasEver(truths, isUp, window))
        findings.push({
          kind: "false",
          about,
          at: to,
          what: `turned ${word(isUp)}, which the target never was since ${Math.round(window.from)}`,
        });
    }
    const window = { from: livedBefore(lost, from, detectMs), to };
    const truth = truths.findLast(({ at }) => at <= to);
    if (
      truth !== undefined &&
      truth.isUp !== isUp &&
      truth.at <= window.from &&
      !said.has(truth) &&
      !overlaps(blurred, window) &&
      !maybeDuring(inactive, window)
    ) {
      said.add(truth);
      const what = `is ${word(isUp)}, and the target is ${word(truth.isUp)} since ${Math.round(truth.at)}`;
      findings.push({ kind: "missed", about, at: to, what });
    }
    before = observation;
  }
  return findings;
}

function wasEver(truths: readonly Truth[], isUp: boolean, { from, to }: Interval): boolean {
  return truths.some(
    (truth, index) =>
      truth.isUp === isUp && truth.at <= to && (truths[index + 1]?.at ?? Infinity) >= from,
  );
}

export interface PushStory extends CheckStory {
  readonly beats: readonly Beat[];
  /** Time without heartbeats that fails the check; undefined if none does. */
  readonly staleAfterMs: number | undefined;
}

/** One that has no answer may be stored after the next one: only after two is its time over. */
const CERTAIN_AFTER = 2;
/** Maximum delay before missing heartbeats are noticed. */
const STALE_WITHIN_MS = 15_000;
const STALE_TOLERANCE_MS = 1500;
/** The interval by which the wait is longer that interruptions do not restart, and the time for a sender that tries again. */
const STALE_IN_ALL_MORE_MS = 60_000 + 30_000;

/** Judges whether a PUSH check's state always matched the last acknowledged heartbeat, or the absence of heartbeats. */
export function judgePush(story: PushStory, around: Surroundings): readonly Finding[] {
  const { about, observations, beats } = story;
  const findings: Finding[] = [];
  const said = new Set<Beat>();
  for (const observation of observations) {
    const last = lastCertain(beats, observation);
    if (last === undefined || said.has(last)) continue;
    const verdict = judgeAgainst(last, { observation, story, around });
    if (verdict === undefined) continue;
    said.add(last);
    findings.push({ about, at: observation.to, ...verdict });
  }
  return findings;
}

/** The heartbeat that determines the state; undefined where that is uncertain. */
function lastCertain(beats: readonly Beat[], { from, to }: Interval): Beat | undefined {
  const known = beats.filter((beat) => beat.from <= to && beat.outcome !== "refused");
  const certain: Beat[] = [];
  for (const beat of known.toReversed()) {
    if (beat.outcome === "unknown" || beat.to > from) return undefined;
    certain.push(beat);
    if (certain.length === CERTAIN_AFTER) break;
  }
  return certain[0];
}

function judgeAgainst(
  last: Beat,
  {
    observation: { isUp, from, to },
    story: { beats, inactive, staleAfterMs = Infinity },
    around: { interruptions, lost, restarts = [], staleWithinMs = STALE_WITHIN_MS },
  }: {
    readonly observation: Observation;
    readonly story: PushStory;
    readonly around: Surroundings;
  },
): Pick<Finding, "kind" | "what"> | undefined {
  const latest = beats.findLast((beat) => beat.from <= to) ?? last;
  const pauses = inactive.filter(({ begun }) => begun.from <= to);
  const pausedUntil = (at: number): number => {
    const before = pauses.filter(({ begun }) => begun.to < at);
    return Math.max(last.from, ...before.map(({ ended }) => Math.min(ended?.from ?? at, at)));
  };
  const knownSince = Math.max(
    latest.to,
    ...restarts.filter((at) => at <= to),
    ...pauses.map(({ ended }) => ended?.to ?? Infinity),
  );
  const surelyWaitedSince = Math.max(
    knownSince,
    ...lost.filter((one) => one.from <= to).map((one) => one.to),
  );
  const staleInAllMs = staleAfterMs + STALE_IN_ALL_MORE_MS;
  const surelyHeardMs = livedBetween(lost, { from: knownSince, to: from });
  const mayBeStaleAt = (at: number): boolean => {
    const ended = interruptions.filter((one) => one.from < at).map((one) => Math.min(one.to, at));
    const since = pausedUntil(at);
    const heardMs = livedBetween(interruptions, { from: since, to: at });
    return (
      at - Math.max(since, ...ended) >= staleAfterMs - STALE_TOLERANCE_MS ||
      heardMs >= staleInAllMs - STALE_TOLERANCE_MS
    );
  };
  // A check that was overdue before an interruption or a pause remains so.
  const mayBeStale = [
    to,
    ...interruptions.map(({ from: begin }) => begin),
    ...pauses.map(({ begun }) => begun.to),
  ].some((at) => at <= to && at > pausedUntil(at) && mayBeStaleAt(at));
  const mustBeStale =
    from - surelyWaitedSince >= staleAfterMs + staleWithinMs ||
    surelyHeardMs >= staleInAllMs + staleWithinMs;
  if (!last.isPassing && isUp === true)
    return { kind: "missed", what: `is up, and its heartbeat of ${Math.round(last.from)} failed` };
  if (!last.isPassing) return undefined;
  const age = Math.round(from - last.to);
  if (isUp === true && mustBeStale)
    return { kind: "missed", what: `is up, and its last heartbeat was ${age} ms ago` };
  if (isUp !== true && !mayBeStale) {
    const kind = staleAfterMs === Infinity ? "missed" : "false";
    return { kind, what: `is ${word(isUp)}, and its heartbeat of ${age} ms ago passed` };
  }
  return undefined;
}

function word(isUp: boolean | undefined): string {
  return isUp === undefined ? "without a verdict" : isUp ? "up" : "down";
}

import type { Episode, Fault, FaultKind, Judgement } from "./judge.ts";

/** A distribution of seconds; undefined where there is no value. */
export interface Times {
  readonly p50: number | undefined;
  readonly p95: number | undefined;
  readonly worst: number | undefined;
}

/** The grade of a monitor over some outages. */
export interface Grade {
  /** Outages whose alarm was required, and how many of them were alarmed. */
  readonly required: number;
  readonly seen: number;
  /** Outages whose alarm was allowed, and how many of them were alarmed. */
  readonly allowed: number;
  readonly allowedSeen: number;
  readonly alarm: Times;
  readonly recovery: Times;
  readonly goodReasons: number;
  readonly faults: Readonly<Record<FaultKind, number>>;
}

/** Adds up what was judged, of all scenarios or of one. */
export function grade({ episodes, faults }: Judgement, scenario?: string): Grade {
  const isMeant = (name: string): boolean => scenario === undefined || name === scenario;
  const chosen = episodes.filter(({ outage }) => isMeant(outage.scenario));
  const required = chosen.filter(({ outage }) => outage.expects === "must");
  const allowed = chosen.filter(({ outage }) => outage.expects === "may");
  const isSeen = ({ alarmSeconds }: Episode): boolean => alarmSeconds !== undefined;
  const count = (kind: FaultKind): number =>
    countOf(faults.filter((fault) => fault.kind === kind && isMeant(fault.scenario)));
  return {
    required: required.length,
    seen: required.filter(isSeen).length,
    allowed: allowed.length,
    allowedSeen: allowed.filter(isSeen).length,
    alarm: times(required.map(({ alarmSeconds }) => alarmSeconds)),
    recovery: times(required.map(({ recoverySeconds }) => recoverySeconds)),
    goodReasons: required.filter(({ hasGoodReason }) => hasGoodReason === true).length,
    faults: {
      false: count("false"),
      "false-recovery": count("false-recovery"),
      doubled: count("doubled"),
      missed: count("missed"),
      untold: count("untold"),
      "no-recovery": count("no-recovery"),
      "out-of-order": count("out-of-order"),
      "poor-reason": count("poor-reason"),
    },
  };
}

/** The same error in several channels is one fault. */
function countOf(faults: readonly Fault[]): number {
  const byTarget = Map.groupBy(faults, ({ scenario, target }) => `${scenario} ${target}`);
  return [...byTarget.values()].reduce((sum, alike) => {
    const byWay = Map.groupBy(alike, ({ way }) => way);
    return sum + Math.max(...[...byWay.values()].map(({ length }) => length));
  }, 0);
}

/** The distribution of those that are known, by nearest rank. */
export function times(values: readonly (number | undefined)[]): Times {
  const sorted = values
    .filter((value) => value !== undefined)
    .toSorted((one, other) => one - other);
  const rank = (share: number): number | undefined =>
    sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
  return { p50: rank(0.5), p95: rank(0.95), worst: sorted.at(-1) };
}

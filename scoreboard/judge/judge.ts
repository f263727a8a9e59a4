/** Outage of a target between two instants. All instants are milliseconds of one clock. */
export interface Outage {
  readonly target: string;
  /** The row of the table that it belongs to. */
  readonly scenario: string;
  readonly from: number;
  readonly to: number;
  /** Whether its alarm is required, allowed or false. */
  readonly expects: "must" | "may" | "never";
  /** Earliest possible arrival of its alarm, if a trouble delays it. */
  readonly alarmFrom?: number;
  /** Words required in the reason. */
  readonly words: readonly RegExp[];
  /** Whether the target went up and down meanwhile, so that every alarm and every recovery is true. */
  readonly isFlapping?: boolean;
}

/** Message of one alert channel of a monitor. */
export interface Alarm {
  readonly target: string;
  /** `past` is an outage from its beginning to its end, told once it was over. */
  readonly state: "down" | "up" | "past";
  readonly reason: string;
  readonly at: number;
  /** When a past outage began. */
  readonly beganAt?: number;
  readonly way: string;
}

/** A part of a run, to which false alarms are attributed. */
export interface Span {
  readonly scenario: string;
  readonly from: number;
  readonly to: number;
}

/** All that the judge is told about a run. */
export interface Truth {
  readonly outages: readonly Outage[];
  readonly spans: readonly Span[];
  /** The ways by which the monitor alerts: each of them must tell everything. */
  readonly ways: readonly string[];
  /** How long after the end of an outage an alarm still belongs to it. */
  readonly lateMs: number;
}

export type FaultKind =
  | "false"
  | "false-recovery"
  | "doubled"
  | "missed"
  | "untold"
  | "no-recovery"
  | "out-of-order"
  | "poor-reason";

/** One thing that a monitor did wrong. */
export interface Fault {
  readonly kind: FaultKind;
  readonly scenario: string;
  readonly target: string;
  readonly at: number;
  /** The one that told it, where it is about one. */
  readonly way: string | undefined;
  readonly what: string;
}

/** How one outage was reported. */
export interface Episode {
  readonly outage: Outage;
  /** From the outage, or from the end of what held the alarm up; undefined where nobody was alarmed. */
  readonly alarmSeconds: number | undefined;
  readonly recoverySeconds: number | undefined;
  readonly reason: string | undefined;
  readonly hasGoodReason: boolean | undefined;
}

export interface Judgement {
  readonly episodes: readonly Episode[];
  readonly faults: readonly Fault[];
  /** Alarms and recoveries that were judged. */
  readonly alarms: number;
}

/** Messages of one channel about one outage. */
interface Told {
  readonly outage: Outage;
  readonly downs: Alarm[];
  readonly ups: Alarm[];
}

/** Compares what a monitor told with what happened. */
export function judge(truth: Truth, alarms: readonly Alarm[]): Judgement {
  const faults: Fault[] = [];
  const told = new Map<Outage, Map<string, Told>>();
  const targets = new Set([...truth.outages, ...alarms].map(({ target }) => target));
  for (const target of targets)
    for (const way of truth.ways) {
      const outages = truth.outages.filter((outage) => outage.target === target);
      const heard = alarms
        .filter((alarm) => alarm.target === target && alarm.way === way)
        .toSorted((one, other) => one.at - other.at);
      const followed = follow(truth, outages, heard);
      faults.push(...followed.faults);
      for (const one of followed.told)
        told.set(one.outage, new Map(told.get(one.outage)).set(way, one));
    }
  const episodes = truth.outages.map((outage) => {
    const byWay = told.get(outage) ?? new Map<string, Told>();
    faults.push(...omissions(outage, truth.ways, byWay));
    return episodeOf(outage, [...byWay.values()]);
  });
  for (const { outage, hasGoodReason, reason } of episodes)
    if (hasGoodReason === false && outage.expects === "must")
      faults.push(faultOf("poor-reason", outage, outage.from, reason ?? ""));
  return { episodes, faults: alike(faults, truth.lateMs), alarms: alarms.length };
}

/** A false alarm that one way told later than another belongs to the same row. */
function alike(faults: readonly Fault[], lateMs: number): readonly Fault[] {
  const first = faults
    .filter(({ kind }) => kind === "false")
    .toSorted((one, other) => one.at - other.at);
  return faults.map((fault) => {
    const { kind, target, at, way } = fault;
    const earlier = first.find(
      (one) => one.target === target && one.way !== way && one.at <= at && one.at >= at - lateMs,
    );
    return kind === "false" && earlier ? { ...fault, scenario: earlier.scenario } : fault;
  });
}

/** Follows one way's alarms of one target. */
function follow(
  truth: Truth,
  outages: readonly Outage[],
  heard: readonly Alarm[],
): { readonly told: readonly Told[]; readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const told = new Map<Outage, Told>();
  /** Receiver's current belief: an outage, or a false one. */
  let open: Told | "none" | undefined;
  for (const alarm of heard) {
    const fault = (kind: FaultKind, scenario = scenarioAt(truth, alarm)): void =>
      void faults.push({
        kind,
        scenario,
        target: alarm.target,
        at: alarm.at,
        way: alarm.way,
        what: `${alarm.state} by ${alarm.way}: ${alarm.reason}`,
      });
    if (alarm.state === "past") {
      const outage = pastOutage(alarm, outages);
      if (outage === undefined || alarm.at > lastAlarm(outage, truth.lateMs)) {
        fault("false");
        continue;
      }
      const one = told.get(outage) ?? { outage, downs: [], ups: [] };
      told.set(outage, one);
      if (outage.expects === "never") fault("false", outage.scenario);
      else if (open === one || one.downs.some((down) => tellSame(outage, down, alarm)))
        fault("doubled", outage.scenario);
      one.downs.push(alarm);
      one.ups.push(alarm);
      if (open === one) open = undefined;
    } else if (alarm.state === "down") {
      const outage = outages.findLast(({ from }) => from <= alarm.at);
      if (outage === undefined || alarm.at > lastAlarm(outage, truth.lateMs)) {
        fault(open === "none" ? "doubled" : "false");
        open ??= "none";
        continue;
      }
      const one = told.get(outage) ?? { outage, downs: [], ups: [] };
      told.set(outage, one);
      if (outage.expects === "never") fault("false", outage.scenario);
      else if (open === one || (one.downs.length > 0 && outage.isFlapping !== true))
        fault("doubled", outage.scenario);
      one.downs.push(alarm);
      open = one;
    } else if (open === undefined) fault("out-of-order");
    else {
      if (open !== "none") {
        open.ups.push(alarm);
        const isTrue = alarm.at >= open.outage.to || open.outage.isFlapping === true;
        if (!isTrue) fault("false-recovery", open.outage.scenario);
      }
      open = undefined;
    }
  }
  return { told: [...told.values()], faults };
}

/** An alarm names the second, without what follows. */
const SECOND_MS = 1000;

/** Returns whether the second tells once more of what the first told. */
function tellSame(outage: Outage, first: Alarm, second: Alarm): boolean {
  return outage.isFlapping !== true || first.beganAt === second.beganAt;
}

/** The outage that an alarm says is over; undefined where there was none at that time, or it is not over. */
function pastOutage(
  { beganAt = -Infinity, at }: Alarm,
  outages: readonly Outage[],
): Outage | undefined {
  return outages.findLast(
    ({ from, to, isFlapping = false }) =>
      from <= beganAt + SECOND_MS && beganAt <= to && (to <= at || isFlapping),
  );
}

/** If a trouble delayed the alarm, lateness counts from its end. */
function lastAlarm({ to, alarmFrom = to }: Outage, lateMs: number): number {
  return Math.max(to, alarmFrom) + lateMs;
}

function scenarioAt({ spans, outages }: Truth, { at, target }: Alarm): string {
  const own = outages.find((outage) => outage.target === target)?.scenario ?? target;
  return spans.findLast(({ from, to }) => from <= at && at <= to)?.scenario ?? own;
}

function faultOf(kind: FaultKind, outage: Outage, at: number, what: string): Fault {
  const { scenario, target } = outage;
  return { kind, scenario, target, at, way: undefined, what };
}

/** Returns the missing messages about an outage. */
function omissions(
  outage: Outage,
  ways: readonly string[],
  byWay: ReadonlyMap<string, Told>,
): readonly Fault[] {
  const alarmed = ways.filter((way) => byWay.has(way));
  if (alarmed.length === 0)
    return outage.expects === "must" ? [faultOf("missed", outage, outage.from, "no alarm")] : [];
  const untold = ways
    .filter((way) => !byWay.has(way))
    .map((way) => ({ ...faultOf("untold", outage, outage.from, `no alarm by ${way}`), way }));
  const unrecovered = [...byWay]
    .filter(([, { downs, ups }]) => downs.length > 0 && lastOf(ups) < lastOf(downs))
    .map(([way]) => ({
      ...faultOf("no-recovery", outage, outage.to, `no recovery by ${way}`),
      way,
    }));
  return [...untold, ...unrecovered];
}

function lastOf(alarms: readonly Alarm[]): number {
  return alarms.at(-1)?.at ?? -Infinity;
}

function episodeOf(outage: Outage, told: readonly Told[]): Episode {
  const first = (alarms: readonly Alarm[]): Alarm | undefined =>
    alarms.toSorted((one, other) => one.at - other.at)[0];
  const down = first(told.flatMap(({ downs }) => downs.slice(0, 1)));
  const up = first(told.flatMap(({ ups }) => ups.filter(({ at }) => at >= outage.to).slice(0, 1)));
  const reasons = told.flatMap(({ downs }) => downs.map(({ reason }) => reason));
  const secondsAfter = (alarm: Alarm | undefined, from: number): number | undefined =>
    alarm && Math.max(0, alarm.at - from) / 1000;
  return {
    outage,
    alarmSeconds: secondsAfter(down, Math.max(outage.from, outage.alarmFrom ?? outage.from)),
    recoverySeconds: secondsAfter(up, outage.to),
    reason: down?.reason,
    hasGoodReason:
      down && outage.words.every((word) => reasons.some((reason) => word.test(reason))),
  };
}

import type { Cost } from "../cost.ts";
import { grade, type Grade } from "../judge/grades.ts";
import { judge, type Alarm, type Judgement, type Truth } from "../judge/judge.ts";
import type { Schedule } from "../monitors/monitor.ts";

/** Results of a monitor in one session. */
export interface Recorded {
  readonly name: string;
  readonly version: string;
  readonly schedule: Schedule;
  readonly truth: Truth;
  readonly alarms: readonly Alarm[];
  readonly notApplicable: ReadonlyMap<string, string>;
  readonly cost: Cost | undefined;
  readonly stoppedAlerting: string | undefined;
}

/** A monitor in the table. */
export interface MonitorResult {
  readonly name: string;
  readonly version: string;
  readonly schedule: Schedule;
  readonly configuration: readonly string[];
  readonly judgement: Judgement;
  readonly notApplicable: ReadonlyMap<string, string>;
  readonly cost: Cost | undefined;
  /** Why its rows do not count. */
  readonly stoppedAlerting: string | undefined;
}

/** A row of the table. */
export interface Row {
  readonly name: string;
  readonly breaks: string;
}

/** All that the report says. */
export interface Results {
  readonly at: string;
  readonly minutes: number;
  readonly seed: number;
  readonly schedule: Schedule;
  readonly rows: readonly Row[];
  readonly monitors: readonly MonitorResult[];
  readonly failed: readonly { readonly name: string; readonly why: string }[];
}

/** Adds up what several sessions recorded of one monitor. The cost is that of the first. */
export function resultOf(
  sessions: readonly [Recorded, ...Recorded[]],
  configuration: readonly string[],
): MonitorResult {
  const [first] = sessions;
  const judged = sessions.map(({ truth, alarms }) => judge(truth, alarms));
  return {
    name: first.name,
    version: first.version,
    schedule: first.schedule,
    configuration,
    judgement: {
      episodes: judged.flatMap(({ episodes }) => episodes),
      faults: judged.flatMap(({ faults }) => faults),
      alarms: judged.reduce((sum, { alarms }) => sum + alarms, 0),
    },
    notApplicable: new Map(sessions.flatMap(({ notApplicable }) => [...notApplicable])),
    cost: first.cost,
    stoppedAlerting: sessions.find(({ stoppedAlerting }) => stoppedAlerting !== undefined)
      ?.stoppedAlerting,
  };
}

/** How good a cell is. */
export type Tone = "good" | "poor" | "none";

export interface Cell {
  readonly text: string;
  readonly tone: Tone;
}

/** A figure of the summary, with its unit in the text of each cell. */
export interface Figure {
  readonly name: string;
  readonly cell: (result: MonitorResult) => Cell;
}

const MEGABYTE = 2 ** 20;
const seconds = (value: number | undefined): string =>
  value === undefined ? "n/a" : `${value.toFixed(value < 10 ? 1 : 0)} s`;
const plain = (text: string): Cell => ({ text, tone: "none" });
const counted = (count: number): Cell => ({
  text: String(count),
  tone: count === 0 ? "good" : "poor",
});
const share = (part: number, whole: number): Cell => ({
  text: `${part} of ${whole}`,
  tone: whole === 0 ? "none" : part === whole ? "good" : "poor",
});
const notCounted = plain("does not count");
const graded =
  (read: (grade: Grade) => Cell) =>
  ({ judgement, stoppedAlerting }: MonitorResult): Cell =>
    stoppedAlerting === undefined ? read(grade(judgement)) : notCounted;

/** The rows of the summary. */
export const figures: readonly Figure[] = [
  { name: "runs every", cell: ({ schedule }) => plain(`${schedule.intervalSeconds} s`) },
  { name: "outages seen", cell: graded(({ seen, required }) => share(seen, required)) },
  { name: "false alarms", cell: graded(({ faults }) => counted(faults.false)) },
  { name: "false recoveries", cell: graded(({ faults }) => counted(faults["false-recovery"])) },
  { name: "to the alarm, p50", cell: graded(({ alarm }) => plain(seconds(alarm.p50))) },
  { name: "to the alarm, p95", cell: graded(({ alarm }) => plain(seconds(alarm.p95))) },
  { name: "to the alarm, worst", cell: graded(({ alarm }) => plain(seconds(alarm.worst))) },
  { name: "to the recovery, p50", cell: graded(({ recovery }) => plain(seconds(recovery.p50))) },
  { name: "to the recovery, p95", cell: graded(({ recovery }) => plain(seconds(recovery.p95))) },
  { name: "told twice", cell: graded(({ faults }) => counted(faults.doubled)) },
  { name: "alarms not told by one way", cell: graded(({ faults }) => counted(faults.untold)) },
  {
    name: "recoveries not told",
    cell: graded(({ faults }) => counted(faults["no-recovery"])),
  },
  { name: "out of order", cell: graded(({ faults }) => counted(faults["out-of-order"])) },
  { name: "right reasons", cell: graded(({ goodReasons, seen }) => share(goodReasons, seen)) },
  {
    name: "alarms of short or partial trouble",
    cell: graded(({ allowed, allowedSeen }) => plain(`${allowedSeen} of ${allowed}`)),
  },
  {
    name: "CPU time",
    cell: ({ cost }) =>
      plain(cost === undefined ? "n/a" : `${cost.cpuSecondsPerMinute.toFixed(1)} s a minute`),
  },
  {
    name: "memory",
    cell: ({ cost }) =>
      plain(cost === undefined ? "n/a" : `${Math.round(cost.memoryBytes / MEGABYTE)} MB`),
  },
];

/** Returns the table cell of a monitor. */
export function cellOf(
  { name }: Row,
  { judgement, notApplicable, stoppedAlerting }: MonitorResult,
): Cell {
  if (stoppedAlerting !== undefined) return notCounted;
  if (notApplicable.has(name)) return plain("n/a");
  const { required, seen, allowed, allowedSeen, alarm, faults } = grade(judgement, name);
  const troubles = [
    [faults.false, "false"],
    [faults["false-recovery"], "false recoveries"],
    [faults.missed, "missed"],
    [faults.doubled, "told twice"],
    [faults.untold, "not told by one way"],
    [faults["no-recovery"], "recoveries not told"],
    [faults["out-of-order"], "out of order"],
    [faults["poor-reason"], "poor reason"],
  ] as const;
  const wrong = troubles.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  const measured = seen > 0 ? [seconds(alarm.worst)] : [];
  const optional = allowed > 0 ? [`${allowedSeen} of ${allowed} alarmed`] : [];
  const quiet = required === 0 && allowed === 0 && wrong.length === 0 ? ["quiet"] : [];
  return {
    text: [...measured, ...optional, ...quiet, ...wrong].join(", "),
    tone: wrong.length > 0 ? "poor" : allowed > 0 ? "none" : "good",
  };
}

const MAX_FAULT_LENGTH = 240;

/** A line for each thing that a monitor did wrong. */
export function faultLines({ judgement }: MonitorResult): readonly string[] {
  return judgement.faults.map(({ kind, scenario, target, what }) =>
    `${kind} in ${scenario}, ${target}: ${what}`.replaceAll(/\s+/g, " ").slice(0, MAX_FAULT_LENGTH),
  );
}

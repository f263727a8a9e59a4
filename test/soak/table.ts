import { haulLines } from "./intrusion.ts";
import { signInLines } from "./sign-ins.ts";
import type { Report } from "./soak.ts";

/** Columns of a report. */
const columns: readonly {
  readonly name: string;
  readonly cell: (report: Report) => string | number;
}[] = [
  { name: "seconds", cell: ({ seconds }) => seconds },
  { name: "/healthz p50, ms", cell: ({ measured }) => rounded(share(healthOf(measured), 0.5)) },
  { name: "p99", cell: ({ measured }) => rounded(share(healthOf(measured), 0.99)) },
  { name: "worst", cell: ({ measured }) => rounded(most(healthOf(measured))) },
  {
    name: "failed",
    cell: ({ measured }) => measured.health.filter(({ isWell }) => !isWell).length,
  },
  {
    name: "event loop held, ms",
    cell: ({ measured }) => rounded(most(measured.samples.map(({ lagMs }) => lagMs))),
  },
  { name: "main thread, % of a CPU", cell: ({ measured }) => busyOf(measured) },
  { name: "it waited for a CPU, %", cell: ({ measured }) => waitedOf(measured) },
  {
    name: "memory, MB",
    cell: ({ measured }) => rounded(most(measured.samples.map(({ memoryMb }) => memoryMb))),
  },
  { name: "heap of the main thread, MB", cell: (report) => atMost(report, ({ heapMb }) => heapMb) },
  { name: "reserved", cell: (report) => atMost(report, ({ heapTotalMb }) => heapTotalMb) },
  { name: "outside", cell: (report) => atMost(report, ({ externalMb }) => externalMb) },
  {
    name: "disk, MB",
    cell: ({ measured: { samples } }) =>
      rounded((samples.at(-1)?.diskMb ?? 0) - (samples[0]?.diskMb ?? 0)),
  },
  { name: "ticks", cell: (report) => ticksOf(report).length },
  { name: "latest, ms", cell: (report) => rounded(most(ticksOf(report))) },
  { name: "missed or undecided", cell: (report) => count(report, "missedTick") },
  { name: "false states", cell: (report) => count(report, "falseState", "missedState") },
  { name: "heartbeats", cell: (report) => beatsOf(report).length },
  { name: "p99, ms", cell: (report) => rounded(share(beatsOf(report), 0.99)) },
  { name: "slowest, ms", cell: (report) => rounded(most(beatsOf(report))) },
  { name: "refused or lost", cell: (report) => count(report, "refusedHeartbeat", "lostHeartbeat") },
  { name: "alerts", cell: (report) => alertsOf(report).length },
  { name: "latest alert, ms", cell: (report) => rounded(most(alertsOf(report))) },
  { name: "lost or wrong", cell: (report) => count(report, "lostAlert", "wrongAlert") },
  { name: "steps of intruders", cell: ({ hauls }) => sumOf(hauls.map(({ tried }) => tried)) },
  { name: "refused or noticed", cell: ({ hauls }) => sumOf(hauls.map(({ shown }) => shown)) },
  { name: "gained", cell: ({ hauls }) => sumOf(hauls.map(({ gained }) => gained)) },
  {
    name: "slowest sign-in, ms",
    cell: ({ signIns }) => rounded(most(signIns.map(({ ms }) => ms))),
  },
  { name: "mails to a stranger", cell: ({ strangerMails }) => strangerMails },
  { name: "CPUs used by the program", cell: (report) => cpusOf(report, "program") },
  { name: "by attackers", cell: (report) => cpusOf(report, "attackers") },
  { name: "by the honest", cell: (report) => cpusOf(report, "honest") },
  { name: "by others on this machine", cell: (report) => cpusOf(report, "others") },
  { name: "who measures stood still, ms", cell: ({ measured }) => rounded(measured.ownLagMs) },
];

export function headOfTable(): readonly string[] {
  const names = ["attack", ...columns.map(({ name }) => name), "findings"];
  return [lineOf(names), lineOf(names.map(() => "---"))];
}

export function rowOfTable(name: string, report: Report): string {
  return lineOf([
    name,
    ...columns.map(({ cell }) => String(cell(report))),
    String(report.findings.length),
  ]);
}

/** For people: how the floods were answered, what the program counted, and each kind of finding with examples. */
export function detailsOf(report: Report): readonly string[] {
  const floods = report.floods.map(
    ({ name, sent, share, answers, slowestMs, mostOpen }) =>
      `  ${name}: ${sent} sent, ${rounded(100 * share)} % of what it wanted, ${mostOpen} open at most, answers ${JSON.stringify(answers)}, slowest ${rounded(slowestMs)} ms`,
  );
  const findings = [...Map.groupBy(report.findings, ({ harm }) => harm)].map(
    ([harm, own]) =>
      `  ${harm} ${own.length}: ${own
        .slice(0, EXAMPLES)
        .map(({ about, what }) => `${about}: ${what}`)
        .join("; ")}`,
  );
  const signIns = signInLines(report.signIns);
  return [
    ...floods,
    ...signIns,
    ...haulLines(report.hauls),
    `  the program counted: ${report.measured.grown.join(", ")}`,
    ...findings,
  ];
}

const EXAMPLES = 3;

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function count({ findings }: Report, ...wanted: readonly string[]): number {
  return findings.filter(({ harm }) => wanted.includes(harm)).length;
}

function sumOf(counts: readonly Readonly<Record<string, number>>[]): number {
  return counts.flatMap((each) => Object.values(each)).reduce((sum, count) => sum + count, 0);
}

function most(values: readonly number[]): number {
  return values.reduce((largest, value) => Math.max(largest, value), 0);
}

function share(values: readonly number[], part: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * part)] ?? 0;
}

function rounded(value: number): number {
  return Math.round(value);
}

function healthOf({ health }: Report["measured"]): readonly number[] {
  return health.map(({ ms }) => ms);
}

/** How late each began. */
function ticksOf({ honest, histories, began }: Report): readonly number[] {
  return honest.checks
    .filter(({ target }) => target !== undefined)
    .flatMap(({ id }) => histories.get(id) ?? [])
    .filter(({ dueAt }) => dueAt >= began)
    .map(({ startedAt, dueAt }) => startedAt - dueAt);
}

function beatsOf({ honest }: Report): readonly number[] {
  return honest.checks.flatMap(({ beats }) => beats.map(({ from, to }) => to - from));
}

/** From the end of the run that decided to the arrival. */
function alertsOf({ honest: { checks, hooks }, histories, began }: Report): readonly number[] {
  return checks.flatMap(({ id, path }) => {
    const judged = (histories.get(id) ?? []).filter(({ endedAt }) => endedAt >= began);
    const ends = new Map(judged.map((tick) => [tick.id, tick.endedAt]));
    return hooks
      .receipts(path)
      .flatMap(({ result, at }) => (ends.has(result) ? [at - (ends.get(result) ?? at)] : []));
  });
}

function atMost({ measured }: Report, valueOf: (sample: Samples[number]) => number): number {
  return rounded(most(measured.samples.map(valueOf)));
}

function cpusOf({ measured, seconds }: Report, who: keyof Report["measured"]["cpuMs"]): string {
  return (measured.cpuMs[who] / (1000 * seconds)).toFixed(2);
}

function busyOf({ samples }: Report["measured"]): number {
  return shareOfTime(samples, ({ mainCpuMs }) => mainCpuMs);
}

function waitedOf({ samples }: Report["measured"]): number {
  return shareOfTime(samples, ({ mainWaitMs }) => mainWaitMs);
}

type Samples = Report["measured"]["samples"];

function shareOfTime(samples: Samples, valueOf: (sample: Samples[number]) => number): number {
  const lasted = (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0);
  const sum = samples.slice(1).reduce((all, sample) => all + valueOf(sample), 0);
  return lasted === 0 ? 0 : rounded((100 * sum) / lasted);
}

import { parseArgs } from "node:util";

import { restartInSandbox, isInSandbox } from "../e2e/sandbox.ts";
import { runCluster, wholeCluster } from "./cluster/cluster.ts";
import { clusterTables, table } from "./cluster/cluster-tables.ts";
import { clusterTroubleKinds, type ClusterTroubleKind } from "./cluster/cluster-troubles.ts";
import { runStorm, type Report, type Storm } from "./storm.ts";
import { neverCaused, neverCausedLine, timesOf, type Caused } from "./judges/never-caused.ts";
import { verdictKinds } from "./judges/judge-states.ts";
import { troubleKinds, type TroubleKind } from "./troubles.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "1" },
    seed: { type: "string" },
    minutes: { type: "string", default: "10" },
    plain: { type: "string", default: "90" },
    changed: { type: "string", default: "30" },
    accounts: { type: "string", default: "2" },
    settle: { type: "string", default: "20" },
    longest: { type: "string", default: "30" },
    troubles: { type: "string" },
    log: { type: "string" },
    cluster: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const usage = `npm run chaos -- [options]: a storm for each seed, which brings the same one back as far as the machine lets it.
  --seeds 1..8      these seeds, one after the other; or 3,5,9
  --minutes 10      how long each lasts; all alerts have to settle after that
  --plain 90        checks whose receivers misbehave, and which nobody changes
  --changed 30      checks of each account that is changed by the API meanwhile
  --accounts 2      how many of those accounts
  --settle 20       minutes in which every alert has to end afterwards; a retry waits for up to a quarter of an hour
  --longest 30      seconds of the longest trouble
  --troubles ${troubleKinds.join()}
  --log FILE        keeps what the processes logged
  --cluster         real processes on machines of their own instead of one process: as root
It ends with 1 where anything was wrong, and says what.
`;

/** Four minutes each, because heartbeats cannot be absent for long enough during the trouble. */
const STORMY_SECONDS = 130;
const CALM_SECONDS = 110;

if (values.help) process.stdout.write(usage);
else if (values.cluster && process.getuid?.() !== 0) {
  process.stderr.write("--cluster needs root, for networks whose links are cut\n");
  process.exitCode = 1;
} else if (isInSandbox) process.exitCode = await (values.cluster ? runClusters() : runAll());
else process.exitCode = await restartInSandbox([import.meta.filename, ...process.argv.slice(2)]);

async function runAll(): Promise<number> {
  const columns = [
    "flips",
    "beats",
    "refusedBeats",
    "delivered",
    "duplicates",
    "cancelled",
    "failed",
    "reminders",
    "acknowledgements",
    "troubles",
    "seconds",
  ] as const;
  const write = (cells: readonly (string | number)[]): void =>
    void process.stdout.write(`| ${cells.join(" | ")} |\n`);
  write(["seed", ...columns, ...verdictKinds]);
  write(["seed", ...columns, ...verdictKinds].map(() => "---"));
  const reports: Report[] = [];
  for (const seed of seedsOf(values.seed ?? values.seeds)) {
    const report = await runStorm(stormOf(seed));
    reports.push(report);
    write([
      seed,
      ...columns.map((name) => report[name]),
      ...verdictKinds.map((kind) => report.findings.get(kind) ?? 0),
    ]);
    for (const history of report.histories) process.stderr.write(`seed ${seed}, ${history}\n`);
  }
  const sum = (valueOf: (report: Report) => number): number =>
    reports.reduce((all, report) => all + valueOf(report), 0);
  write([
    "sum",
    ...columns.map((name) => sum((report) => report[name])),
    ...verdictKinds.map((kind) => sum(({ findings }) => findings.get(kind) ?? 0)),
  ]);
  const caused = reports.flatMap((report) => report.caused);
  const head = ["trouble", "times", "met what it aims at"];
  process.stdout.write(`\n${table([head, ...timesOf(caused)])}\n`);
  process.stdout.write(`${neverCausedLine(neverCaused(troubleKinds, caused))}\n`);
  return reports.some(({ histories }) => histories.length > 0) ? 1 : 0;
}

async function runClusters(): Promise<number> {
  const kinds = (values.troubles?.split(",") ?? clusterTroubleKinds).map((name) => [
    clusterTroubleOf(name),
  ]);
  let wrong = 0;
  const caused: Caused<ClusterTroubleKind>[] = [];
  for (const seed of seedsOf(values.seed ?? values.seeds)) {
    const report = await runCluster({
      ...wholeCluster,
      seed,
      kinds,
      seconds: 60 * Number(values.minutes),
      settleSeconds: 60 * Number(values.settle),
      log: values.log,
      say: (what) => void process.stderr.write(`seed ${seed}: ${what}\n`),
    });
    process.stdout.write(`seed ${seed}\n\n${clusterTables(report)}\n`);
    for (const history of report.histories) process.stderr.write(`seed ${seed}, ${history}\n`);
    wrong += report.findings.length;
    caused.push(...report.troubles);
  }
  process.stdout.write(`${neverCausedLine(neverCaused(clusterTroubleKinds, caused))}\n`);
  return wrong > 0 ? 1 : 0;
}

function clusterTroubleOf(name: string): ClusterTroubleKind {
  const found = clusterTroubleKinds.find((known) => known === name);
  if (found === undefined)
    throw new Error(`no trouble: ${name}; there are ${clusterTroubleKinds.join()}`);
  return found;
}

function stormOf(seed: number): Storm {
  const counts = (all: number): Storm["plain"] => ({
    push: Math.ceil(0.7 * all),
    stale: Math.floor(0.1 * all),
    probed: Math.floor(0.2 * all),
  });
  const [first, ...rest] = (values.troubles ?? troubleKinds.join()).split(",").map(troubleOf);
  return {
    seed,
    plain: counts(Number(values.plain)),
    changed: counts(Number(values.changed)),
    accounts: Number(values.accounts),
    hasDelays: true,
    cycles: Math.max(
      1,
      Math.round((60 * Number(values.minutes)) / (STORMY_SECONDS + CALM_SECONDS)),
    ),
    stormySeconds: STORMY_SECONDS,
    calmSeconds: CALM_SECONDS,
    kinds: first === undefined ? ["kill"] : [first, ...rest],
    longestSeconds: Number(values.longest),
    settleSeconds: 60 * Number(values.settle),
    log: values.log,
    say: (what) => void process.stderr.write(`seed ${seed}: ${what}\n`),
  };
}

function troubleOf(name: string): TroubleKind {
  const found = troubleKinds.find((known) => known === name);
  if (found === undefined) throw new Error(`no trouble: ${name}; there are ${troubleKinds.join()}`);
  return found;
}

/** `1..8` or `3,5,9`. */
function seedsOf(text: string): readonly number[] {
  const [from, to] = text.split("..").map(Number);
  if (from === undefined || to === undefined) return text.split(",").map(Number);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

import { parseArgs } from "node:util";

import { systemClock } from "../../src/kit/clock.ts";
import { isInSandbox, restartInSandbox } from "../e2e/sandbox.ts";
import { scaled, type Attack } from "./attack.ts";
import { attacks } from "./attacks.ts";
import { runSoak, type Report, type Soak } from "./soak.ts";
import { detailsOf, headOfTable, rowOfTable } from "./table.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "20" },
    seed: { type: "string", default: "1" },
    trials: { type: "boolean", default: false },
    seconds: { type: "string", default: "30" },
    scale: { type: "string", default: "1" },
    only: { type: "string", default: attacks.map(({ name }) => name).join() },
    set: { type: "string", multiple: true, default: [] },
    profile: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

const usage = `npm run soak -- [options]: honest accounts with 2,000 checks and heartbeats, while everything attacks the program at once.
  --minutes 20      how long, once all attacks have begun
  --seed 1          which targets go down when
  --trials          instead, each attack alone, beside 300 checks
  --seconds 30      how long each of these lasts
  --scale 0.3       fewer checks, of the honest and of attackers, for a short trial of the whole
  --only a,b        these attacks:
${attacks.map(({ name, what }) => `      ${name}: ${what}`).join("\n")}
  --set NAME=VALUE  a setting of the program; may be repeated
  --profile NAME    writes NAME.cpuprofile and NAME.heapprofile of the program's main thread
It ends with 1 where the honest suffered, the program answered late or took too much memory, and says what.
`;

const began = systemClock.monotonic();

/** Promised limits. */
const limits = {
  healthMs: 250,
  memoryMb: 400,
  growthMb: 3,
  tickLateMs: 5000,
  alertLateMs: 5000,
  signInMs: 2000,
};

if (values.help) process.stdout.write(usage);
else if (isInSandbox) process.exitCode = values.trials ? await runTrials() : await runAll();
else process.exitCode = await restartInSandbox([import.meta.filename, ...process.argv.slice(2)]);

async function runAll(): Promise<number> {
  write(headOfTable());
  return show(
    "all at once",
    await runSoak({
      ...common(),
      counts: { accounts: 4, probed: some(400), switched: some(24), push: some(100) },
      attacks: chosen(),
      seconds: 60 * Number(values.minutes),
      staysS: [20, 90, 180, 400],
    }),
  );
}

async function runTrials(): Promise<number> {
  write(headOfTable());
  let code = 0;
  for (const attack of chosen()) {
    const report = await runSoak({
      ...common(),
      // In so short a time memory says nothing of growth.
      limits: { ...limits, growthMb: Infinity },
      counts: { accounts: 2, probed: some(130), switched: some(10), push: some(20) },
      attacks: [attack],
      seconds: Number(values.seconds),
      staysS: [15, 40],
    });
    code = Math.max(code, show(attack.name, report));
  }
  return code;
}

function common(): Omit<Soak, "counts" | "attacks" | "seconds" | "staysS"> {
  return {
    seed: Number(values.seed),
    scale: Number(values.scale),
    rate: 1,
    limits,
    settings: Object.fromEntries(values.set.map((one) => one.split("=", 2))),
    ...(values.profile !== undefined && { profile: values.profile }),
    say: (what) => void process.stderr.write(`${elapsedS()} s: ${what}\n`),
  };
}

function some(count: number): number {
  return scaled({ scale: Number(values.scale) }, count);
}

function elapsedS(): string {
  return ((systemClock.monotonic() - began) / 1000).toFixed(1);
}

function chosen(): readonly Attack[] {
  return values.only.split(",").map((name) => {
    const found = attacks.find((attack) => attack.name === name);
    if (found === undefined)
      throw new Error(`no attack: ${name}; there are ${attacks.map((one) => one.name).join()}`);
    return found;
  });
}

function show(name: string, report: Report): number {
  write([rowOfTable(name, report)]);
  for (const line of detailsOf(report)) process.stderr.write(`${name}: ${line.trim()}\n`);
  return report.findings.length > 0 ? 1 : 0;
}

function write(lines: readonly string[]): void {
  for (const line of lines) process.stdout.write(`${line}\n`);
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { hashToken } from "../../src/kit/crypto/seal.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { alice } from "../../test/record-builders.ts";
import { cpuTimeOf } from "../cpu-time.ts";
import {
  compileCache,
  dataFolder,
  fill,
  median,
  openStore,
  startServer,
  type Folder,
} from "../fixture.ts";

const token = "ABCD2345-EFG6-4HIJ-8KLM-NOPQRSTUVWX1";
const CHECKS = 10_000;
const APPLIED = 2000;

interface Ran {
  readonly ms: number;
  /** CPU time, up to 50 ms before its end. */
  readonly cpuMs: number;
  readonly mebibytes: number;
}

/** Measures comparing and applying files, from the start of each command to its end. */
export async function benchConfiguration(rounds: number): Promise<string> {
  return `${await compare(rounds)}\n\n${await apply(rounds)}`;
}

/** Files of 10,000 checks against an account that has them. */
async function compare(rounds: number): Promise<string> {
  await using folder = await dataFolder();
  await fill(folder, CHECKS, (at) => ({
    type: "HTTP",
    label: `Service number ${at}`,
    parameters: { target: `https://service-${at}.example.com/health` },
  }));
  await using site = await startOn(folder);
  const rows = [];
  for (const format of ["yaml", "json"]) {
    const file = join(folder.path, `all.${format}`);
    const exports: Ran[] = [];
    const plans: Ran[] = [];
    for (let round = 0; round < rounds; round += 1) {
      exports.push(await run(["export", "--output", file], site));
      plans.push(await run(["plan", "-f", file], { ...site, code: TO_DO }));
    }
    const { size } = await stat(file);
    const seconds = (all: readonly Ran[]): string =>
      (median(all.map(({ ms }) => ms)) / 1000).toFixed(1);
    const memory = Math.round(median(plans.map(({ mebibytes }) => mebibytes)));
    rows.push(
      `| ${format} | ${(size / 1e6).toFixed(1)} | ${seconds(exports)} | ${seconds(plans)} | ${memory} |`,
    );
  }
  return [
    `A configuration of ${CHECKS} checks in one file, ${rounds} rounds, medians`,
    "",
    "| file | MB | export s | plan s | plan MiB |",
    "|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** Files of 2,000 checks against an account that has none of them, and then all. */
async function apply(rounds: number): Promise<string> {
  const all = new Map<string, Ran[]>();
  let exported = "";
  for (let round = 0; round < rounds; round += 1) {
    await using folder = await dataFolder();
    await fill(folder, 0, () => ({}));
    await using site = await startOn(folder);
    const file = join(folder.path, "checks.yaml");
    await writeFile(file, configurationOf(APPLIED));
    for (const [title, command, code] of [
      ["plan, to create all", "plan", TO_DO],
      ["apply, creates all", "apply", 0],
      ["plan, no change", "plan", 0],
      ["apply, no change", "apply", 0],
    ] as const) {
      const ran = await run([command, "-f", file], { ...site, code });
      all.set(title, [...(all.get(title) ?? []), ran]);
    }
    const sizes = [];
    for (const option of [[], ["--defaults"]]) {
      const output = join(folder.path, "exported.yaml");
      await run(["export", "--output", output, ...option], site);
      const text = await readFile(output, "utf8");
      sizes.push(`${text.split("\n").length - 1} lines, ${(text.length / 1e6).toFixed(2)} MB`);
    }
    exported = `Exported: ${sizes.join("; with --defaults ")}.`;
  }
  const rows = [...all].map(([title, runs]) => {
    const memory = Math.round(median(runs.map(({ mebibytes }) => mebibytes)));
    const [whole, cpu] = [runs.map(({ ms }) => ms), runs.map(({ cpuMs }) => cpuMs)].map((times) =>
      (median(times) / 1000).toFixed(1),
    );
    return `| ${title} | ${whole} | ${cpu} | ${memory} |`;
  });
  return [
    `A configuration of ${APPLIED} checks that run every 5 minutes, ${rounds} rounds, medians`,
    "",
    "| command | s | CPU s of the command | MiB |",
    "|---|---|---|---|",
    ...rows,
    "",
    exported,
  ].join("\n");
}

/** Checks whose target refuses connections at once, so that runs wait for nothing. */
function configurationOf(count: number): string {
  const lines = Array.from({ length: count }, (_, at) => {
    const target = `http://127.0.0.1:9/${at}`;
    return `  service-${at}: { type: HTTP, label: Service number ${at}, target: "${target}", interval: 5, enabled: true, tags: [bench] }`;
  });
  return ["configuration: bench", "checks:", ...lines, ""].join("\n");
}

/** The exit code of a plan by which something is to be done. */
const TO_DO = 3;

interface Where {
  readonly environment: Readonly<Record<string, string>>;
  /** The exit code that is expected. */
  readonly code?: number;
}

/** The program on a data folder, with a token. */
async function startOn(folder: Folder): Promise<Where & AsyncDisposable> {
  const store = await openStore(folder);
  await store.write((tx) =>
    tx.tokens.insert({
      digest: hashToken(token),
      accountId: alice.id,
      label: "bench",
      createdAt: alice.createdAt,
      compatibility: "standard",
    }),
  );
  await store.close();
  const program = await startServer("watchpost", {
    WATCHPOST_LISTEN: "127.0.0.1:0",
    WATCHPOST_DATA: folder.path,
  });
  return {
    environment: {
      WATCHPOST_URL: `http://127.0.0.1:${program.port}`,
      WATCHPOST_TOKEN: token,
    },
    [Symbol.asyncDispose]: () => program[Symbol.asyncDispose](),
  };
}

/** Runs a command to its end, and measures its largest memory on the way. */
async function run(args: readonly string[], { environment, code = 0 }: Where): Promise<Ran> {
  const start = systemClock.monotonic();
  const child = spawn(join(import.meta.dirname, "../../watchpost"), args, {
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache, ...environment },
    stdio: ["ignore", "ignore", "inherit"],
  });
  let [mebibytes, cpuMs] = [0, 0];
  const look = setInterval(() => {
    cpuMs = cpuMsOf(child.pid ?? 0) ?? cpuMs;
    void readFile(`/proc/${child.pid}/status`, "utf8")
      .then((text) => {
        mebibytes = Math.max(mebibytes, Number(/VmHWM:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024);
      })
      .catch(() => undefined);
  }, 50);
  const [ended] = await once(child, "exit");
  clearInterval(look);
  if (ended !== code) throw new Error(`${args.join(" ")} ended with ${ended}`);
  return { ms: systemClock.monotonic() - start, cpuMs, mebibytes };
}

function cpuMsOf(pid: number): number | undefined {
  try {
    return cpuTimeOf(pid).all / 1000;
  } catch {
    // It has ended.
    return undefined;
  }
}

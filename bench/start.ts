import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join } from "node:path";

import { systemClock } from "../src/kit/clock.ts";
import { cpuTimeOf } from "./cpu-time.ts";
import { compileCache, dataFolder, fill, median, startServer } from "./fixture.ts";
import { pause } from "./worker.ts";

const CHECKS = 20_000;
/** Time in which every check has its first run after the start, and many their second. */
const SECONDS = 40;

interface Started {
  /** From the start of the process until it has all checks. */
  readonly readyMs: number;
  readonly peakMib: number;
  readonly cpuMs: number;
  readonly runs: number;
  /** CPU time of the whole process after it was ready. */
  readonly cpuMicrosARun: number;
  readonly untimed: number;
  readonly errors: number;
  readonly missed: number;
}

const keys = [
  "readyMs",
  "cpuMs",
  "peakMib",
  "runs",
  "cpuMicrosARun",
  "untimed",
  "errors",
  "missed",
] as const;

/** Measures a start with 20,000 overdue HTTP checks with a one-minute interval: its duration, its cost, and the effect of its own load on run times. */
export async function benchStart(rounds: number): Promise<string> {
  await using filled = await dataFolder();
  await using target = await startServer("bench/baselines/http-server.ts", {}, ["target"]);
  await fill(filled, CHECKS, (index) => ({
    type: "HTTP",
    label: `check ${index}`,
    intervalMinutes: 1,
    parameters: { target: `http://127.0.0.1:${target.port}/${index}` },
  }));
  const rows: string[] = [];
  for (const threads of [0, 1]) {
    const found: Started[] = [];
    for (let round = 0; round < rounds; round += 1)
      found.push(await startOnce(filled.path, threads));
    const values = keys.map((key) => Math.round(median(found.map((one) => one[key]))));
    rows.push(`| ${[threads, ...values].join(" | ")} |`);
  }
  return [
    `Start with ${CHECKS} HTTP checks of a minute that are all due, ${rounds} rounds of ${SECONDS} s, medians`,
    "",
    "| threads | ready after ms | CPU until then, ms | peak MiB | runs | CPU µs a run | untimed | without an outcome | missed ticks |",
    "|---|---|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

async function startOnce(filled: string, threads: number): Promise<Started> {
  await using folder = await dataFolder();
  await cp(filled, folder.path, { recursive: true });
  const began = systemClock.monotonic();
  const child = spawn(join(import.meta.dirname, "../watchpost"), {
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: compileCache,
      WATCHPOST_LISTEN: "127.0.0.1:0",
      WATCHPOST_DATA: folder.path,
      WATCHPOST_PROBE_THREADS: String(threads),
      // All checks share one target here, which is unusual for that many.
      WATCHPOST_HOST_RUNS: "0",
    },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  const pid = child.pid ?? 0;
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => (log += chunk));
  while (!log.includes("scheduler.ready")) {
    if (child.exitCode !== null) throw new Error(`it ended: ${log}`);
    await pause(0.01);
  }
  const readyMs = systemClock.monotonic() - began;
  const cpuMs = cpuTimeOf(pid).all / 1000;
  await pause(SECONDS);
  const base = /"address":"(http[^"]+)"/.exec(log)?.[1] ?? "";
  const metrics = await (await fetch(`${base}/metrics`)).text();
  const [, peak] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  const minuteCpuMs = cpuTimeOf(pid).all / 1000 - cpuMs;
  child.kill("SIGTERM");
  await ended;
  const runs = sumOf(metrics, "watchpost_confirm_result_total");
  return {
    readyMs,
    cpuMs,
    peakMib: Number(peak) / 2 ** 10,
    runs,
    cpuMicrosARun: (1000 * minuteCpuMs) / runs,
    untimed: sumOf(metrics, "watchpost_probe_untimed_total"),
    errors: sumOf(metrics, "watchpost_probe_job_error_total"),
    missed: sumOf(metrics, "watchpost_scheduler_tick_missed_total"),
  };
}

function sumOf(metrics: string, name: string): number {
  return [...metrics.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, "gm"))]
    .map(([, value]) => Number(value))
    .reduce((sum, value) => sum + value, 0);
}

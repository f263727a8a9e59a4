import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import type { RunningInstallation } from "../e2e/process.ts";
import { createClient } from "./client.ts";

/** What was seen of the process from outside. Times are of the monotonic clock, in ms. */
export interface Measured {
  /** Requests for `/healthz`, each over a connection of its own. */
  readonly health: readonly {
    readonly at: number;
    readonly ms: number;
    readonly isWell: boolean;
  }[];
  readonly samples: readonly Sample[];
  /** How long the process that measures stood still itself. */
  readonly ownLagMs: number;
}

export interface Sample {
  readonly at: number;
  readonly memoryMb: number;
  readonly diskMb: number;
  /** Since the sample before, of the main thread: the longest delay of its event loop, the time that it computed, and the time that it waited for a processor of this machine. */
  readonly lagMs: number;
  readonly mainCpuMs: number;
  readonly mainWaitMs: number;
}

const HEALTH_EVERY_MS = 200;
const SAMPLE_EVERY_MS = 1000;

/** Measures until the signal aborts. */
export async function measure(
  site: Pick<RunningInstallation, "base" | "pid">,
  { data, signal }: { readonly data: string; readonly signal: AbortSignal },
): Promise<Measured> {
  const own = monitorEventLoopDelay({ resolution: 10 });
  own.enable();
  using client = createClient({
    base: site.base,
    token: "",
    localAddress: "127.0.0.1",
    isKept: false,
  });
  const health: Measured["health"][number][] = [];
  const samples: Sample[] = [];
  const askHealth = async (): Promise<void> => {
    while (!signal.aborted) {
      const at = systemClock.monotonic();
      const { status, ms } = await client.send({ path: "/healthz" });
      health.push({ at, ms, isWell: status === 200 });
      await sleep(systemClock, HEALTH_EVERY_MS, signal);
    }
  };
  const sample = async (): Promise<void> => {
    let before = mainThreadOf(site.pid);
    while (!signal.aborted) {
      await sleep(systemClock, SAMPLE_EVERY_MS, signal);
      const { body } = await client.send({ path: "/metrics" });
      const main = mainThreadOf(site.pid);
      samples.push({
        at: systemClock.monotonic(),
        memoryMb: memoryOf(site.pid),
        diskMb: sizeOf(data),
        lagMs: 1000 * metricIn(body, "watchpost_nodejs_eventloop_lag_max_seconds"),
        mainCpuMs: main.cpuMs - before.cpuMs,
        mainWaitMs: main.waitMs - before.waitMs,
      });
      before = main;
    }
  };
  await Promise.all([askHealth(), sample()]);
  own.disable();
  return { health, samples, ownLagMs: own.max / 1e6 };
}

function metricIn(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? 0);
}

/** Zero where the process is gone. */
function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, "status"))?.[1] ?? 0) / 1024;
}

/** Of the thread with the id of the process: on a processor, and waiting for one (proc_pid_schedstat(5)). */
function mainThreadOf(pid: number): { readonly cpuMs: number; readonly waitMs: number } {
  const [cpu = 0, wait = 0] = readProc(pid, `task/${pid}/schedstat`).split(" ").map(Number);
  return { cpuMs: cpu / 1e6, waitMs: wait / 1e6 };
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

const BYTES_PER_MB = 2 ** 20;

function sizeOf(folder: string): number {
  return (
    readdirSync(folder)
      .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0) / BYTES_PER_MB
  );
}

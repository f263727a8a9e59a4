import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";

import { sleep, systemClock } from "../../src/kit/clock.ts";
import type { RunningInstallation } from "../e2e/process.ts";
import { createClient } from "./client.ts";
import { countersIn, grownBetween } from "./counters.ts";

/** Measurements of the process from outside. Times are monotonic, in ms. */
export interface Measured {
  /** Requests for `/healthz`, each over a connection of its own. */
  readonly health: readonly {
    readonly at: number;
    readonly ms: number;
    readonly isWell: boolean;
  }[];
  readonly samples: readonly Sample[];
  /** Counters of the program that grew meanwhile. */
  readonly grown: readonly string[];
  /** Suspension time of the measuring process itself. */
  readonly ownLagMs: number;
  /** CPU time, in ms, of all threads: of the program, of what attacks it, of the process that measures, which is the honest, and of all else on this machine. */
  readonly cpuMs: Readonly<Record<"program" | "attackers" | "honest" | "others", number>>;
}

export interface Sample {
  readonly at: number;
  readonly memoryMb: number;
  /** The heap of the main thread, used and reserved, and what it holds outside. */
  readonly heapMb: number;
  readonly heapTotalMb: number;
  readonly externalMb: number;
  readonly diskMb: number;
  /** Since the sample before, of the main thread: the longest delay of its event loop, the time that it computed, and the time that it waited for a processor of this machine. */
  readonly lagMs: number;
  readonly mainCpuMs: number;
  readonly mainWaitMs: number;
}

const BYTES_PER_MB = 2 ** 20;
const HEALTH_INTERVAL_MS = 200;
const SAMPLE_INTERVAL_MS = 1000;

/** Measures until the signal aborts. */
export async function measure(
  site: Pick<RunningInstallation, "base" | "pid">,
  {
    data,
    attackers,
    signal,
  }: {
    readonly data: string;
    readonly attackers: readonly number[];
    readonly signal: AbortSignal;
  },
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
  const counted: ReadonlyMap<string, number>[] = [];
  const askHealth = async (): Promise<void> => {
    while (!signal.aborted) {
      const at = systemClock.monotonic();
      const { status, ms } = await client.send({ path: "/healthz" });
      health.push({ at, ms, isWell: status === 200 });
      await sleep(systemClock, HEALTH_INTERVAL_MS, signal);
    }
  };
  const sample = async (): Promise<void> => {
    let before = mainThreadOf(site.pid);
    while (!signal.aborted) {
      await sleep(systemClock, SAMPLE_INTERVAL_MS, signal);
      const { status, body } = await client.send({ path: "/metrics" });
      if (status === 200) counted.push(countersIn(body));
      const main = mainThreadOf(site.pid);
      samples.push({
        at: systemClock.monotonic(),
        memoryMb: memoryOf(site.pid),
        heapMb: metricIn(body, "watchpost_nodejs_heap_size_used_bytes") / BYTES_PER_MB,
        heapTotalMb: metricIn(body, "watchpost_nodejs_heap_size_total_bytes") / BYTES_PER_MB,
        externalMb: metricIn(body, "watchpost_nodejs_external_memory_bytes") / BYTES_PER_MB,
        diskMb: sizeOf(data),
        lagMs: 1000 * metricIn(body, "watchpost_nodejs_eventloop_lag_max_seconds"),
        mainCpuMs: main.cpuMs - before.cpuMs,
        mainWaitMs: main.waitMs - before.waitMs,
      });
      before = main;
    }
  };
  const cpuMs = (): Measured["cpuMs"] => {
    const program = cpuOf(site.pid);
    const attacking = attackers.reduce((sum, pid) => sum + cpuOf(pid), 0);
    const honest = cpuOf(process.pid);
    return {
      program,
      attackers: attacking,
      honest,
      others: cpuOfAll() - program - attacking - honest,
    };
  };
  const before = cpuMs();
  await Promise.all([askHealth(), sample()]);
  const after = cpuMs();
  own.disable();
  return {
    health,
    samples,
    grown: grownBetween(counted[0] ?? new Map(), counted.at(-1) ?? new Map()),
    ownLagMs: own.max / 1e6,
    cpuMs: {
      program: after.program - before.program,
      attackers: after.attackers - before.attackers,
      honest: after.honest - before.honest,
      others: after.others - before.others,
    },
  };
}

function metricIn(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? 0);
}

/** Zero where the process is gone. */
function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readProc(pid, "status"))?.[1] ?? 0) / 1024;
}

/** Returns the main thread's time on a CPU and waiting for one (proc_pid_schedstat(5)). */
function mainThreadOf(pid: number): { readonly cpuMs: number; readonly waitMs: number } {
  const [cpu = 0, wait = 0] = readProc(pid, `task/${pid}/schedstat`).split(" ").map(Number);
  return { cpuMs: cpu / 1e6, waitMs: wait / 1e6 };
}

/** A tick of the clock that Linux counts a process's time in (proc_pid_stat(5)); 100 a second on all platforms of today. */
const CPU_TICK_MS = 10;

/** Returns the machine's CPU time in user mode, at low priority, in kernel mode, and for interrupts (proc_stat(5)). */
function cpuOfAll(): number {
  const [, user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] =
    readFileSync("/proc/stat", "utf8").split("\n", 1)[0]?.split(/ +/).map(Number) ?? [];
  return CPU_TICK_MS * (user + nice + system + irq + softirq);
}

/** In user and in kernel mode, of all threads. */
function cpuOf(pid: number): number {
  // After the name, which may hold anything, come the fields from the third.
  const [user = 0, system = 0] = readProc(pid, "stat")
    .replace(/^.*\) /s, "")
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return CPU_TICK_MS * (user + system);
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}

function sizeOf(folder: string): number {
  return (
    readdirSync(folder)
      .map((name) => statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0)
      .reduce((sum, size) => sum + size, 0) / BYTES_PER_MB
  );
}

import { readdirSync, readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";

import { readConfig } from "../../src/settings/config.ts";
import { createProcessInterruptions } from "../../src/server/health/interruptions.ts";
import { runStoreHousekeeping, probeWrites } from "../../src/server/health/store-upkeep.ts";
import { loadInstanceKey } from "../../src/server/instance-key.ts";
import { createMetrics } from "../../src/server/metrics.ts";
import { openStore } from "../../src/server/open-store.ts";
import { createControllerRole } from "../../src/server/roles/controller.ts";
import type { Bus, Job, Report } from "../../src/bus/bus.ts";
import { createMemoryBus } from "../../src/bus/memory-bus.ts";
import { failed, passed } from "../../src/domain/run/outcome.ts";
import { sleep, systemClock, type Clock } from "../../src/kit/clock.ts";
import { createSealer } from "../../src/kit/crypto/seal.ts";
import { hash32 } from "../../src/kit/hash.ts";
import { createReceiveGaps } from "../../src/kit/http/receive-gaps.ts";
import { createIds } from "../../src/kit/ids.ts";
import { silentLog } from "../../src/kit/log.ts";
import type { Meter } from "../../src/kit/meter.ts";
import { createEgress } from "../../src/kit/net/egress.ts";
import { createOwnListener } from "../../src/kit/net/own-listener.ts";
import { createResolver } from "../../src/kit/net/resolver.ts";
import { createEventLoopMonitor } from "../../src/kit/time/event-loop-monitor.ts";
import { createSteadyClock } from "../../src/kit/time/steady-clock.ts";
import { createHeartbeats } from "../../src/heartbeats/heartbeats.ts";
import { cpuTimeOf } from "../cpu-time.ts";
import { heapInUse, latenesses, peakResident, serveOnce, type LatenessFound } from "./measured.ts";
import { pause } from "../worker.ts";

/** Task of the measured controller. */
export interface ControllerTask {
  readonly settings: Readonly<Record<string, string>>;
  /** How many checks the store has. */
  readonly checks: number;
  /** How long after it has all checks the measurement begins, and how long that takes. */
  readonly settlingSeconds: number;
  readonly seconds: number;
}

export interface ControllerFound extends LatenessFound {
  readonly readyMs: number;
  /** The longest time in which nothing else could run. */
  readonly blockedWhileLoadingMs: number;
  readonly blockedAfterMs: number;
  readonly heapBytes: number;
  readonly residentBytes: number;
  readonly peakResidentBytes: number;
  /** Share of one core; for the controller with all its threads, and for PostgreSQL. */
  readonly cpuShare: number;
  readonly databaseCpuShare: number;
  readonly resultsPerSecond: number;
  readonly flips: number;
  readonly missed: number;
  readonly undecided: number;
}

/** Begins a while after it was asked, as the packets of a real one do. */
const ANSWERS_AFTER_MS = { least: 20, spread: 200 };
/** One of this many targets fails for a minute at every location, and one of this many runs on its own. */
const ONE_DOWN_OF = 10_000;
const ONE_LOST_OF = 1000;
const MINUTE_MS = 60_000;
const LOOK_EVERY_SECONDS = 0.02;

/** A bus to three locations whose probes reply without a target. */
function simulatedProbes(clock: Clock, meter: Meter): Bus {
  const bus = createMemoryBus({ clock, log: silentLog, meter });
  for (const [code, region] of [
    ["ld", "eur"],
    ["ny", "nam"],
    ["sg", "eao"],
  ] as const)
    bus.serve(
      { code, region },
      { runJob: (job) => run(job, code, clock), runDiagnostics: () => Promise.resolve([]) },
    );
  return bus;
}

async function run({ id, checkId }: Job, location: string, clock: Clock): Promise<Report> {
  const { least, spread } = ANSWERS_AFTER_MS;
  const tookMs = least + (hash32(id) % spread);
  await sleep(clock, tookMs);
  const isDown = hash32(`${checkId} ${Math.floor(clock.now() / MINUTE_MS)}`) % ONE_DOWN_OF === 0;
  const isLost = hash32(`${id} ${location}`) % ONE_LOST_OF === 0;
  const times = { startOffsetMs: 0, endOffsetMs: tookMs, connectivityConfirmed: false };
  if (isDown || isLost)
    return { ...times, outcome: failed("status", "503", "HTTP status returned: 503") };
  const timings = {
    dns: 2,
    connect: Math.round(tookMs / 5),
    tls: Math.round(tookMs / 2),
    firstByte: tookMs - 2,
    total: tookMs,
  };
  const address = `198.51.${hash32(checkId) % 256}.${hash32(location + checkId) % 256}`;
  return { ...times, outcome: passed("200", "Success", { timings, address }) };
}

async function measure(task: ControllerTask): Promise<ControllerFound> {
  const config = readConfig(task.settings);
  const clock = createSteadyClock(systemClock);
  const stopping = new AbortController();
  const { signal } = stopping;
  const lateness = latenesses();
  const counts = new Map<string, number>();
  let measuring = false;
  const metrics = createMetrics({
    scheduledChecks: () => 0,
    canCommit: () => true,
    isShort: () => false,
    oldestCommitMs: () => 0,
    probeThreads: () => 0,
  });
  const meter: Meter = {
    count(event, labels, by = 1) {
      metrics.meter.count(event, labels, by);
      if (measuring) counts.set(event, (counts.get(event) ?? 0) + by);
    },
    observe(event, ms, labels) {
      metrics.meter.observe(event, ms, labels);
      if (measuring && event === "scheduler.lateness") lateness.add(ms);
    },
  };
  const log = silentLog;
  const delays = monitorEventLoopDelay({ resolution: 5 });
  const interruptions = createProcessInterruptions({ clock, log, meter });
  const eventLoop = createEventLoopMonitor(clock);
  const sealer = createSealer(loadInstanceKey(config));
  const listener = createOwnListener();
  const opened = await openStore(config, { clock, sealer, log, meter, interruptions, listener });
  const { store } = opened;
  const bus = simulatedProbes(clock, meter);
  store.changes.subscribe(bus.changes.publish);
  const ids = createIds();
  const flipped = (): void => {};
  const heartbeats = createHeartbeats({ store, flipped, ids, clock, log, meter });
  const controller = createControllerRole({
    config,
    heartbeats,
    receiveGaps: createReceiveGaps(clock),
    ...opened,
    bus: { ...bus, isConnected: undefined, memory: undefined },
    egress: createEgress({ mode: "private", resolver: createResolver() }),
    ids,
    clock,
    interruptions,
    eventLoop,
    log,
    meter,
    stopping: signal,
    flipped,
  });

  const began = systemClock.monotonic();
  delays.enable();
  const running = Promise.all([
    controller.run(),
    runStoreHousekeeping(store, { clock, log, signal }),
    probeWrites(store, { clock, log, signal }),
  ]);
  while (controller.checkCount() < task.checks) await pause(LOOK_EVERY_SECONDS);
  const readyMs = systemClock.monotonic() - began;
  const blockedWhileLoadingMs = delays.max / 1e6;
  await pause(task.settlingSeconds);
  delays.reset();
  measuring = true;
  const before = { at: systemClock.monotonic(), cpu: process.cpuUsage(), database: databaseCpu() };
  await pause(task.seconds);
  measuring = false;
  const { user, system } = process.cpuUsage(before.cpu);
  const elapsedMs = systemClock.monotonic() - before.at;
  const databaseMicros = databaseCpu() - before.database;
  const blockedAfterMs = delays.max / 1e6;
  const residentBytes = process.memoryUsage.rss();
  const heapBytes = await heapInUse();

  stopping.abort();
  await running;
  await opened.leave();
  await bus.close();
  eventLoop.stop();
  await store.close();
  const count = (event: string): number => counts.get(event) ?? 0;
  return {
    readyMs,
    blockedWhileLoadingMs,
    blockedAfterMs,
    heapBytes,
    residentBytes,
    peakResidentBytes: peakResident(),
    cpuShare: (user + system) / 1000 / elapsedMs,
    databaseCpuShare: databaseMicros / 1000 / elapsedMs,
    resultsPerSecond: (1000 * count("confirm.result")) / elapsedMs,
    ...lateness.found(),
    flips: count("confirm.flip"),
    missed: count("scheduler.tick_missed"),
    undecided: count("confirm.undecided"),
  };
}

/** CPU in microseconds of the PostgreSQL that the bench has started, with its sessions; 0 without one. */
function databaseCpu(): number {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, comm, parent] =
          /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
        return comm === "postgres" ? [{ pid: Number(pid), parent: Number(parent) }] : [];
      } catch {
        // It has ended meanwhile.
        return [];
      }
    });
  const server = processes.find(({ parent }) => parent === process.ppid);
  return processes
    .filter(({ pid, parent }) => pid === server?.pid || parent === server?.pid)
    .reduce((sum, { pid }) => sum + cpuTimeOf(pid).all, 0);
}

serveOnce(measure);

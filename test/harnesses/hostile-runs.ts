import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

import type { Job, Report } from "../../src/bus/bus.ts";
import { systemClock as clock } from "../../src/kit/clock.ts";
import { silentLog as log } from "../../src/kit/log.ts";
import { noMeter as meter } from "../../src/kit/meter.ts";
import { createEgress } from "../../src/kit/net/egress.ts";
import { createResolver } from "../../src/kit/net/resolver.ts";
import { noStalls } from "../../src/kit/time/event-loop-monitor.ts";
import { noAddressLimits } from "../../src/probe/address-places.ts";
import { createLocationHandlers } from "../../src/probe/location-handlers.ts";

/** The slow ones run all at once, and beside them the others one after the other. */
export interface HostileJobs {
  readonly slow: readonly Job[];
  readonly others: readonly Job[];
}

/** What the runs of some jobs did to a process that does nothing else. */
export interface HostileRuns {
  /** Of the slow ones, then of the others. */
  readonly reports: readonly Report[];
  readonly grewMib: number;
  /** The most CPU that went by between two turns of the event loop. */
  readonly heldMs: number;
}

const location = { code: "ld", region: undefined };
const handlers = createLocationHandlers({
  locations: [location],
  connectivityAddresses: [],
  addressLimits: noAddressLimits,
  egress: createEgress({ mode: "private", resolver: createResolver() }),
  // What the machine makes of time is not what is looked at here.
  eventLoop: noStalls,
  clock,
  log,
  meter,
  stopping: new AbortController().signal,
}).get(location.code);

function memoryMib(line: "VmRSS" | "VmHWM"): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(new RegExp(`${line}:\\s+(\\d+)`).exec(status)?.[1]) / 2 ** 10;
}

/** Measures how long this thread computes in one turn of the event loop. */
function watchTurns(): () => number {
  let before = process.threadCpuUsage();
  let most = 0;
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    most = Math.max(most, (user + system) / 1000);
    before = process.threadCpuUsage();
    timer = clock.setTimer(look, 1);
  };
  let timer = clock.setTimer(look, 1);
  return () => {
    timer.cancel();
    // What ended the last run is of this turn.
    look();
    timer.cancel();
    return most;
  };
}

async function run({ slow, others }: HostileJobs): Promise<HostileRuns> {
  globalThis.gc?.();
  // proc_pid_clear_refs(5): from now on, the peak of the memory.
  writeFileSync("/proc/self/clear_refs", "5");
  const before = memoryMib("VmRSS");
  const heldMs = watchTurns();
  const runningSlow = Promise.all(slow.map(runJob));
  const reports: Report[] = [];
  for (const job of others) reports.push(await runJob(job));
  reports.unshift(...(await runningSlow));
  return { reports, heldMs: heldMs(), grewMib: memoryMib("VmHWM") - before };
}

async function runJob(job: Job): Promise<Report> {
  return handlers?.runJob(job) ?? { error: "internal_error", message: "no such location" };
}

process.on("message", (jobs: HostileJobs) => {
  void run(jobs).then((found) => process.send?.(found));
});

import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

import type { Job, Report } from "../../src/bus/bus.ts";
import { systemClock as clock } from "../../src/kit/clock.ts";
import { silentLog as log } from "../../src/kit/log.ts";
import { noMeter as meter } from "../../src/kit/meter.ts";
import { createEgress } from "../../src/kit/net/egress.ts";
import { createResolver } from "../../src/kit/net/resolver.ts";
import { noStalls } from "../../src/kit/time/event-loop-monitor.ts";
import { createLocationHandlers } from "../../src/probe/location-handlers.ts";
import { createTargetMemory } from "../../src/probe/target-memory.ts";
import { leastCost, readComparison, type Cost } from "../hostile-inputs/cost.ts";
import { noHostLimits } from "../../src/kit/concurrency/host-limiter.ts";

/** The slow jobs run concurrently, and the others one after the other. */
export interface HostileJobs {
  readonly slow: readonly Job[];
  readonly others: readonly Job[];
}

/** Effects of the runs of some jobs on an otherwise idle process. */
export interface HostileRuns {
  /** Reports of the slow jobs, then of the others. */
  readonly reports: readonly Report[];
  /** The least of several tries: the CPU of the longest turn of the event loop, and the peak of what the memory grew by. */
  readonly cost: Cost;
}

export interface Measurement {
  readonly jobs: HostileJobs;
  /** Tried again where it is more. */
  readonly most: Cost;
  /** Planted flaw of a run, which shows that an expensive run would be found. */
  readonly planted?: keyof typeof planted;
}

const location = { code: "ld", region: undefined };
const handlers = createLocationHandlers({
  locations: [location],
  connectivityAddresses: [],
  addressLimits: noHostLimits,
  memory: createTargetMemory(clock),
  egress: createEgress({ mode: "private", resolver: createResolver() }),
  // The machine's timing is not examined here.
  eventLoop: noStalls,
  clock,
  log,
  meter,
  stopping: new AbortController().signal,
}).get(location.code);

const planted = {
  memory: () => Buffer.alloc(128 * 2 ** 20, 1),
  turn() {
    for (let done = 0; done < 20; done += 1) readComparison();
  },
};

function memoryBytes(line: "VmRSS" | "VmHWM"): number {
  const status = readFileSync("/proc/self/status", "utf8");
  return Number(new RegExp(`${line}:\\s+(\\d+)`).exec(status)?.[1]) * 2 ** 10;
}

interface Turns {
  /** Does what is not measured. */
  readonly leaveOut: (work: () => void) => void;
  readonly maxMs: () => number;
}

/** Measures how long this thread computes in one turn of the event loop. */
function watchTurns(): Turns {
  let before = process.threadCpuUsage();
  let most = 0;
  const look = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    most = Math.max(most, (user + system) / 1000);
    before = process.threadCpuUsage();
  };
  const again = (): void => {
    look();
    timer = clock.setTimer(again, 1);
  };
  let timer = clock.setTimer(again, 1);
  return {
    leaveOut(work) {
      look();
      work();
      before = process.threadCpuUsage();
    },
    maxMs() {
      timer.cancel();
      // The end of the last run belongs to this turn.
      look();
      return most;
    },
  };
}

async function runAll({ jobs, planted: name }: Measurement): Promise<HostileRuns> {
  globalThis.gc?.();
  // proc_pid_clear_refs(5): from now on, the peak of the memory.
  writeFileSync("/proc/self/clear_refs", "5");
  const before = memoryBytes("VmRSS");
  const turns = watchTurns();
  const runningSlow = Promise.all(jobs.slow.map(runJob));
  const reports: Report[] = [];
  for (const job of jobs.others) {
    if (name !== undefined) planted[name]();
    reports.push(await runJob(job));
    // Garbage of earlier runs does not count towards a peak, however late it is collected.
    turns.leaveOut(() => globalThis.gc?.());
  }
  reports.unshift(...(await runningSlow));
  return { reports, cost: { ms: turns.maxMs(), bytes: memoryBytes("VmHWM") - before } };
}

async function runJob(job: Job): Promise<Report> {
  return handlers?.runJob(job) ?? { error: "internal_error", message: "no such location" };
}

process.on("message", (measurement: Measurement) => {
  const reports: Report[] = [];
  const measure = async (): Promise<Cost> => {
    const found = await runAll(measurement);
    reports.splice(0, Infinity, ...found.reports);
    return found.cost;
  };
  void leastCost(measure, measurement.most).then((cost) => process.send?.({ reports, cost }));
});

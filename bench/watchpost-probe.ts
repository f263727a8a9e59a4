import { createMetrics } from "../src/app/metrics.ts";
import { createMemoryBus } from "../src/bus/memory/memory-bus.ts";
import type { Report } from "../src/bus/bus.ts";
import { systemClock as clock } from "../src/kit/clock.ts";
import { createEgress } from "../src/kit/net/egress.ts";
import { silentLog } from "../src/kit/log.ts";
import { createResolver } from "../src/kit/net/resolver.ts";
import { createEventLoopMonitor } from "../src/probe/event-loop-monitor.ts";
import { startProbe } from "../src/probe/probe.ts";
import { createConnectivityProbe } from "../src/probe/connectivity-probe.ts";
import { serveTasks } from "./worker.ts";

const location = { code: "here", region: undefined };
const timeoutMs = 90_000;

const egress = createEgress({ mode: "private", resolver: createResolver() });
const bus = createMemoryBus();
startProbe({
  bus,
  location,
  egress,
  witnesses: createConnectivityProbe([], { egress, clock }),
  lag: createEventLoopMonitor(clock),
  clock,
  log: silentLog,
  meter: createMetrics({ scheduledChecks: () => 0, canCommit: () => true }).meter,
});

const waiting = new Map<string, (report: Report) => void>();
bus.reports.subscribe((report) => {
  waiting.get(report.jobId)?.(report);
  waiting.delete(report.jobId);
});
let jobs = 0;

/** The probe as the program runs it, from a job to its report. */
serveTasks(({ type, parameters }) => async () => {
  jobs += 1;
  const id = String(jobs);
  const report = await new Promise<Report>((resolve) => {
    waiting.set(id, resolve);
    bus.jobs.send(location.code, { id, checkId: type, type, parameters, timeoutMs });
  });
  if (!("outcome" in report) || !report.outcome.passed) throw new Error(JSON.stringify(report));
});

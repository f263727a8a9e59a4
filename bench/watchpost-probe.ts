import { createMetrics } from "../src/server/metrics.ts";
import { createMemoryBus } from "../src/bus/memory-bus.ts";
import { systemClock as clock } from "../src/kit/clock.ts";
import { createEgress } from "../src/kit/net/egress.ts";
import { silentLog as log } from "../src/kit/log.ts";
import { createResolver } from "../src/kit/net/resolver.ts";
import { createAddressSlots } from "../src/probe/address-slots.ts";
import { createConnectivityProbe } from "../src/probe/connectivity-probe.ts";
import { createOwnTrouble } from "../src/probe/own-trouble.ts";
import { createEventLoopMonitor } from "../src/kit/time/event-loop-monitor.ts";
import { createJobRunner } from "../src/probe/job-runner.ts";
import { createTargetMemory } from "../src/probe/target-memory.ts";
import { serveTasks } from "./worker.ts";
import { noHostLimits } from "../src/kit/concurrency/host-limiter.ts";

const location = { code: "here", region: undefined };
const timeoutMs = 90_000;

const egress = createEgress({ mode: "private", resolver: createResolver() });
const { meter } = createMetrics({
  scheduledChecks: () => 0,
  canCommit: () => true,
  isShort: () => false,
  oldestCommitMs: () => 0,
  probeThreads: () => 0,
});
const bus = createMemoryBus({ clock, log, meter });
const connectivity = createConnectivityProbe([], { egress, clock });
const ownTrouble = createOwnTrouble({ egress, connectivity, clock });
const eventLoop = createEventLoopMonitor(clock);
const memory = createTargetMemory(clock);
const addressSlots = createAddressSlots(noHostLimits, clock);
const slots = { memory, addressSlots };
const deps = { location, egress, ownTrouble, ...slots, eventLoop, clock, log, meter };
bus.serve(location, { runJob: createJobRunner(deps), runDiagnostics: async () => [] });
let jobs = 0;

/** The probe as the program runs it, from a job to its report. */
serveTasks(({ type, parameters }) => async () => {
  jobs += 1;
  const job = { id: String(jobs), checkId: type, accountId: "alice", type, parameters, timeoutMs };
  const report = await bus.jobs.request(location.code, job, { timeoutMs: timeoutMs + 5000 });
  if (!("outcome" in report) || !report.outcome.passed) throw new Error(JSON.stringify(report));
});

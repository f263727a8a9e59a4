import { createMemoryBus } from "../src/bus/memory-bus.ts";
import { checkTypeOf } from "../src/checks/registry.ts";
import { createLocationVisibility } from "../src/controller/confirm/location-visibility.ts";
import { createMassFailureGuard } from "../src/controller/confirm/mass-failure-guard.ts";
import { createRunTick } from "../src/controller/confirm/run-tick.ts";
import { systemClock } from "../src/kit/clock.ts";
import type { SteadyClock } from "../src/kit/time/steady-clock.ts";
import { createEgress } from "../src/kit/net/egress.ts";
import { createIds } from "../src/kit/ids.ts";
import { silentLog } from "../src/kit/log.ts";
import { createOwnListener } from "../src/kit/net/own-listener.ts";
import { createMetrics } from "../src/server/metrics.ts";
import { createResolver } from "../src/kit/net/resolver.ts";
import { WHEEL_STEP_MS } from "../src/kit/time/timer-wheel.ts";
import { noStalls } from "../src/kit/time/event-loop-monitor.ts";
import { createLocationHandlers } from "../src/probe/location-handlers.ts";
import { createProbeThreads, probeWorker } from "../src/probe/probe-threads.ts";
import { createTargetMemory, targetBytesOf } from "../src/probe/target-memory.ts";
import { createScheduler } from "../src/controller/scheduler/scheduler.ts";
import { dataFolder, fill, median, openStore, startServer } from "./fixture.ts";
import { noHostLimits } from "../src/kit/concurrency/host-limiter.ts";

const SECONDS = 6;
const AT_ONCE = 100;
/** The program runs for months, and the whole way has more code that is to be compiled than the probe has: after 12,000 runs V8 still compiled for 100 µs a run. */
const WARM_RUNS = 30_000;
const MAX_WARM_SECONDS = 45;
/** Reduces the number of checks needed. With 15 the scheduler woke 300 times a second, half of the main thread's work next to a probe thread. */
const FASTER = 3;
const MIN_INTERVAL_SECONDS = 15;

const egress = createEgress({ mode: "private", resolver: createResolver() });

interface Found {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

async function measure(count: () => number, run: () => Promise<void>): Promise<Found> {
  const before = { at: systemClock.monotonic(), count: count(), cpu: process.cpuUsage() };
  await run();
  const { user, system } = process.cpuUsage(before.cpu);
  const done = count() - before.count;
  return {
    perSecond: (1000 * done) / (systemClock.monotonic() - before.at),
    cpuMicros: (user + system) / done,
  };
}

/** Until the code is compiled: a fresh thread has none. */
async function warmUp(count: () => number): Promise<void> {
  const began = systemClock.monotonic();
  const elapsedSeconds = (): number => (systemClock.monotonic() - began) / 1000;
  while (count() < WARM_RUNS && elapsedSeconds() < MAX_WARM_SECONDS) await pause(0.5);
}

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => {
    systemClock.setTimer(resolve, seconds * 1000);
  });
}

/** Runs the prepared check alone: a hundred concurrently, or a fixed rate in steps as the scheduler starts them. */
async function probeAlone(url: string, perSecond?: number): Promise<Found> {
  const type = checkTypeOf("HTTP");
  if (type?.driver !== "probe") throw new Error("no probe");
  const prepared = type.prepare({ target: url });
  let done = 0;
  let stopped = false;
  const run = async (): Promise<void> => {
    const controller = new AbortController();
    const deadline = systemClock.setTimer(() => controller.abort(), 90_000);
    const { passed } = await prepared.run({
      signal: controller.signal,
      egress,
      ...systemClock,
      timeoutMs: 90_000,
      accountId: "alice",
    });
    deadline.cancel();
    if (!passed) throw new Error("the target failed");
    done += 1;
  };
  const loop = async (): Promise<void> => {
    while (!stopped) await run();
  };
  const steps = async (rate: number): Promise<void> => {
    const began = systemClock.monotonic();
    const inFlight = new Set<Promise<void>>();
    for (let started = 0; !stopped;) {
      const due = ((systemClock.monotonic() - began) / 1000) * rate;
      for (; started < due; started += 1) {
        const each = run().finally(() => inFlight.delete(each));
        inFlight.add(each);
      }
      await pause(WHEEL_STEP_MS / FASTER / 1000);
    }
    await Promise.all(inFlight);
  };
  const ended =
    perSecond === undefined ? Promise.all(Array.from({ length: AT_ONCE }, loop)) : steps(perSecond);
  await warmUp(() => done);
  const found = await measure(
    () => done,
    () => pause(SECONDS),
  );
  stopped = true;
  await ended;
  return found;
}

function fastClock(): SteadyClock {
  const start = systemClock.now();
  const offset = systemClock.monotonic();
  const monotonic = (): number => (systemClock.monotonic() - offset) * FASTER;
  return {
    now: () => start + Math.round(monotonic()),
    monotonic,
    setTimer: (callback, delayMs) => systemClock.setTimer(callback, delayMs / FASTER),
    onStep() {},
  };
}

/** Scheduler, bus, probe, verdict and the store's commit, with the metrics that the program counts. */
async function wholeWay(url: string, checksPerSecond: number, threads: number): Promise<Found> {
  await using folder = await dataFolder();
  const clock = fastClock();
  const checks = (checksPerSecond * MIN_INTERVAL_SECONDS) / FASTER;
  await fill(folder, checks, () => ({
    type: "HTTP",
    timeoutSeconds: 90,
    intervalMinutes: 0.25,
    parameters: { target: url },
  }));
  // Commits take real time.
  const store = await openStore(folder, { ...clock, setTimer: systemClock.setTimer });
  let stored = 0;
  const { meter } = createMetrics({
    scheduledChecks: () => 0,
    canCommit: () => true,
    isShort: () => false,
    oldestCommitMs: () => 0,
    probeThreads: () => 0,
  });
  const counting = {
    ...store,
    append: async (...[result, also]: Parameters<typeof store.append>) => {
      const end = await store.append(result, { ...also, mayWait: true });
      if (result.passed) stored += 1;
      return end;
    },
  };
  const log = silentLog;
  const bus = createMemoryBus({ clock, log, meter });
  const location = { code: "local", region: undefined };
  await using stage = new AsyncDisposableStack();
  if (threads === 0) {
    const handlers = createLocationHandlers({
      locations: [location],
      connectivityAddresses: [],
      addressLimits: noHostLimits,
      memory: createTargetMemory(clock),
      egress,
      eventLoop: noStalls,
      clock,
      log,
      meter,
      stopping: new AbortController().signal,
    }).get(location.code);
    if (handlers !== undefined) bus.serve(location, handlers);
  } else {
    const probe = createProbeThreads({
      module: probeWorker,
      options: {
        locations: [location],
        connectivityAddresses: [],
        addressLimits: noHostLimits,
        targetBytes: targetBytesOf(threads),
        egress: "private",
        ownPort: createOwnListener().port,
      },
      threads,
      clock: systemClock,
      log,
      meter,
    });
    stage.defer(probe.close);
    while (probe.ready() < threads) await pause(0.1);
    bus.serve(location, probe.handlersOf(location));
  }
  const runTick = createRunTick({
    store: counting,
    bus,
    massFailureGuard: createMassFailureGuard(clock),
    sight: createLocationVisibility({ store: counting, bus, egress, clock, log, meter }),
    egress,
    flipped() {},
    ids: createIds(),
    clock,
    log,
    meter,
  });
  const scheduler = createScheduler({
    store: counting,
    bus,
    runTick,
    hostLimits: noHostLimits,
    clock,
    log,
    meter,
  });
  const stopping = new AbortController();
  const running = scheduler.run(stopping.signal);
  await warmUp(() => stored);
  const found = await measure(
    () => stored,
    () => pause(SECONDS),
  );
  stopping.abort();
  await running;
  await store.close();
  return found;
}

const THREADS = [0, 1];
/** Fraction of the probe's maximum rate, at which neither it nor the whole pipeline falls behind. */
const PACED_SHARE = 0.2;

/**
 * Checks a second from the scheduler to the stored result, in the main thread and in one thread of its own, against the same probe alone, all against
 * one server, in turns: first as many as can be, then as many of both as leave room. Where more is due than can be run, most of the CPU is that of
 * garbage, for thousands wait, and of the ticks that are missed.
 */
export async function benchWholeWay(rounds: number): Promise<string> {
  await using target = await startServer("bench/baselines/http-server.ts");
  const url = `http://127.0.0.1:${target.port}/`;
  const most = noneFound();
  const paced = noneFound();
  for (let round = 0; round < rounds; round += 1) {
    most.alone.push(await probeAlone(url));
    const due = Math.round(median(most.alone.map(({ perSecond }) => perSecond)));
    for (const [at, threads] of THREADS.entries())
      most.whole[at]?.push(await wholeWay(url, due, threads));
    const fewer = Math.round(due * PACED_SHARE);
    paced.alone.push(await probeAlone(url, fewer));
    for (const [at, threads] of THREADS.entries())
      paced.whole[at]?.push(await wholeWay(url, fewer, threads));
  }
  return [
    `HTTP checks with a fresh connection each, ${rounds} rounds of ${SECONDS} s, medians`,
    "",
    "| | checks a second | CPU µs a check | ratio | ratio by CPU |",
    "|---|---|---|---|---|",
    ...[most, paced].flatMap(({ alone, whole }, at) => {
      const how = at === 0 ? "as many as can be" : `${PACED_SHARE} of that`;
      return [
        row(`the probe alone, ${how}`, alone, alone),
        ...whole.map((found, thread) =>
          row(`the whole way, ${THREADS[thread]} threads, ${how}`, found, alone),
        ),
      ];
    }),
  ].join("\n");
}

interface FoundOf {
  readonly alone: Found[];
  readonly whole: readonly Found[][];
}

function noneFound(): FoundOf {
  return { alone: [], whole: THREADS.map(() => []) };
}

function row(name: string, found: readonly Found[], alone: readonly Found[]): string {
  const ratios = found.map(({ perSecond }, round) => perSecond / (alone[round]?.perSecond ?? 1));
  const byCpu = found.map(({ cpuMicros }, round) => (alone[round]?.cpuMicros ?? 0) / cpuMicros);
  const perSecond = Math.round(median(found.map((one) => one.perSecond)));
  const cpuMicros = Math.round(median(found.map((one) => one.cpuMicros)));
  return `| ${name} | ${perSecond} | ${cpuMicros} | ${median(ratios).toFixed(2)} | ${median(byCpu).toFixed(2)} |`;
}

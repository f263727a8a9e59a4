import { createMemoryBus } from "../src/bus/memory/memory-bus.ts";
import { checkTypeOf } from "../src/checks/registry.ts";
import { createMassFailureGuard } from "../src/confirm/mass-failure-guard.ts";
import { createResolveTick } from "../src/confirm/resolve-tick.ts";
import { systemClock } from "../src/kit/clock.ts";
import type { SteadyClock } from "../src/kit/time/steady-clock.ts";
import { createEgress } from "../src/kit/net/egress.ts";
import { createIds } from "../src/kit/ids.ts";
import { silentLog } from "../src/kit/log.ts";
import { createOwnListener } from "../src/kit/net/own-listener.ts";
import { createMetrics } from "../src/app/metrics.ts";
import { createResolver } from "../src/kit/net/resolver.ts";
import { noStalls } from "../src/kit/time/event-loop-monitor.ts";
import { createLocationHandlers } from "../src/probe/location-handlers.ts";
import { createProbeThreads, probeWorker } from "../src/probe/probe-threads.ts";
import { createScheduler } from "../src/scheduler/scheduler.ts";
import { dataFolder, fill, median, openStore, startServer } from "./fixture.ts";
import { noHostLimits } from "../src/kit/fair/host-limiter.ts";

const SECONDS = 6;
const AT_ONCE = 100;
/** A minute passes in a second, so that checks of one minute can be had as often as they are needed. */
const FASTER = 60;

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

function pause(seconds: number): Promise<void> {
  return new Promise((resolve) => {
    systemClock.setTimer(resolve, seconds * 1000);
  });
}

/** The prepared check alone, as many at once as it takes. */
async function probeAlone(url: string): Promise<Found> {
  const type = checkTypeOf("HTTP");
  if (type?.driver !== "probe") throw new Error("no probe");
  const prepared = type.prepare({ target: url });
  let done = 0;
  let stopped = false;
  const loop = async (): Promise<void> => {
    while (!stopped) {
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
    }
  };
  const loops = Array.from({ length: AT_ONCE }, loop);
  await pause(1);
  const found = await measure(
    () => done,
    () => pause(SECONDS),
  );
  stopped = true;
  await Promise.all(loops);
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
  await fill(folder, checksPerSecond, () => ({
    type: "HTTP",
    timeoutSeconds: 90,
    intervalMinutes: 1,
    parameters: { target: url },
  }));
  const store = await openStore(folder, clock);
  let stored = 0;
  const { meter } = createMetrics({
    scheduledChecks: () => 0,
    canCommit: () => true,
    oldestCommitMs: () => 0,
    probeThreads: () => 0,
  });
  const counting = {
    ...store,
    append: async (result: Parameters<typeof store.append>[0]): Promise<void> => {
      await store.append(result);
      if (result.passed) stored += 1;
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
  const resolveTick = createResolveTick({
    store: counting,
    bus,
    massFailureGuard: createMassFailureGuard(clock),
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
    resolveTick,
    hostLimits: noHostLimits,
    clock,
    log,
    meter,
  });
  const stopping = new AbortController();
  const running = scheduler.run(stopping.signal);
  await pause(4);
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

/**
 * Checks a second from the scheduler to the stored result, in the main thread and in one thread of its own, against the same probe alone, all against
 * one server, in turns.
 */
export async function benchWholeWay(rounds: number): Promise<string> {
  await using target = await startServer("bench/baselines/http-server.ts");
  const url = `http://127.0.0.1:${target.port}/`;
  const alone: Found[] = [];
  const whole: { readonly threads: number; readonly found: Found[] }[] = THREADS.map((threads) => ({
    threads,
    found: [],
  }));
  for (let round = 0; round < rounds; round += 1) {
    alone.push(await probeAlone(url));
    // More is due than can be done, so that the rate found is the most there is.
    const due = Math.round(median(alone.map(({ perSecond }) => perSecond)));
    for (const { threads, found } of whole) found.push(await wholeWay(url, due, threads));
  }
  const row = (name: string, found: readonly Found[]): string => {
    const ratios = found.map(({ perSecond }, round) => perSecond / (alone[round]?.perSecond ?? 1));
    const byCpu = found.map(({ cpuMicros }, round) => (alone[round]?.cpuMicros ?? 0) / cpuMicros);
    const perSecond = Math.round(median(found.map((one) => one.perSecond)));
    const cpuMicros = Math.round(median(found.map((one) => one.cpuMicros)));
    return `| ${name} | ${perSecond} | ${cpuMicros} | ${median(ratios).toFixed(2)} | ${median(byCpu).toFixed(2)} |`;
  };
  return [
    `HTTP checks with a fresh connection each, ${rounds} rounds of ${SECONDS} s, medians`,
    "",
    "| | checks a second | CPU µs a check | ratio | ratio by CPU |",
    "|---|---|---|---|---|",
    row("the probe alone", alone),
    ...whole.map(({ threads, found }) => row(`the whole way, ${threads} threads`, found)),
  ].join("\n");
}

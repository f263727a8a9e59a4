import { monitorEventLoopDelay } from "node:perf_hooks";

import { latestTick } from "../../src/domain/check.ts";
import { noHostLimits } from "../../src/kit/concurrency/host-limiter.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { hash32 } from "../../src/kit/hash.ts";
import { silentLog } from "../../src/kit/log.ts";
import type { Sealer } from "../../src/kit/crypto/seal.ts";
import { createSteadyClock } from "../../src/kit/time/steady-clock.ts";
import { createScheduler } from "../../src/controller/scheduler/scheduler.ts";
import type { ActiveCheck } from "../../src/store/tables/checks.ts";
import { createActiveMapping } from "../../src/store/tables/checks/active-row.ts";
import { toRow } from "../../src/store/tables/checks/check-row.ts";
import { ordinaryCheck } from "./many-checks.ts";
import { heapInUse, latenesses, peakResident, serveOnce, type LatenessFound } from "./measured.ts";
import { pause } from "../worker.ts";

export interface SchedulingTask {
  readonly checks: number;
  readonly intervalMinutes: number;
  readonly settlingSeconds: number;
  readonly seconds: number;
}

export interface SchedulingFound extends LatenessFound {
  readonly readyMs: number;
  readonly blockedAfterMs: number;
  readonly heapBytes: number;
  readonly residentBytes: number;
  readonly peakResidentBytes: number;
  readonly cpuShare: number;
  readonly startsPerSecond: number;
  readonly missed: number;
}

/** As many as the store reads at once. */
const PAGE_ROWS = 200;
/** Nothing is read from a store here, so that nothing is decrypted. */
const plain: Pick<Sealer, "seal" | "open"> = {
  seal: (text) => Buffer.from(text),
  open: (bytes) => Buffer.from(bytes).toString(),
};

/** Made of rows, as the store makes them, so that they take as much memory. */
async function* pagesOf({
  checks,
  intervalMinutes,
}: SchedulingTask): AsyncGenerator<readonly ActiveCheck[], void, undefined> {
  const sealer = { ...plain, deriveKey: () => new Uint8Array() };
  const fromRow = createActiveMapping(sealer);
  for (let from = 0; from < checks; from += PAGE_ROWS) {
    const length = Math.min(PAGE_ROWS, checks - from);
    yield Array.from({ length }, (_, index) => {
      const no = from + index + 1;
      const check = { ...ordinaryCheck(no), intervalMinutes };
      const row = { ...toRow(check, sealer), ...ofOthers, no, active_since: check.createdAt };
      const last = latestTick(hash32(check.id), intervalMinutes, systemClock.now());
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what is inserted is what would be read
      return fromRow(row as Parameters<typeof fromRow>[0], {
        last: { tick: last, startedAt: last },
        certificates: undefined,
      });
    });
    await pause(0);
  }
}

/** Columns from other tables than that of checks. */
const ofOthers = {
  state: "passing",
  failing_locations: null,
  gap_kind: null,
  gap_reason: null,
  gap_message: null,
  gap_first_tick: null,
  gap_last_tick: null,
  gap_ticks: null,
  parent_id: null,
  default_recheck_wait: 5,
  default_regions: '["wlw"]',
} as const;

async function measure(task: SchedulingTask): Promise<SchedulingFound> {
  const clock = createSteadyClock(systemClock);
  const stopping = new AbortController();
  const lateness = latenesses();
  let [starts, missed, measuring] = [0, 0, false];
  const scheduler = createScheduler({
    store: {
      checks: {
        listActive: () => pagesOf(task),
        findActive: () => Promise.resolve(undefined),
      },
      write: () => Promise.reject(new Error("nothing is stored")),
    },
    bus: { changes: { publish() {}, subscribe() {} } },
    runTick() {
      if (measuring) starts += 1;
      return Promise.resolve(true);
    },
    hostLimits: noHostLimits,
    clock,
    log: silentLog,
    meter: {
      count(event, _labels, by = 1) {
        if (measuring && event === "scheduler.tick_missed") missed += by;
      },
      observe(event, ms) {
        if (measuring && event === "scheduler.lateness") lateness.add(ms);
      },
    },
  });
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const began = systemClock.monotonic();
  const running = scheduler.run(stopping.signal);
  while (scheduler.checkCount() < task.checks) await pause(0.1);
  const readyMs = systemClock.monotonic() - began;
  await pause(task.settlingSeconds);
  delays.reset();
  measuring = true;
  const before = { at: systemClock.monotonic(), cpu: process.cpuUsage() };
  await pause(task.seconds);
  measuring = false;
  const { user, system } = process.cpuUsage(before.cpu);
  const elapsedMs = systemClock.monotonic() - before.at;
  const blockedAfterMs = delays.max / 1e6;
  const residentBytes = process.memoryUsage.rss();
  const heapBytes = await heapInUse();
  stopping.abort();
  await running;
  return {
    readyMs,
    blockedAfterMs,
    heapBytes,
    residentBytes,
    peakResidentBytes: peakResident(),
    cpuShare: (user + system) / 1000 / elapsedMs,
    startsPerSecond: (1000 * starts) / elapsedMs,
    missed,
    ...lateness.found(),
  };
}

serveOnce(measure);

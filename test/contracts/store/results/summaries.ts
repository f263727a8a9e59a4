import assert from "node:assert/strict";
import { test } from "node:test";

import {
  quantileMs,
  summaryPhases,
  type RunSummary,
  type SummaryPhase,
} from "../../../../src/domain/run/run-summary.ts";
import type { Result } from "../../../../src/domain/run/result.ts";
import { RESULTS_KEPT_DAYS } from "../../../../src/store/retention.ts";
import type { StoredSummary } from "../../../../src/store/results.ts";
import type { Store } from "../../../../src/store/store.ts";
import { randomNumbers } from "../../../fuzz/random-numbers.ts";
import { aCheck, alice, aResult, minute, noon } from "../../../record-builders.ts";
import type { ContractStore } from "../contract-store.ts";
import type { OpenStore } from "../store.ts";

const hour = 60 * minute;
const day = 24 * hour;
const midnight = noon - 12 * hour;

/** A result of any kind that runs may have. */
export function anyResult(checkNo: number, startedAt: number, random: () => number): Result {
  const location = ["fra", "nyc", "syd"][Math.floor(random() * 3)] ?? "fra";
  const total = Math.round(10 ** (random() * 4) * 10) / 10;
  const phases = [0.1, 0.3, 0.6, 0.9].map((share) => Math.round(total * share * 10) / 10);
  const [dns = 0, connect = 0, tls = 0, firstByte = 0] = phases;
  const kind = random();
  if (kind < 0.1)
    return aResult(checkNo, startedAt, { location, passed: false, reason: "timeout" });
  if (kind < 0.2) return aResult(checkNo, startedAt, { location, runtimeMs: 0 });
  const common = { location, runtimeMs: Math.round(total) };
  if (kind < 0.4) return aResult(checkNo, startedAt, common);
  if (kind < 0.6) return aResult(checkNo, startedAt, { ...common, timings: { connect, total } });
  const timings = { dns, connect, tls, firstByte, total };
  return aResult(checkNo, startedAt, { ...common, timings });
}

/** Counts results independently of the code under test. */
function counted(results: readonly Result[], stepMs: number): ReadonlyMap<string, Counted> {
  const groups = Map.groupBy(
    results,
    ({ startedAt, location }) => `${Math.floor(startedAt / stepMs) * stepMs} ${location}`,
  );
  return new Map([...groups].map(([key, runs]) => [key, countOf(runs)]));
}

interface Counted {
  readonly runs: number;
  readonly failures: number;
  readonly times: readonly number[];
  readonly phases: Readonly<Record<SummaryPhase, number>>;
}

function countOf(runs: readonly Result[]): Counted {
  const passed = runs.filter((run) => run.passed);
  const timed = passed.filter(({ runtimeMs, timings }) => runtimeMs !== 0 || timings !== undefined);
  const phases = { dns: 0, connect: 0, tls: 0, firstByte: 0, rest: 0 };
  for (const { timings } of timed) {
    if (timings === undefined) continue;
    const { dns = 0, connect = dns, tls = connect, firstByte = tls, total } = timings;
    phases.dns += dns;
    phases.connect += connect - dns;
    phases.tls += tls - connect;
    phases.firstByte += firstByte - tls;
    phases.rest += total - firstByte;
  }
  return {
    runs: runs.length,
    failures: runs.length - passed.length,
    times: timed.map(({ runtimeMs }) => runtimeMs).toSorted((one, other) => one - other),
    phases,
  };
}

export function assertCounted(
  summaries: readonly StoredSummary[],
  results: readonly Result[],
  stepMs: number,
): void {
  const expected = counted(results, stepMs);
  assert.deepEqual(
    summaries.map(({ at, location }) => `${at} ${location}`).toSorted(),
    [...expected.keys()].toSorted(),
  );
  for (const { at, location, summary } of summaries) {
    const known = expected.get(`${at} ${location}`);
    assert.ok(known);
    assertSummary(summary, known);
  }
}

function assertSummary(summary: RunSummary, { runs, failures, times, phases }: Counted): void {
  assert.deepEqual([summary.runs, summary.failures, summary.timed], [runs, failures, times.length]);
  assert.deepEqual(
    [summary.minMs, summary.maxMs, summary.sumMs],
    [times[0] ?? 0, times.at(-1) ?? 0, times.reduce((sum, ms) => sum + ms, 0)],
  );
  for (const phase of summaryPhases)
    assert.ok(Math.abs(summary.phaseTenths[phase] / 10 - phases[phase]) < 0.01 * (runs + 1), phase);
  for (const share of [0.01, 0.5, 0.95, 1]) {
    const exact = times[Math.max(0, Math.ceil(share * times.length) - 1)];
    const read = quantileMs(summary, share);
    if (exact === undefined) assert.equal(read, undefined);
    else
      assert.ok(
        Math.abs((read ?? NaN) - exact) <= 0.048 * exact,
        `${share}: ${read} is not ${exact}`,
      );
  }
}

async function assertAll(store: Store, checkNo: number, results: readonly Result[]): Promise<void> {
  const range = { checkNo, from: 0, to: noon + 400 * day };
  for (const stepMs of [hour, day, 10 * minute])
    assertCounted(await store.results.summaries({ ...range, stepMs }), results, stepMs);
}

async function housekeep(store: ContractStore, ms: number): Promise<void> {
  await store.pass(ms);
  await store.runHousekeeping();
}

export function summaryContract(open: OpenStore): void {
  for (const seed of [1, 2, 3]) {
    test(`summaries are what the results add up to, whenever they come and are packed (${seed})`, async () => {
      await using store = await open();
      const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
      const random = randomNumbers(seed);
      const results = new Map<number, Result>();
      for (let round = 0; round < 6; round += 1) {
        const now = noon + round * day;
        for (let index = 0; index < 60; index += 1) {
          // Most are of the last hours, and some come days late.
          const lateMs = random() < 0.2 ? random() * 4 * day : random() * 10 * hour;
          const startedAt = Math.round(now - lateMs);
          if (results.has(startedAt)) continue;
          const result = anyResult(no, startedAt, random);
          results.set(startedAt, result);
          await store.append(result);
        }
        await assertAll(store, no, [...results.values()]);
        await housekeep(store, day);
        await assertAll(store, no, [...results.values()]);
      }
      assert.ok((await store.count("daily_summaries")) >= 5);
    });
  }

  test("a result that is stored twice is counted once", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const result = aResult(no, noon);
    await store.append(result);
    await housekeep(store, day);
    await store.append(result);
    await assertAll(store, no, [result]);
    await housekeep(store, day);
    await assertAll(store, no, [result]);
  });

  test("a range has the stretches that begin in it, and those of other checks are not in it", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const other = await store.write(({ checks }) => checks.insert(aCheck("other")));
    for (let at = midnight; at < midnight + 3 * day; at += hour)
      for (const checkNo of [no, other.no]) await store.append(aResult(checkNo, at));
    for (let round = 0; round < 2; round += 1) {
      const begin = async (from: number, to: number, stepMs: number) =>
        (await store.results.summaries({ checkNo: no, from, to, stepMs })).map(({ at }) => at);
      assert.deepEqual(await begin(midnight + 23 * hour, midnight + 25 * hour + 1, hour), [
        midnight + 23 * hour,
        midnight + 24 * hour,
        midnight + 25 * hour,
      ]);
      assert.deepEqual(await begin(midnight + day, midnight + 2 * day, day), [midnight + day]);
      assert.deepEqual(await begin(midnight + 1, midnight + day, day), []);
      assert.deepEqual(await begin(midnight + day, midnight, hour), []);
      await housekeep(store, 4 * day);
    }
  });

  test("they stay when their results go, those by hour for 90 days, and what comes late then is added", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const results = [aResult(no, noon), aResult(no, noon + minute, { runtimeMs: 70 })];
    for (const result of results) await store.append(result);
    const runDays = async (days: number): Promise<void> => {
      for (let count = 0; count < days; count += 1) {
        await store.pass(day / 2);
        await store.runHousekeeping();
        await housekeep(store, day / 2);
      }
    };
    await runDays(RESULTS_KEPT_DAYS + 3);
    assert.equal(await store.results.last(no), undefined);
    const range = { checkNo: no, from: 0, to: noon + 400 * day };
    for (const stepMs of [hour, day])
      assertCounted(await store.results.summaries({ ...range, stepMs }), results, stepMs);
    await runDays(60);
    assert.deepEqual(await store.results.summaries({ ...range, stepMs: hour }), []);
    assertCounted(await store.results.summaries({ ...range, stepMs: day }), results, day);
  });

  test("those of a deleted check are purged", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    await store.append(aResult(no, noon));
    await housekeep(store, 2 * day);
    assert.equal(await store.count("hourly_summaries"), 1);
    await store.write(({ checks }) => checks.remove(alice.id, "check", noon));
    for (let rounds = 0; rounds < 3; rounds += 1) await housekeep(store, 11 * minute);
    assert.equal(await store.count("hourly_summaries"), 0);
    assert.equal(await store.count("daily_summaries"), 0);
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createIds } from "../../../src/kit/ids.ts";
import { silentLog } from "../../../src/kit/log.ts";
import { noMeter } from "../../../src/kit/meter.ts";
import { createHeartbeats, type Heartbeats } from "../../../src/heartbeats/heartbeats.ts";
import type { HeartbeatState } from "../../../src/heartbeats/heartbeat-states.ts";
import { failed } from "../../../src/domain/run/outcome.ts";
import type { Store } from "../../../src/store/store.ts";
import { aHeartbeat, aPushCheck } from "../../harnesses/push-harness.ts";
import { noon } from "../../record-builders.ts";
import { drainEventLoop, fakeClock, type FakeClock } from "../../time/fake-clock.ts";
import { waitFor } from "../../time/wait-for.ts";
import type { OpenStore } from "./store.ts";

/** Actions of two processes on one check, in the order in which their transactions reach the store. */
interface Step {
  readonly process: 0 | 1;
  readonly what: "pass" | "fail" | "stale" | "change" | "release";
  /** Time that passes before it, for example while both processes are suspended. */
  readonly passedMs: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  process: fc.constantFrom(0 as const, 1 as const),
  what: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom("pass" as const, "fail" as const) },
    { weight: 4, arbitrary: fc.constant("release" as const) },
    { weight: 1, arbitrary: fc.constantFrom("stale" as const, "change" as const) },
  ),
  passedMs: fc.constantFrom(0, 1, 40, 10_000),
});

const does = (process: 0 | 1, what: Step["what"], passedMs = 0): Step => ({
  process,
  what,
  passedMs,
});

/** A check's state must match its newest result, whichever process stored it and in whatever order. */
export function oppositeHeartbeatContract(open: OpenStore): void {
  for (const { name, steps } of [
    {
      name: "the older of two opposite heartbeats that is stored last",
      steps: [does(0, "fail"), does(1, "pass", 40), does(1, "release"), does(0, "release")],
    },
    {
      name: "the same after ten seconds in which both processes stood still",
      steps: [does(0, "fail"), does(1, "pass", 40), does(1, "release", 10_000), does(0, "release")],
    },
    {
      name: "opposite heartbeats of one millisecond",
      steps: [does(0, "fail"), does(1, "pass"), does(0, "release"), does(1, "release")],
    },
  ])
    test(`the state of a check follows ${name}`, async () => {
      await using store = await open();
      await runSteps(store, { steps, offsetMs: 0 });
    });

  test("of two processes that receive heartbeats of a check, whatever is stored last decides", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 4, maxLength: 14 }),
        fc.constantFrom(-300, 0, 300),
        async (steps, offsetMs) => {
          await using store = await open();
          await runSteps(store, { steps, offsetMs });
        },
      ),
      { numRuns: 15 },
    );
  });
}

async function runSteps(
  store: Store,
  { steps, offsetMs }: { readonly steps: readonly Step[]; readonly offsetMs: number },
): Promise<void> {
  const clock = fakeClock();
  const check = await store.write((tx) =>
    tx.checks.insert(aPushCheck({ parameters: { fields: { a: { name: "a", max: 1 } } } })),
  );
  const processes = [openProcess(store, clock), openProcess(store, shifted(clock, offsetMs))];
  const sender = { peer: "192.0.2.1", maySend: () => true };
  // Both know the check as passing.
  for (const { heartbeats, openGate } of processes) {
    openGate(true);
    assert.equal(await heartbeats.accept(aHeartbeat({ a: 0 }), sender), "accepted");
    openGate(false);
    await clock.advance(1000);
  }
  const inFlight: Promise<unknown>[] = [];
  let revision = check.revision;
  for (const { process, what, passedMs } of steps) {
    await clock.advance(passedMs);
    const { heartbeats, release } = processes[process] ?? assert.fail();
    if (what === "release") release();
    else if (what === "change") {
      revision += 1;
      const changed = { ...check, revision, revisionHash: String(revision) };
      await store.write((tx) => tx.checks.update(changed, clock.now()), { checks: [check.no] });
    } else if (what === "stale") inFlight.push(failStale(heartbeats, check.id));
    else inFlight.push(heartbeats.accept(aHeartbeat({ a: what === "pass" ? 0 : 2 }), sender));
    for (const { settled } of processes) await settled();
  }
  for (const { openGate } of processes) openGate(true);
  await Promise.all(inFlight);
  await assertConsistent(store, check.no);
}

async function failStale(heartbeats: Heartbeats, id: string): Promise<boolean> {
  const state: HeartbeatState | undefined = await heartbeats.findAnew(id);
  assert.ok(state);
  const outcome = failed("stale", "Results are old", "");
  return heartbeats.failStale(state, outcome, () => Promise.resolve(true));
}

/** State and down spans are those that the results make, in the order in which they are listed. */
async function assertConsistent(store: Store, checkNo: number): Promise<void> {
  const query = { checkNo, from: 0, to: noon * 2, limit: 100, order: "oldest" } as const;
  const results = (await Array.fromAsync(store.results.page(query))).flat();
  const changes = results.filter(({ passed }, index) => passed !== results[index - 1]?.passed);
  const expected = changes
    .slice(1)
    .flatMap(({ passed, startedAt }, index) =>
      passed ? [] : [[startedAt, changes[index + 2]?.startedAt]],
    );
  const spans = await store.states.listDownSpans(checkNo, 0, noon * 2);
  assert.deepEqual(
    spans.map(({ start, end }) => [start, end]),
    expected,
  );
  const { state } = await store.states.get(checkNo);
  assert.equal(state, results.at(-1)?.passed === true ? "passing" : "failing");
}

/** A process whose units wait at a gate: closed, it lets one through for each release, and what that one tries again. */
function openProcess(store: Store, clock: FakeClock) {
  let isOpen = false;
  let busy = 0;
  const waiting: (() => void)[] = [];
  const counted = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    busy += 1;
    try {
      return await work();
    } finally {
      busy -= 1;
    }
  };
  const gated = async <Value>(unit: () => Promise<Value>): Promise<Value> => {
    if (!isOpen) await new Promise<void>((resolve) => waiting.push(resolve));
    return counted(unit);
  };
  const { checks, accounts, results, startedRuns } = store;
  const heartbeats = createHeartbeats({
    store: {
      ...store,
      checks: { ...checks, findById: (id) => counted(() => checks.findById(id)) },
      accounts: { ...accounts, find: (id) => counted(() => accounts.find(id)) },
      results: { ...results, last: (...args) => counted(() => results.last(...args)) },
      startedRuns: {
        ...startedRuns,
        find: (key) => counted(() => startedRuns.find(key)),
        list: (checkNo) => counted(() => startedRuns.list(checkNo)),
      },
      append: (...args) => gated(() => store.append(...args)),
      write: (...args) => gated(() => store.write(...args)),
    },
    sharesChecks: true,
    flipped() {},
    ids: createIds(),
    clock,
    log: silentLog,
    meter: noMeter,
  });
  return {
    heartbeats,
    /** Resolves once all that was begun is stored, or waits at the gate. */
    settled: async (): Promise<void> => {
      await waitFor("the process to wait", async () => {
        if (busy > 0) return false;
        await drainEventLoop(2);
        return busy === 0;
      });
    },
    release: () => waiting.shift()?.(),
    openGate: (open: boolean) => {
      isOpen = open;
      if (open) for (const pass of waiting.splice(0)) pass();
    },
  };
}

const shifted = (clock: FakeClock, byMs: number): FakeClock => ({
  ...clock,
  now: () => clock.now() + byMs,
});

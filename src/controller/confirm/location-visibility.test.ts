import assert from "node:assert/strict";
import { test } from "node:test";

import {
  schedulerHarness,
  up,
  type LocationReply,
} from "../../../test/harnesses/scheduler-harness.ts";
import { alice, minute } from "../../../test/record-builders.ts";
import type { DueTick } from "../../tracking/due-tick.ts";
import { trackCheck } from "../../tracking/tracked-check.ts";
import type { Job } from "../../bus/bus.ts";
import type { Check } from "../../domain/check.ts";
import { failed, type Outcome } from "../../domain/run/outcome.ts";
import { silentLog } from "../../kit/log.ts";
import { noMeter } from "../../kit/meter.ts";
import { createLocationVisibility } from "./location-visibility.ts";

const PUBLIC = { A: "198.51.100.1", B: "203.0.113.2", C: "203.0.113.3" } as const;
const PRIVATE = { A: "10.0.0.1", B: "10.0.0.2", C: "10.0.0.3" } as const;

/** Simulated targets. Each location reaches those that are up unless it is cut off. */
function world(addresses: Readonly<Record<string, string>>) {
  const down = new Set<string>();
  const cutOff = new Set<string>();
  /** Names for which the resolver has no answer any more. */
  const unnamed = new Set<string>();
  const timeout = (address: string): Outcome => ({
    ...failed("timeout", "Timeout", "Timeout connecting"),
    address,
  });
  const replyAt =
    (location: string): LocationReply =>
    ({ checkId }: Job) => {
      const address = addresses[checkId] ?? "";
      if (unnamed.has(checkId)) return failed("timeout", "Timeout", "Timeout looking up the name");
      const isReached = !down.has(checkId) && !cutOff.has(location);
      return isReached ? { ...up, address } : timeout(address);
    };
  return { down, cutOff, unnamed, replyAt };
}

async function scene(
  addresses: Readonly<Record<string, string>>,
  codes: readonly string[],
  changes: Readonly<Record<string, Partial<Check>>> = {},
) {
  const { down, cutOff, unnamed, replyAt } = world(addresses);
  const isPublic = !Object.values(addresses).some((address) => /^(10|127)\./.test(address));
  const site = await schedulerHarness(
    Object.fromEntries(codes.map((code) => [code, replyAt(code)])),
    { isPublic: () => isPublic },
  );
  site.start();
  const numbers = new Map<string, number>();
  for (const id of Object.keys(addresses))
    numbers.set(
      id,
      await site.add(id, {
        rechecks: 0,
        parameters: { target: `${id.toLowerCase()}.example.net`, port: 80 },
        ...changes[id],
      }),
    );
  const stateOf = async (id: string) => (await site.store.states.get(numbers.get(id) ?? 0)).state;
  const all = async (wanted: string): Promise<boolean> =>
    (await Promise.all([...numbers.keys()].map(stateOf))).every((state) => state === wanted);
  await site.until("all are up", () => all("passing"));
  const gapOf = async (id: string) => (await site.store.checks.find(alice.id, id))?.openGap;
  return { site, down, cutOff, unnamed, stateOf, all, gapOf, numbers };
}

test("a location that reaches no public target flips none of them, however long", async () => {
  await using stack = new AsyncDisposableStack();
  const { site, cutOff, all } = await scene(PUBLIC, ["aa"]);
  stack.use(site);
  const flips = site.flips();
  cutOff.add("aa");
  await site.clock.advance(20 * minute);
  assert.deepEqual([site.flips(), await all("passing")], [flips, true]);
  assert.equal(site.sight.isOnline("aa"), false);
  assert.ok(site.warnings.includes("confirm.location_blind"));
  const events = await site.store.states.listCurrentEvents(alice.id);
  assert.deepEqual(
    events.map(({ kind }) => kind),
    [],
  );
  cutOff.clear();
  await site.clock.advance(2 * minute);
  assert.deepEqual([site.flips(), site.sight.isOnline("aa")], [flips, true]);
});

test("the check shows that its location seems to be offline", async () => {
  await using stack = new AsyncDisposableStack();
  const { site, cutOff, gapOf } = await scene(PUBLIC, ["aa"]);
  stack.use(site);
  cutOff.add("aa");
  const gap = await site.until("a gap", () => gapOf("A"));
  assert.deepEqual(
    [gap?.reason, gap?.message],
    [
      "offline",
      "location aa seems to be offline: none of its public targets that passed before passes (Timeout connecting)",
    ],
  );
});

test("another location that reaches the target decides at once", async () => {
  await using stack = new AsyncDisposableStack();
  const { site, cutOff, all, gapOf } = await scene(PUBLIC, ["aa", "bb"]);
  stack.use(site);
  const flips = site.flips();
  cutOff.add("aa");
  await site.clock.advance(5 * minute);
  assert.deepEqual([site.flips(), await all("passing")], [flips, true]);
  for (const id of Object.keys(PUBLIC)) assert.equal(await gapOf(id), undefined);
});

test("a target that fails alone is down, and another is run to show that the location is online", async () => {
  await using stack = new AsyncDisposableStack();
  const hourly = { intervalMinutes: 60 };
  const { site, down, stateOf } = await scene(PUBLIC, ["aa"], { B: hourly, C: hourly });
  stack.use(site);
  await site.clock.advance(5 * minute);
  const before = site.jobs.length;
  down.add("A");
  await site.until("it is down", async () => (await stateOf("A")) === "failing");
  const others = site.jobs.slice(before).filter(({ job }) => job.checkId !== "A");
  assert.ok(others.length > 0 && others.length <= 3, `${others.length} runs of others`);
  assert.equal(site.sight.isOnline("aa"), true);
});

test("a target that is down already is no witness: the last one that is up goes down, too", async () => {
  await using stack = new AsyncDisposableStack();
  const { site, down, stateOf, all } = await scene(PUBLIC, ["aa"]);
  stack.use(site);
  for (const id of ["B", "C", "A"]) {
    down.add(id);
    await site.until(`${id} is down`, async () => (await stateOf(id)) === "failing");
    await site.clock.advance(2 * minute);
  }
  assert.ok(await all("failing"));
});

test("the only public target of a location goes down", async () => {
  await using stack = new AsyncDisposableStack();
  const { site, down, stateOf } = await scene({ A: PUBLIC.A }, ["aa"]);
  stack.use(site);
  down.add("A");
  await site.until("it is down", async () => (await stateOf("A")) === "failing");
});

test("two names of one address are one target", async () => {
  await using stack = new AsyncDisposableStack();
  const { site, down, all } = await scene({ A: PUBLIC.A, B: PUBLIC.A }, ["aa"]);
  stack.use(site);
  for (const id of ["A", "B"]) down.add(id);
  await site.until("both are down", () => all("failing"));
});

test("a check that was disabled is not run as a witness", async () => {
  await using stack = new AsyncDisposableStack();
  const { site, down, stateOf } = await scene({ A: PUBLIC.A, B: PUBLIC.B }, ["aa"]);
  stack.use(site);
  await site.change("B", { enabled: false });
  await site.clock.advance(1000);
  const before = site.jobs.length;
  down.add("A");
  await site.until("it is down", async () => (await stateOf("A")) === "failing");
  assert.ok(site.jobs.slice(before).every(({ job }) => job.checkId === "A"));
});

// guard: witnesses that are run once in a second
test("witnesses are run once in a second, however many checks fail", async () => {
  await using stack = new AsyncDisposableStack();
  const hourly = { intervalMinutes: 60 };
  const { site } = await scene({ A: PUBLIC.A, B: PUBLIC.B }, ["aa"], { A: hourly, B: hourly });
  stack.use(site);
  await site.clock.advance(5 * minute);
  const record = await site.store.checks.find(alice.id, "A");
  assert.ok(record);
  const tracked = trackCheck({ ...record, state: "passing" }, { latest: 0, recent: [] });
  const before = site.jobs.length;
  const asked = (): number => site.jobs.length - before;
  const fail = () =>
    site.sight.blindSide(tracked, {
      location: "aa",
      startedAt: site.clock.now(),
      endedAt: site.clock.now(),
      outcome: { ...failed("timeout", "Timeout", "Timeout"), address: PUBLIC.A },
      connectivityConfirmed: false,
    });
  assert.equal(await fail(), undefined);
  const first = asked();
  assert.ok(first > 0);
  await site.clock.advance(10);
  const judged = Promise.all(Array.from({ length: 50 }, fail));
  await site.clock.advance(980);
  assert.equal(asked(), first);
  await site.clock.advance(20);
  await judged;
  assert.equal(asked(), 2 * first);
});

/** The sight of a process that has just begun over the store and the bus of a site, and how it judges a timeout of a check there. */
async function newProcess({ store, bus, clock }: Awaited<ReturnType<typeof scene>>["site"]) {
  const egress = { isPublic: (address: string) => !address.startsWith("10.") };
  const sight = createLocationVisibility({
    store,
    bus,
    egress,
    clock,
    log: silentLog,
    meter: noMeter,
  });
  const trackedOf = async (id: string) => {
    const pages = await Array.fromAsync(store.checks.listActive());
    const active = pages.flat().find(({ check }) => check.id === id);
    assert.ok(active);
    return { active, tracked: trackCheck(active, { latest: 0, recent: [] }) };
  };
  const runOf = (outcome: Outcome) => ({
    location: "aa",
    startedAt: clock.now(),
    endedAt: clock.now(),
    outcome,
    connectivityConfirmed: false,
  });
  const dueOf = (active: DueTick["active"]): DueTick => ({
    active,
    tick: 0,
    known: { tracked: undefined },
    consumeMissedFlag: () => false,
    rest: () => Promise.resolve(),
    signal: new AbortController().signal,
  });
  return {
    pass: async (id: string, address: string): Promise<void> => {
      const { active, tracked } = await trackedOf(id);
      sight.record(dueOf(active), tracked, runOf({ ...up, address }));
    },
    blindSide: async (id: string, address: string) => {
      const { active, tracked } = await trackedOf(id);
      await clock.advance(1);
      const run = runOf({ ...failed("timeout", "Timeout", "Timeout"), address });
      sight.record(dueOf(active), tracked, run);
      const side = sight.blindSide(tracked, run);
      // Witnesses are asked when the run fails, and again a second later.
      await clock.advance(2000);
      return side;
    },
  };
}

test("after a restart, or with one host of its own, a process has its witnesses from the store", async () => {
  for (const ownHost of [false, true])
    for (const isCutOff of [false, true]) {
      await using stack = new AsyncDisposableStack();
      const { site, cutOff, down } = await scene({ A: PUBLIC.A, B: PUBLIC.B }, ["aa"]);
      stack.use(site);
      const { pass, blindSide } = await newProcess(site);
      if (ownHost) await pass("A", PUBLIC.A);
      if (isCutOff) cutOff.add("aa");
      else down.add("A");
      assert.equal(await blindSide("A", PUBLIC.A), isCutOff ? "public" : undefined);
    }
});

test("the failing check, one of its host, of the other side, or that is down is no witness from the store", async () => {
  for (const addresses of [
    { A: PUBLIC.A },
    { A: PUBLIC.A, B: PUBLIC.A },
    { A: PUBLIC.A, B: PRIVATE.B },
  ]) {
    await using stack = new AsyncDisposableStack();
    const { site, cutOff } = await scene(addresses, ["aa"]);
    stack.use(site);
    const { blindSide } = await newProcess(site);
    cutOff.add("aa");
    assert.equal(await blindSide("A", PUBLIC.A), undefined, JSON.stringify(addresses));
  }
  await using stack = new AsyncDisposableStack();
  const { site, down, stateOf } = await scene({ A: PUBLIC.A, B: PUBLIC.B }, ["aa"]);
  stack.use(site);
  down.add("B");
  await site.until("B is down", async () => (await stateOf("B")) === "failing");
  const { blindSide } = await newProcess(site);
  assert.equal(await blindSide("A", PUBLIC.A), undefined);
});

test("one location that is cut off from private targets flips none of them", async () => {
  await using stack = new AsyncDisposableStack();
  const { site, cutOff, all } = await scene(PRIVATE, ["aa", "bb", "cc"]);
  stack.use(site);
  await site.clock.advance(3 * minute);
  const flips = site.flips();
  cutOff.add("aa");
  await site.clock.advance(5 * minute);
  assert.deepEqual([site.flips(), await all("passing")], [flips, true]);
});

for (const count of [2, 8])
  test(`${count} private targets that their only location does not reach for 25 s stay up, and go down after the hold`, async () => {
    await using stack = new AsyncDisposableStack();
    const ids = Array.from({ length: count }, (_, index) => `T${index}`);
    const addresses = Object.fromEntries(ids.map((id, index) => [id, `10.0.1.${index + 1}`]));
    const { site, cutOff, all } = await scene(addresses, ["aa"]);
    stack.use(site);
    const flips = site.flips();
    await site.clock.advance(minute);
    for (let turn = 0; turn < 3; turn += 1) {
      cutOff.add("aa");
      await site.clock.advance(25_000);
      cutOff.delete("aa");
      await site.clock.advance(45_000);
    }
    assert.deepEqual([site.flips(), await all("passing")], [flips, true]);
    assert.ok(site.warnings.includes("confirm.mass_failure_hold"));
    cutOff.add("aa");
    await site.until("all are down", () => all("failing"));
  });

for (const codes of [["aa"], ["aa", "bb"]])
  test(`private targets that all fail together are down at ${codes.length} locations`, async () => {
    await using stack = new AsyncDisposableStack();
    const { site, down, all } = await scene(PRIVATE, codes);
    stack.use(site);
    for (const id of Object.keys(PRIVATE)) down.add(id);
    await site.until("all are down", () => all("failing"));
  });

test("names of private targets that are not found any more are down while others pass", async () => {
  await using stack = new AsyncDisposableStack();
  const { site, unnamed, stateOf } = await scene(PRIVATE, ["aa"]);
  stack.use(site);
  unnamed.add("A").add("B");
  await site.until("both are down", async () =>
    (await Promise.all(["A", "B"].map(stateOf))).every((state) => state === "failing"),
  );
  assert.equal(await stateOf("C"), "passing");
});

test("targets of this machine have no network between", async () => {
  await using stack = new AsyncDisposableStack();
  const { site, cutOff, all } = await scene({ A: "127.0.0.2", B: "127.0.0.3" }, ["aa", "bb"]);
  stack.use(site);
  cutOff.add("aa").add("bb");
  await site.until("all are down", () => all("failing"));
});

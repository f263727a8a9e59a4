import assert from "node:assert/strict";
import { suite, test } from "node:test";

import {
  down,
  schedulerHarness,
  up,
  type LocationReply,
} from "../../../test/harnesses/scheduler-harness.ts";
import { minute } from "../../../test/record-builders.ts";
import type { Check } from "../../domain/check.ts";

type Site = Awaited<ReturnType<typeof schedulerHarness>>;

/** Simulated locations, some of which cannot reach the target. */
function fleet(codes: string, failing: Set<string>): Readonly<Record<string, LocationReply>> {
  return Object.fromEntries(
    codes.split("").map((code) => [code, () => (failing.has(code) ? down : up)]),
  );
}

async function stateOf(site: Site, no: number): Promise<string | undefined> {
  return (await site.store.states.get(no)).state;
}

async function failsFrom(site: Site, no: number): Promise<string> {
  const { failingLocations } = await site.store.states.get(no);
  return failingLocations
    .map(({ location }) => location)
    .toSorted()
    .join("");
}

/** The first location of each tick of a check. */
function startsOf({ jobs }: Site, from = 0): readonly string[] {
  const starts = new Map<string, string>();
  for (const { location, job } of jobs.slice(from)) {
    const tick = job.id.split(".").at(-2) ?? "";
    if (!starts.has(tick)) starts.set(tick, location);
  }
  return [...starts.values()];
}

async function begin(site: Site, changes: Partial<Check> = {}): Promise<number> {
  site.start();
  const no = await site.add("CHECK", { intervalMinutes: 1, recheckWait: 0, ...changes });
  await site.until("a verdict", () => stateOf(site, no));
  return no;
}

/** Runs the check for a number of ticks and returns every state it had. */
async function statesOver(site: Site, no: number, ticks: number): Promise<readonly unknown[]> {
  const states: unknown[] = [];
  for (let tick = 0; tick < ticks; tick += 1) {
    await site.clock.advance(minute);
    states.push(await stateOf(site, no));
  }
  return states;
}

suite("ticks go round the locations", () => {
  test("each location begins a tick in turn", async () => {
    await using site = await schedulerHarness(fleet("abc", new Set()));
    const no = await begin(site);
    const before = site.jobs.length;
    await statesOver(site, no, 6);
    const starts = startsOf(site, before);
    assert.deepEqual(new Set(starts.slice(0, 3)), new Set("abc"));
    assert.deepEqual(starts.slice(3, 6), starts.slice(0, 3));
  });

  test("a check with a home begins there, while that is live", async () => {
    await using site = await schedulerHarness(fleet("abc", new Set()));
    const no = await begin(site, { home: "b" });
    const before = site.jobs.length;
    await statesOver(site, no, 4);
    assert.deepEqual(new Set(startsOf(site, before)), new Set("b"));
  });
});

suite("a location that fails while others reach the target", () => {
  test("is shown on the check, which stays up, until it reaches the target again", async () => {
    const failing = new Set<string>();
    await using site = await schedulerHarness(fleet("abc", failing));
    const no = await begin(site);
    failing.add("a").add("b");
    const since = site.clock.now();
    assert.deepEqual(new Set(await statesOver(site, no, 3)), new Set(["passing"]));
    assert.equal(await failsFrom(site, no), "ab");
    const [first] = (await site.store.states.get(no)).failingLocations;
    assert.ok((first?.since ?? 0) >= since);
    assert.equal(first?.reason, "refused");
    failing.clear();
    await statesOver(site, no, 3);
    assert.equal(await failsFrom(site, no), "");
  });

  test("is named in the results of the ticks that it failed in", async () => {
    const failing = new Set(["a"]);
    await using site = await schedulerHarness(fleet("abc", failing));
    const no = await begin(site, { rechecks: 1 });
    await statesOver(site, no, 3);
    const results = (await site.results(no)).slice(-3);
    const failed = results.flatMap(({ earlierRuns }) =>
      earlierRuns.filter(([, , passed]) => !passed).map(([, location]) => location),
    );
    assert.deepEqual(failed, ["a"]);
    assert.ok(results.every(({ passed }) => passed));
  });

  test("is not shown for good once it is gone", async () => {
    const failing = new Set(["a"]);
    await using site = await schedulerHarness(fleet("abc", failing));
    const no = await begin(site, { rechecks: 1 });
    await site.until("it fails from a", async () => (await failsFrom(site, no)) === "a");
    site.leave("a");
    await site.until("no longer", async () => (await failsFrom(site, no)) === "");
  });

  test("is known to the process that runs the check next, and so is its first failure", async () => {
    const failing = new Set(["a"]);
    await using site = await schedulerHarness(fleet("abc", failing));
    const no = await begin(site, { rechecks: 1 });
    await site.until("it fails from a", async () => (await failsFrom(site, no)) === "a");
    const [before] = (await site.store.states.get(no)).failingLocations;
    await site.change("CHECK", { intervalMinutes: 2 });
    await statesOver(site, no, 8);
    assert.deepEqual((await site.store.states.get(no)).failingLocations, [before]);
  });

  test("takes nothing down and up in turn, whatever the check asks for", async () => {
    for (const [rechecks, codes, broken] of [
      [0, "abc", "a"],
      [1, "abcd", "ab"],
      [1, "abcd", "ac"],
      [2, "abcdef", "abc"],
      [2, "abc", "ab"],
    ] as const) {
      const failing = new Set<string>();
      await using site = await schedulerHarness(fleet(codes, failing));
      const no = await begin(site, { rechecks });
      for (const code of broken) failing.add(code);
      const states = await statesOver(site, no, 3 * codes.length);
      const flips = states.filter((state, index) => index > 0 && state !== states[index - 1]);
      assert.ok(flips.length <= 1, `${rechecks} rechecks, ${broken} of ${codes}: ${states.join()}`);
      failing.clear();
      await site.until("it is up", async () => (await stateOf(site, no)) === "passing");
    }
  });

  test("where a check has one location, its state says it all", async () => {
    const failing = new Set(["a"]);
    await using site = await schedulerHarness(fleet("a", failing));
    const no = await begin(site);
    assert.equal(await stateOf(site, no), "failing");
    assert.equal(await failsFrom(site, no), "");
  });
});

test("an outage is confirmed from other locations wherever its tick began, and shows all of them", async () => {
  const failing = new Set<string>();
  await using site = await schedulerHarness(fleet("abcd", failing));
  const no = await begin(site);
  for (const code of "abcd") failing.add(code);
  const before = site.jobs.length;
  await site.until("it is down", async () => (await stateOf(site, no)) === "failing");
  const asked = site.jobs.slice(before).map(({ location }) => location);
  assert.equal(asked.length, 3);
  assert.equal(new Set(asked).size, 3);
  await statesOver(site, no, 4);
  assert.equal(await failsFrom(site, no), "abcd");
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { schedulerHarness, up } from "../../../test/harnesses/scheduler-harness.ts";
import { minute } from "../../../test/record-builders.ts";
import type { Report } from "../../bus/bus.ts";

test("muting does not run a check", async () => {
  await using site = await schedulerHarness({ aa: () => up });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0, intervalMinutes: 60 });
  await site.until("its first result", async () => (await site.results(no)).length === 1);
  for (const mute of [true, site.clock.now() + minute, false]) {
    await site.change("CHECK", { mute });
    await site.clock.advance(5000);
  }
  assert.equal(site.jobs.length, 1);
});

/** A location whose runs wait until the test ends them, and a check that runs there. */
async function startRun() {
  const ending: PromiseWithResolvers<Report>[] = [];
  const site = await schedulerHarness({
    aa() {
      const run = Promise.withResolvers<Report>();
      ending.push(run);
      return run.promise;
    },
  });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0, intervalMinutes: 60, timeoutSeconds: 90 });
  await site.until("its run began", () => site.jobs.length === 1);
  const endRuns = (): void => {
    for (const { resolve } of ending)
      resolve({ startOffsetMs: 0, endOffsetMs: 12, outcome: up, connectivityConfirmed: false });
  };
  return { site, no, endRuns };
}

test("renaming does not abort a run in flight", async () => {
  const { site, no, endRuns } = await startRun();
  await using _site = site;
  await site.change("CHECK", { label: "other", tags: ["new"], mute: true, notifications: [] });
  await site.clock.advance(5000);
  assert.equal(site.jobs.length, 1, "no other run begins");
  endRuns();
  await site.until("its result", async () => (await site.results(no)).length === 1);
  assert.equal((await site.store.states.get(no)).state, "passing");
  assert.equal(site.jobs.length, 1);
});

test("changing the target does run at once, and what the run in flight finds is not stored", async () => {
  const { site, no, endRuns } = await startRun();
  await using _site = site;
  const changedAt = site.clock.now();
  await site.change("CHECK", { parameters: { target: "other.example.net", port: 80 } });
  await site.until("the run of the new target", () => site.jobs.length === 2);
  assert.ok(site.clock.now() - changedAt <= 200);
  assert.deepEqual(site.jobs[1]?.job.parameters, { target: "other.example.net", port: 80 });
  endRuns();
  await site.until("its result", async () => (await site.results(no)).length > 0);
  await site.clock.advance(5000);
  assert.deepEqual(
    (await site.results(no)).map(({ revision }) => revision),
    [2],
  );
});

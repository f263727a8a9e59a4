import assert from "node:assert/strict";
import { test } from "node:test";

import { field, up } from "../../test/field.ts";
import { alice, aResult, minute } from "../../test/records.ts";
import { latestTick } from "../domain/check.ts";
import { hash32 } from "../kit/hash.ts";

const phaseOf = (id: string): number => hash32(id) % minute;

test("a new check runs at once, then on its own phase, an interval apart", async () => {
  await using site = await field({ aa: () => up });
  site.start();
  const added = site.clock.now();
  const no = await site.add("CHECK", { rechecks: 0 });
  await site.until("its first run", () => site.jobs.length === 1);
  assert.ok(site.clock.now() - added <= 100);
  await site.clock.advance(3 * minute);
  const ticks = (await site.results(no)).map(({ tick }) => tick);
  const [, ...regular] = ticks;
  assert.equal(regular.length, 3);
  for (const tick of regular) assert.equal(tick % minute, phaseOf("CHECK"));
  for (const { at } of site.jobs.slice(1))
    assert.ok((at - phaseOf("CHECK")) % minute <= 150, "it begins within its step");
});

test("a check that is enabled or changed runs at once, a disabled one not at all", async () => {
  await using site = await field({ aa: () => up });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0, enabled: false, intervalMinutes: 60 });
  await site.clock.advance(1000);
  assert.equal(site.jobs.length, 0);
  await site.change("CHECK", { enabled: true });
  await site.until("the run after enabling", () => site.jobs.length === 1);
  await site.change("CHECK", { label: "other" });
  await site.until("the run after the change", () => site.jobs.length === 2);
  await site.change("CHECK", { enabled: false });
  await site.clock.advance(2 * 60 * minute);
  assert.equal(site.jobs.length, 2);
  assert.equal((await site.results(no)).length, 2);
});

test("disabling all checks of an account stops them, and enabling them again starts them", async () => {
  await using site = await field({ aa: () => up });
  site.start();
  await site.add("ONE", { rechecks: 0 });
  await site.add("TWO", { rechecks: 0 });
  await site.until("both ran", () => site.jobs.length === 2);
  await site.store.write((tx) => tx.checks.switchAll(alice.id, true, site.clock.now()));
  site.bus.changes.publish({ accountId: alice.id, checkNo: undefined });
  await site.until("none is planned", () => site.scheduler.planned() === 0);
  await site.store.write((tx) => tx.checks.switchAll(alice.id, false, site.clock.now()));
  site.bus.changes.publish({ accountId: alice.id, checkNo: undefined });
  await site.until("both ran again", () => site.jobs.length === 4);
});

test("after a restart the tick without a result runs at once and those before it are recorded as missed", async () => {
  await using site = await field({ aa: () => up });
  const no = await site.add("CHECK", { rechecks: 0 });
  const lastTick = latestTick(hash32("CHECK"), 1, site.clock.now() + minute);
  await site.store.append(aResult(no, lastTick));
  await site.clock.advance(lastTick - site.clock.now() + 5 * minute + 1000);
  site.start();
  await site.until("the run that was due", () => site.jobs.length === 1);
  const [, result] = await site.until("its result", async () => {
    const found = await site.results(no);
    return found.length === 2 && found;
  });
  assert.equal(result?.tick, lastTick + 5 * minute);
  const gaps = await site.store.states.gaps(no, 10);
  assert.deepEqual(
    gaps.map(({ kind, reason, firstTick, lastTick: last, ticks }) => ({
      kind,
      reason,
      firstTick,
      last,
      ticks,
    })),
    [
      {
        kind: "missed",
        reason: "not_running",
        firstTick: lastTick + minute,
        last: lastTick + 4 * minute,
        ticks: 4,
      },
    ],
  );
});

test("after a quick restart nothing runs before it is due", async () => {
  await using site = await field({ aa: () => up });
  const no = await site.add("CHECK", { rechecks: 0, intervalMinutes: 60 });
  await site.store.append(aResult(no, site.clock.now() + 1));
  await site.clock.advance(1000);
  site.start();
  const next = latestTick(hash32("CHECK"), 60, site.clock.now()) + 60 * minute;
  await site.clock.advance(next - site.clock.now() - 200);
  assert.equal(site.jobs.length, 0);
  await site.until("it is due", () => site.jobs.length === 1);
});

test("a tick that finds the one before still running is missed", async () => {
  await using site = await field({ aa: () => undefined });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0, timeoutSeconds: 90 });
  const gap = await site.until(
    "a missed tick",
    async () => (await site.store.states.gaps(no, 1))[0],
  );
  assert.deepEqual([gap.kind, gap.reason, gap.ticks], ["missed", "still_running", 1]);
});

test("a clock set forward or back leaves every check on its rhythm", async () => {
  await using site = await field({ aa: () => up });
  site.start();
  await site.add("CHECK", { rechecks: 0 });
  await site.until("its first run", () => site.jobs.length === 1);
  for (const step of [90 * minute, -200 * minute]) {
    site.clock.step(step);
    const before = site.jobs.length;
    await site.clock.advance(2 * minute + 200);
    const runs = site.jobs.length - before;
    assert.ok(
      runs === 2 || runs === 3,
      `${runs} runs in two minutes after a step of ${step / minute} minutes`,
    );
  }
});

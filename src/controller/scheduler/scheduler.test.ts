import assert from "node:assert/strict";
import { test } from "node:test";

import { WHEEL_STEP_MS } from "../../kit/time/timer-wheel.ts";
import { schedulerHarness, up } from "../../../test/harnesses/scheduler-harness.ts";
import { aCheck, alice, aResult, minute } from "../../../test/record-builders.ts";
import { latestTick } from "../../domain/check.ts";
import { Unavailable } from "../../kit/errors.ts";
import { hash32 } from "../../kit/hash.ts";
import type { Store } from "../../store/store.ts";
import type { Gap } from "../../store/tables/checks.ts";

const phaseOf = (id: string): number => hash32(id) % minute;

test("a new check runs at once, then on its own phase, an interval apart", async () => {
  await using site = await schedulerHarness({ aa: () => up });
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

for (const intervalMinutes of [0.5, 0.25]) {
  test(`a check of ${intervalMinutes} minutes runs so often, on its own phase`, async () => {
    await using site = await schedulerHarness({ aa: () => up });
    site.start();
    const no = await site.add("CHECK", { rechecks: 0, intervalMinutes });
    await site.until("its first run", () => site.jobs.length === 1);
    await site.clock.advance(minute);
    const interval = intervalMinutes * minute;
    const [, ...regular] = (await site.results(no)).map(({ tick }) => tick);
    assert.equal(regular.length, minute / interval);
    for (const tick of regular) assert.equal(tick % interval, hash32("CHECK") % interval);
    for (const [index, tick] of regular.slice(1).entries())
      assert.equal(tick - (regular[index] ?? 0), interval);
  });
}

test("a check that is enabled or changed runs at once, a disabled one not at all", async () => {
  await using site = await schedulerHarness({ aa: () => up });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0, enabled: false, intervalMinutes: 60 });
  await site.clock.advance(1000);
  assert.equal(site.jobs.length, 0);
  const enabledAt = site.clock.now();
  await site.change("CHECK", { enabled: true });
  await site.until("the run after enabling", () => site.jobs.length === 1);
  await site.change("CHECK", { timeoutSeconds: 7 });
  await site.until("the run after the change", () => site.jobs.length === 2);
  assert.ok(site.clock.now() - enabledAt < minute, "both run before a tick");
  await site.change("CHECK", { enabled: false, intervalMinutes: 1 });
  await site.clock.advance(3 * minute);
  assert.equal(site.jobs.length, 2);
  assert.equal((await site.results(no)).length, 2);
});

test("a check that somebody wants to run now runs at once, without a new series, and then on its phase", async () => {
  await using site = await schedulerHarness({ aa: () => up });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0, intervalMinutes: 60 });
  const other = await site.add("OTHER", { rechecks: 0, intervalMinutes: 60 });
  await site.until("both ran", () => site.jobs.length === 2);
  await site.clock.advance(5000);
  const asked = site.clock.now();
  site.bus.changes.publish({ accountId: alice.id, checkNo: no, isRun: true });
  await site.until("the run that was asked for", () => site.jobs.length === 3);
  assert.ok((site.jobs[2]?.at ?? Infinity) - asked <= 200);
  const revisions = site.jobs.map(({ job }) => job.id.split(".").slice(0, 2).join());
  assert.equal(revisions[2], "CHECK,1");
  await site.until("its result", async () => (await site.results(no)).length === 2);
  assert.equal((await site.results(other)).length, 1);
  await site.clock.advance(60 * minute);
  const ticks = (await site.results(no)).map(({ tick }) => tick % (60 * minute));
  assert.deepEqual([ticks.length, ticks.at(-1)], [3, hash32("CHECK") % (60 * minute)]);
  assert.deepEqual(await site.store.states.listGaps(no, 10), []);
});

test("a check whose run is under way does not run twice on request, and misses nothing", async () => {
  await using site = await schedulerHarness({ aa: () => undefined });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0, intervalMinutes: 60, timeoutSeconds: 90 });
  await site.until("its run began", () => site.jobs.length === 1);
  await site.clock.advance(1000);
  site.bus.changes.publish({ accountId: alice.id, checkNo: no, isRun: true });
  await site.clock.advance(5000);
  assert.equal(site.jobs.length, 1);
  assert.deepEqual(await site.store.states.listGaps(no, 10), []);
});

test("disabling all checks of an account stops them, and enabling them again starts them", async () => {
  await using site = await schedulerHarness({ aa: () => up });
  site.start();
  await site.add("ONE", { rechecks: 0 });
  await site.add("TWO", { rechecks: 0 });
  await site.until("both ran", () => site.jobs.length === 2);
  await site.store.write((tx) => tx.checks.disableAll(alice.id, true, site.clock.now()));
  site.bus.changes.publish({ accountId: alice.id, checkNo: undefined });
  await site.until("none is planned", () => site.scheduler.checkCount() === 0);
  await site.store.write((tx) => tx.checks.disableAll(alice.id, false, site.clock.now()));
  site.bus.changes.publish({ accountId: alice.id, checkNo: undefined });
  await site.until("both ran again", () => site.jobs.length === 4);
});

test("after a restart the tick without a result runs at once and those before it are recorded as missed", async () => {
  await using site = await schedulerHarness({ aa: () => up });
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
  const gaps = await site.store.states.listGaps(no, 10);
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

test("missed ticks show on the check until one has a result again", async () => {
  let answers = true;
  await using site = await schedulerHarness({ aa: () => (answers ? up : undefined) });
  const no = await site.add("CHECK", { rechecks: 0, timeoutSeconds: 90 });
  const missed = async (): Promise<string | undefined> =>
    (await site.store.checks.find(alice.id, "CHECK"))?.openGap?.reason;
  await site.store.append(aResult(no, site.clock.now() + 1));
  await site.clock.advance(5 * minute);
  site.start();
  await site.until("its result", async () => (await site.results(no)).length === 2);
  assert.equal((await site.store.states.listGaps(no, 1))[0]?.reason, "not_running");
  assert.equal(await missed(), undefined);
  answers = false;
  await site.until("a tick is missed", async () => (await missed()) === "still_running");
  answers = true;
  await site.until("it shows no more", async () => (await missed()) === undefined);
});

test("ticks that were missed while the store could not commit are recorded when it can", async () => {
  let broken = false;
  const refuse = (): Promise<never> => Promise.reject(new Unavailable("disk full"));
  const wrap = (store: Store): Store => ({
    ...store,
    append: (...result) => (broken ? refuse() : store.append(...result)),
    write: (unit) => (broken ? refuse() : store.write(unit)),
  });
  await using site = await schedulerHarness({ aa: () => up }, { wrap });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0 });
  await site.until("a result", async () => (await site.results(no)).length === 1);
  broken = true;
  await site.clock.advance(5 * minute);
  broken = false;
  await site.clock.advance(2 * minute);
  const [gap, ...others] = await site.store.states.listGaps(no, 9);
  assert.deepEqual([gap?.reason, gap?.ticks, others], ["still_running", 4, []]);
  const ticks = (await site.results(no)).map(({ tick }) => tick);
  assert.equal(ticks.length, 4, "the first, the one that waited for the store, and two more");
  assert.equal((await site.store.checks.find(alice.id, "CHECK"))?.openGap, undefined);
});

test("missed ticks that are recorded after the next result show on no check", async () => {
  await using site = await schedulerHarness({ aa: () => up });
  const rare = { rechecks: 0, intervalMinutes: 1440 };
  const numbers: number[] = [];
  for (const id of ["ONE", "TWO", "THREE"]) numbers.push(await site.add(id, rare));
  for (const no of numbers) await site.store.append(aResult(no, site.clock.now() + 1));
  site.clock.step(5 * 1440 * minute);
  site.start();
  const gaps = (): Promise<readonly Gap[]> =>
    Promise.all(numbers.map((no) => site.store.states.listGaps(no, 1))).then((found) =>
      found.flat(),
    );
  await site.until("all gaps are recorded", async () => (await gaps()).length === 3);
  await site.until("all have a result", async () =>
    (await Promise.all(numbers.map((no) => site.store.results.last(no)))).every(
      (last) => last !== undefined && site.clock.now() - last.tick < 1440 * minute,
    ),
  );
  await site.clock.advance(1000);
  const shown = await Promise.all(
    ["ONE", "TWO", "THREE"].map((id) => site.store.checks.find(alice.id, id)),
  );
  assert.deepEqual(
    shown.map((record) => record?.openGap),
    [undefined, undefined, undefined],
  );
});

test("a check that was changed shortly before a restart runs at once", async () => {
  await using site = await schedulerHarness({ aa: () => up });
  const no = await site.add("CHECK", { rechecks: 0, intervalMinutes: 1440 });
  await site.store.append(aResult(no, site.clock.now() + 1));
  await site.clock.advance(1000);
  await site.change("CHECK", { timeoutSeconds: 9, modifiedAt: site.clock.now() });
  await site.clock.advance(1000);
  site.start();
  await site.until("its run", () => site.jobs.length === 1);
});

test("a check that was renamed and muted shortly before a restart waits for its tick", async () => {
  await using site = await schedulerHarness({ aa: () => up });
  const no = await site.add("CHECK", { rechecks: 0, intervalMinutes: 1440 });
  await site.store.append(aResult(no, site.clock.now() + 1));
  await site.clock.advance(1000);
  await site.change("CHECK", { label: "new", mute: true, modifiedAt: site.clock.now() });
  await site.clock.advance(1000);
  site.start();
  await site.clock.advance(5000);
  assert.deepEqual(site.jobs, []);
});

test("a check whose last run was by a clock far ahead does not wait for that time to come", async () => {
  await using site = await schedulerHarness({ aa: () => up });
  const no = await site.add("CHECK", { rechecks: 0 });
  const nextYear = site.clock.now() + 365 * 1440 * minute;
  await site.store.append(aResult(no, nextYear));
  site.start();
  await site.until("its run", () => site.jobs.length === 1);
  await site.until("its ticks", () => site.jobs.length >= 3);
});

test("after a quick restart nothing runs before it is due", async () => {
  await using site = await schedulerHarness({ aa: () => up });
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
  await using site = await schedulerHarness({ aa: () => undefined });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0, timeoutSeconds: 90 });
  const gap = await site.until("a missed tick", async () =>
    (await site.store.states.listGaps(no, 9)).find(({ kind }) => kind === "missed"),
  );
  const interval = gap.lastTick - gap.firstTick;
  assert.deepEqual([gap.reason, interval], ["still_running", (gap.ticks - 1) * minute]);
});

test("after a sleep the tick that was slept through runs at once, and those before it are missed", async () => {
  let written = 0;
  const wrap = (store: Store): Store => ({
    ...store,
    async write(unit) {
      const value = await store.write(unit);
      written += 1;
      return value;
    },
  });
  await using site = await schedulerHarness({ aa: () => up }, { wrap });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0, intervalMinutes: 60 });
  await site.until("its first run is over", () => written === 1);
  await site.clock.advance(100);
  site.clock.step(150 * minute);
  await site.clock.advance(200);
  assert.equal(site.jobs.length, 2);
  const lastTick = latestTick(hash32("CHECK"), 60, site.clock.now());
  await site.until("its result", async () => (await site.results(no)).at(-1)?.tick === lastTick);
  const [gap] = await site.store.states.listGaps(no, 1);
  assert.deepEqual([gap?.reason, gap?.lastTick], ["not_running", lastTick - 60 * minute]);
});

test("a clock that drifts back by seconds repeats no tick", async () => {
  await using site = await schedulerHarness({ aa: () => up });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0 });
  await site.clock.advance(2 * minute);
  const tick = latestTick(hash32("CHECK"), 1, site.clock.now()) + minute;
  await site.clock.advance(tick - site.clock.now() + 500);
  site.clock.step(-2000);
  await site.clock.advance(2 * minute);
  const ticks = (await site.results(no)).map((result) => result.tick);
  assert.ok(ticks.includes(tick));
  assert.equal(new Set(ticks).size, ticks.length);
});

test("of very many that are due at once only some start in one turn of the event loop", async () => {
  await using site = await schedulerHarness({ aa: () => up });
  await site.store.write(async ({ checks }) => {
    for (let index = 0; index < 450; index += 1)
      await checks.insert(aCheck(`CHECK${index}`, { rechecks: 0 }));
  });
  const began = site.clock.now();
  site.start();
  const begun = (): number => new Set(site.jobs.map(({ job }) => job.checkId)).size;
  await site.until("all have begun", () => begun() === 450);
  // Reads for a run may finish one turn later, so the limit applies to a turn and all turns before it.
  const turnsUntil = (at: number): number => 1 + Math.floor((at - began) / WHEEL_STEP_MS);
  assert.ok(site.jobs.every(({ at }, index) => index < 200 * turnsUntil(at)));
});

test("what begins in a turn takes its time from the pause after it, so that turns come as often as before", async () => {
  const delays = new Set<number>();
  await using site = await schedulerHarness(
    { aa: () => up },
    {
      wrapClock: (clock) => ({
        ...clock,
        // A run reads it when it begins, and takes that long.
        now() {
          clock.jump(10);
          return clock.now();
        },
        setTimer(callback, delayMs) {
          delays.add(delayMs);
          return clock.setTimer(callback, delayMs);
        },
      }),
    },
  );
  await site.add("CHECK", { rechecks: 0 });
  site.start();
  await site.until("two runs", () => site.jobs.length === 2);
  assert.ok(delays.has(WHEEL_STEP_MS), [...delays].join());
  assert.ok(
    [...delays].some((delay) => delay < WHEEL_STEP_MS),
    [...delays].join(),
  );
});

test("while checks are still read at a start, what is due goes on to begin, some in each turn", async () => {
  const rest = Promise.withResolvers<void>();
  await using site = await schedulerHarness(
    { aa: () => up },
    {
      wrap: (store) => ({
        ...store,
        checks: {
          ...store.checks,
          async *listActive(scope) {
            yield* store.checks.listActive(scope);
            await rest.promise;
          },
        },
      }),
    },
  );
  await site.store.write(async ({ checks }) => {
    for (let index = 0; index < 450; index += 1)
      await checks.insert(aCheck(`CHECK${index}`, { rechecks: 0 }));
  });
  site.start();
  await site.clock.advance(3000);
  const begun = new Set(site.jobs.map(({ job }) => job.checkId)).size;
  rest.resolve();
  assert.equal(begun, 450);
});

test("a clock set forward or back leaves every check at its ticks", async () => {
  await using site = await schedulerHarness({ aa: () => up });
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

const unanswered = { error: "unanswered", message: "location aa did not answer" } as const;
const daily = { rechecks: 0, intervalMinutes: 1440 };

test("a tick without a verdict is tried again within a minute, whatever the interval, and counts once", async () => {
  let answers = false;
  await using site = await schedulerHarness({ aa: () => (answers ? up : unanswered) });
  site.start();
  const no = await site.add("CHECK", daily);
  const openGap = async () => (await site.store.checks.find(alice.id, "CHECK"))?.openGap;
  const gap = await site.until("it is undecided", openGap);
  await site.clock.advance(3 * minute);
  const tries = new Set(site.jobs.map(({ job }) => job.id));
  assert.ok(site.jobs.length >= 2 * 4, `${site.jobs.length} runs`);
  assert.equal(tries.size, 2, "all of one tick, and of two attempts each");
  assert.equal((await openGap())?.ticks, 1);
  answers = true;
  const before = site.jobs.length;
  await site.clock.advance(minute);
  assert.equal(site.jobs.length, before + 1);
  assert.deepEqual(
    (await site.results(no)).map(({ tick }) => tick),
    [gap.lastTick],
  );
  assert.equal(await openGap(), undefined);
});

test("a new owner runs at once the latest tick that has no verdict", async () => {
  await using site = await schedulerHarness({ aa: () => up });
  const no = await site.add("CHECK", daily);
  await site.store.append(aResult(no, site.clock.now() + 1));
  const firstTick = site.clock.now() + 2;
  const gap = { kind: "undecided", reason: "busy", message: "", firstTick, lastTick: firstTick };
  await site.store.write((tx) => tx.states.recordGap(no, { ...gap, kind: "undecided", ticks: 1 }));
  await site.clock.advance(1000);
  site.start();
  await site.until("its run", () => site.jobs.length === 1);
  await site.until("its result", async () => (await site.results(no)).at(-1)?.tick === firstTick);
});

test("a new owner does not run what was missed", async () => {
  await using site = await schedulerHarness({ aa: () => up });
  const no = await site.add("CHECK", daily);
  const firstTick = site.clock.now() + 2;
  await site.store.append(aResult(no, firstTick - 1));
  const gap = { reason: "still_running", message: "", firstTick, lastTick: firstTick } as const;
  await site.store.write((tx) => tx.states.recordGap(no, { ...gap, kind: "missed", ticks: 1 }));
  await site.clock.advance(1000);
  site.start();
  await site.clock.advance(minute);
  assert.equal(site.jobs.length, 0);
});

test("what was missed in a run is recorded after it, and not run where that had no verdict", async () => {
  await using site = await schedulerHarness({ aa: () => undefined });
  site.start();
  const no = await site.add("CHECK", { rechecks: 0, timeoutSeconds: 90 });
  const gaps = (): Promise<readonly Gap[]> => site.store.states.listGaps(no, 9);
  await site.until("its run", () => site.jobs.length === 1);
  await site.clock.advance(80_000);
  assert.deepEqual(await gaps(), []);
  const [missed] = await site.until("the missed tick", async () => {
    const found = await gaps();
    return found[0]?.kind === "missed" && found;
  });
  await site.clock.advance(10 * minute);
  assert.ok(site.jobs.length > 2);
  const ticks = site.jobs.map(({ job }) => Number(job.id.split(".")[2]));
  assert.ok(!ticks.includes(missed?.firstTick ?? 0), "it is run no more");
});

test("while the clock is ahead and after it is back checks run at their intervals", async () => {
  await using site = await schedulerHarness({ aa: () => up });
  site.start();
  await site.add("CHECK", { rechecks: 0, intervalMinutes: 5 });
  await site.clock.advance(minute);
  site.clock.step(60 * minute);
  await site.clock.advance(6 * minute);
  site.clock.step(-60 * minute);
  const before = site.jobs.length;
  await site.clock.advance(5 * minute + 1000);
  assert.equal(site.jobs.length, before + 1);
});

import assert from "node:assert/strict";
import { suite, test } from "node:test";

import * as fc from "fast-check";

import {
  down,
  schedulerHarness,
  up,
  type LocationReply,
} from "../../../test/harnesses/scheduler-harness.ts";
import { alice, minute } from "../../../test/record-builders.ts";
import type { Job } from "../../bus/bus.ts";
import { failed } from "../../domain/run/outcome.ts";

type Site = Awaited<ReturnType<typeof schedulerHarness>>;

/** Three locations that all see the same. */
function everywhere(reply: LocationReply): Readonly<Record<string, LocationReply>> {
  return { aa: reply, bb: reply, cc: reply };
}

async function isState(site: Site, no: number, state: string): Promise<boolean> {
  return (await site.store.states.get(no)).state === state;
}

/** Tick and attempt, which are in the name of a job. */
function numbersOf({ id }: Job): { readonly tick: number; readonly attempt: number } {
  const [tick, attempt] = id.split(".").slice(-2).map(Number);
  return { tick: tick ?? 0, attempt: attempt ?? 0 };
}

/** Milliseconds between the jobs of the latest tick. */
function waitsOf({ jobs }: Site): readonly number[] {
  const last = jobs.at(-1);
  const starts = jobs
    .filter(({ job }) => last !== undefined && numbersOf(job).tick === numbersOf(last.job).tick)
    .map(({ at }) => at);
  return starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
}

function assertWaits(site: Site, expected: readonly number[]): void {
  const waits = waitsOf(site);
  assert.equal(waits.length, expected.length);
  for (const [index, ms] of expected.entries()) {
    const late = (waits[index] ?? 0) - ms;
    // A run that waited begins in a turn of the scheduler's loop.
    assert.ok(late >= 0 && late <= 150, `waits of ${waits.join(", ")} ms`);
  }
}

suite("the wait between rechecks", () => {
  test("takes a second, then five each: for a failure, and for a recovery", async () => {
    let reply = up;
    await using site = await schedulerHarness(everywhere(() => reply));
    site.start();
    const no = await site.add("CHECK", { recheckWait: 5 });
    await site.until("it passes", () => isState(site, no, "passing"));
    assertWaits(site, [0, 0]);
    reply = down;
    await site.until("it fails", () => isState(site, no, "failing"));
    assertWaits(site, [1000, 5000]);
    const { downSince } = await site.store.states.get(no);
    assert.equal(downSince, site.jobs.at(-3)?.at, "the outage began with the first failure");
    reply = up;
    await site.until("it recovers", () => isState(site, no, "passing"));
    assertWaits(site, [1000, 5000]);
  });

  test("is the account's where the check has none, and changes with it", async () => {
    let reply = up;
    await using site = await schedulerHarness(everywhere(() => reply));
    site.start();
    const no = await site.add("CHECK");
    await site.until("it passes", () => isState(site, no, "passing"));
    await site.store.write((tx) => tx.accounts.update({ ...alice, recheckWait: 20 }, 0));
    site.bus.changes.publish({ accountId: alice.id, checkNo: undefined });
    reply = down;
    await site.until("it fails", () => isState(site, no, "failing"));
    assertWaits(site, [1000, 20_000]);
  });

  test("holds for a new check that fails, and not for one that passes", async () => {
    await using site = await schedulerHarness(everywhere(() => down));
    site.start();
    const no = await site.add("CHECK", { recheckWait: 5 });
    await site.until("it fails", () => isState(site, no, "failing"));
    assertWaits(site, [1000, 5000]);
  });

  test("counts from the last outcome: a location that is at fault costs no further wait", async () => {
    let isDown = false;
    await using site = await schedulerHarness(
      everywhere((job) => {
        if (isDown && numbersOf(job).attempt === 2)
          return { error: "unanswered", message: "no answer" };
        return isDown ? down : up;
      }),
    );
    site.start();
    const no = await site.add("CHECK", { recheckWait: 5 });
    await site.until("it passes", () => isState(site, no, "passing"));
    isDown = true;
    await site.until("it fails", () => isState(site, no, "failing"));
    assertWaits(site, [1000, 0, 5000]);
  });

  test("is left out for a configuration that cannot run", async () => {
    await using site = await schedulerHarness(
      everywhere(() => ({ ...failed("protocol", "error", "Invalid URL"), final: true })),
    );
    site.start();
    const no = await site.add("CHECK", { recheckWait: 5 });
    await site.until("it fails", () => isState(site, no, "failing"));
    assert.equal(site.jobs.length, 1);
  });

  const paused = { enabled: false };
  for (const [what, changes] of [
    ["a change", { timeoutSeconds: 7 }],
    ["a pause", paused],
  ] as const)
    test(`ends with ${what} of the check`, async () => {
      let reply = up;
      await using site = await schedulerHarness(everywhere(() => reply));
      site.start();
      const no = await site.add("CHECK", { recheckWait: 5 });
      await site.until("it passes", () => isState(site, no, "passing"));
      reply = down;
      const before = site.jobs.length;
      await site.until("two runs fail", () => site.jobs.length === before + 2);
      reply = up;
      await site.change("CHECK", changes);
      await site.clock.advance(10_000);
      assert.ok(await isState(site, no, "passing"));
      const last = site.jobs.at(-1)?.job;
      const expected = changes === paused ? 2 : 1;
      assert.equal(last && numbersOf(last).attempt, expected, "no recheck follows");
    });

  test("holds no place of a run: another check of the host runs meanwhile", async () => {
    let isDown = false;
    await using site = await schedulerHarness(
      everywhere(({ checkId }) => (isDown && checkId === "FIRST" ? down : up)),
      { hostLimits: { maxRunsAtOnce: 1, maxStartsPerSecond: 0 } },
    );
    site.start();
    const no = await site.add("FIRST", { recheckWait: 20, intervalMinutes: 5 });
    await site.until("it passes", () => isState(site, no, "passing"));
    isDown = true;
    const before = site.jobs.length;
    await site.until("two runs fail", () => site.jobs.length === before + 2);
    const other = await site.add("OTHER", { recheckWait: 0 });
    await site.until("the other passes", () => isState(site, other, "passing"));
    assert.ok(await isState(site, no, "passing"), "the first still waits");
    await site.until("the first fails", () => isState(site, no, "failing"));
  });

  test("ends at once when the scheduler stops", async () => {
    let reply = up;
    await using site = await schedulerHarness(everywhere(() => reply));
    site.start();
    const no = await site.add("CHECK", { recheckWait: 20 });
    await site.until("it passes", () => isState(site, no, "passing"));
    reply = down;
    const before = site.jobs.length;
    await site.until("two runs fail", () => site.jobs.length === before + 2);
    const at = site.clock.monotonic();
    await site.stop();
    assert.ok(site.clock.monotonic() - at <= 600, "no run is waited for that waits itself");
    assert.ok(await isState(site, no, "passing"));
  });
});

suite("a blip of up to five seconds", () => {
  const blips = fc.array(
    fc.record({
      startMs: fc.integer({ min: 0, max: 40_000 }),
      lengthMs: fc.integer({ min: 1, max: 5000 }),
    }),
    { minLength: 4, maxLength: 4 },
  );
  const states = [
    ["an outage", "passing", up, down],
    ["a recovery", "failing", down, up],
  ] as const;
  for (const [what, state, usual, meanwhile] of states)
    test(`is never taken for ${what}, at intervals of 15 and 60 seconds`, async () => {
      let rechecks = 0;
      await fc.assert(
        fc.asyncProperty(blips, async (sample) => {
          let begin = Number.POSITIVE_INFINITY;
          let clock: Pick<Site["clock"], "now"> | undefined;
          const reply = (): typeof up => {
            const at = (clock?.now() ?? 0) - begin;
            const blip = at < 0 ? undefined : sample[Math.floor(at / minute)];
            const sinceMs = (at % minute) - (blip?.startMs ?? 0);
            return blip !== undefined && sinceMs >= 0 && sinceMs < blip.lengthMs
              ? meanwhile
              : usual;
          };
          await using site = await schedulerHarness(everywhere(reply));
          ({ clock } = site);
          site.start();
          const nos: number[] = [];
          for (const intervalMinutes of [0.25, 1])
            for (const index of [1, 2, 3, 4])
              nos.push(
                await site.add(`CHECK${intervalMinutes}-${index}`, {
                  intervalMinutes,
                  recheckWait: undefined,
                }),
              );
          await site.store.write((tx) => tx.accounts.update({ ...alice, recheckWait: 5 }, 0));
          site.bus.changes.publish({ accountId: alice.id, checkNo: undefined });
          for (const no of nos) await site.until("its first", () => isState(site, no, state));
          const flips = site.flips();
          begin = site.clock.now();
          await site.clock.advance(sample.length * minute);
          assert.equal(site.flips(), flips);
          rechecks += site.jobs.filter(
            ({ at, job }) => at >= begin && numbersOf(job).attempt > 1,
          ).length;
        }),
        { numRuns: 4 },
      );
      assert.ok(rechecks > 0, "runs met blips");
    });
});

suite("a change of what does not run", () => {
  const changes = [
    ["a mute", { mute: true }],
    ["a label", { label: "new" }],
    ["tags", { tags: ["new"] }],
    ["recipients", { notifications: [] }],
    [
      "a description, diagnostics, and a public report",
      {
        description: "new",
        diagnose: true,
        public: true,
      },
    ],
  ] as const;
  for (const [what, change] of changes)
    test(`${what}: runs no check and ends no series`, async () => {
      let reply = up;
      await using site = await schedulerHarness(everywhere(() => reply));
      site.start();
      const no = await site.add("CHECK", { recheckWait: 5 });
      await site.until("it passes", () => isState(site, no, "passing"));
      const settled = site.jobs.length;
      await site.change("CHECK", change);
      await site.clock.advance(1000);
      assert.equal(site.jobs.length, settled, "nothing runs");
      reply = down;
      await site.until("two runs fail", () => site.jobs.length === settled + 2);
      await site.change("CHECK", { ...change, mute: 1, label: "newer" });
      await site.until("it fails", () => isState(site, no, "failing"));
      assert.equal(site.jobs.length, settled + 3, "the flip is not refused");
    });
});

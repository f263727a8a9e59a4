import assert from "node:assert/strict";
import { test } from "node:test";

import { aCheck, minute, noon } from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";

export function startedRunsContract(open: OpenStore): void {
  test("a run that has begun is found until it ends, begins anew under its id, and moves with the clock", async () => {
    await using store = await open();
    const { no: checkNo } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const run = { checkNo, runId: "", startedAt: noon, dueAt: noon + minute };
    const other = { checkNo, runId: "b", startedAt: noon + 1, dueAt: undefined };
    await store.write(async ({ startedRuns }) => {
      await startedRuns.begin({ ...run, startedAt: 5, dueAt: 6 });
      await startedRuns.begin(run);
      await startedRuns.begin(other);
    });
    assert.deepEqual(await store.startedRuns.list(checkNo), [run, other]);
    assert.deepEqual(await store.startedRuns.find(other), other);
    assert.deepEqual(await store.startedRuns.listDue(noon + minute - 1), []);
    assert.deepEqual(await store.startedRuns.listDue(noon + minute), [run]);
    await store.write(({ startedRuns }) => startedRuns.shiftTimes(-5));
    assert.deepEqual(await store.startedRuns.find(run), {
      ...run,
      startedAt: noon - 5,
      dueAt: noon + minute - 5,
    });
    await store.write(({ startedRuns }) => startedRuns.postpone(run, undefined));
    assert.deepEqual(await store.startedRuns.listDue(Number.MAX_SAFE_INTEGER), []);
    const end = (): Promise<number | undefined> =>
      store.write(({ startedRuns }) => startedRuns.end(run));
    assert.equal(await end(), noon - 5);
    assert.equal(await end(), undefined);
    assert.equal(await store.startedRuns.find(run), undefined);
  });

  test("of the runs that a check has begun the newest twenty are kept", async () => {
    await using store = await open();
    const { no: checkNo } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    await store.write(async ({ startedRuns }) => {
      for (let run = 0; run < 25; run += 1)
        await startedRuns.begin({
          checkNo,
          runId: `${run}`,
          startedAt: noon + run,
          dueAt: undefined,
        });
    });
    const kept = await store.startedRuns.list(checkNo);
    assert.deepEqual(
      kept.map(({ runId }) => runId),
      Array.from({ length: 20 }, (_, index) => `${index + 5}`),
    );
  });
}

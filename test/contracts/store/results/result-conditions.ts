import assert from "node:assert/strict";
import { test } from "node:test";

import type { AppendEnd, ResultCondition } from "../../../../src/store/results.ts";
import { aCheck, aFlip, aResult, minute, noon } from "../../../record-builders.ts";
import type { OpenStore } from "../store.ts";

const limit = { from: noon, to: noon + minute, most: 2 };
const second = 1000;

/** Results that are stored only while nobody else has stored what they contradict. */
export function resultConditionContract(open: OpenStore): void {
  test("a result with a condition is stored where the check has its state, room for it, and none that began then", async () => {
    await using store = await open();
    const { no, other } = await store.write(async (tx) => {
      const check = await tx.checks.insert(aCheck("check"));
      const { no: other } = await tx.checks.insert(aCheck("other"));
      await tx.states.flip(aFlip(check.no, { to: "passing" }));
      return { no: check.no, other };
    });
    const append = (startedAt: number, condition: ResultCondition): Promise<AppendEnd> =>
      store.append(aResult(no, startedAt), { condition });
    assert.equal(await append(noon, { limit }), "stored");
    assert.equal(await append(noon + 1 * second, { limit, state: "failing" }), "lost");
    assert.equal(await append(noon + 1 * second, { limit, state: "passing" }), "stored");
    assert.equal(await append(noon + 1 * second, { limit, state: "passing" }), "lost");
    // Absent heartbeats, and results outside the window, do not count.
    const stale = { passed: false, reason: "stale" } as const;
    assert.equal(await store.append(aResult(no, noon + 2 * second, stale)), "stored");
    assert.equal(await store.append(aResult(no, noon + minute + 1)), "stored");
    assert.equal(await append(noon + 3 * second, { limit }), "stored");
    assert.equal(await append(noon + 4 * second, { limit }), "throttled");
    assert.equal(await append(noon + 4 * second, {}), "stored");
    const starts = await Array.fromAsync(
      store.results.page({ checkNo: no, from: 0, to: noon + minute, limit: 9, order: "oldest" }),
    );
    assert.deepEqual(
      starts.flat().map(({ startedAt }) => startedAt - noon),
      [0, 1000, 2000, 3000, 4000],
    );
    const atOnce = await Promise.all(
      [1, 2, 3, 4].map((at) => store.append(aResult(other, noon + at), { condition: { limit } })),
    );
    assert.deepEqual(atOnce, ["stored", "stored", "throttled", "throttled"]);
  });

  test("a result that is not stored for its condition closes no gap", async () => {
    await using store = await open();
    const { no } = await store.write((tx) => tx.checks.insert(aCheck("check")));
    const gap = { kind: "missed", reason: "overloaded", message: "", ticks: 1 } as const;
    await store.write((tx) => tx.states.recordGap(no, { ...gap, firstTick: noon, lastTick: noon }));
    const openGap = async (): Promise<unknown> =>
      (await store.checks.findActive(no))?.openGap?.reason;
    const append = (condition: ResultCondition): Promise<AppendEnd> =>
      store.append(aResult(no, noon), { closesGap: true, condition });
    assert.equal(await append({ state: "passing" }), "lost");
    assert.equal(await openGap(), "overloaded");
    assert.equal(await append({}), "stored");
    assert.equal(await openGap(), undefined);
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { MAX_RECHECK_WAIT, recheckWaitMs, totalRecheckWaitMs } from "./recheck-wait.ts";

const cases: readonly (readonly [
  sens: number | undefined,
  wait: number,
  interval: number,
  waits: readonly number[],
])[] = [
  [undefined, 5, 1, [1000, 5000]],
  [undefined, 5, 0.25, [1000, 5000]],
  [undefined, 0, 1, [0, 0]],
  [undefined, 1, 1, [1000, 1000]],
  [0, 5, 1, []],
  [1, 60, 5, [1000]],
  [3, 60, 5, [1000, 60_000, 60_000]],
  [2, 60, 1, [1000, 29_000]],
  [2, 30, 0.25, [1000, 6500]],
  [4, 5, 0.25, [1000, 6500 / 3, 6500 / 3, 6500 / 3]],
];

for (const [rechecks, recheckWait, intervalMinutes, expected] of cases)
  test(`sens ${rechecks ?? "unset"}, a wait of ${recheckWait} s and ${intervalMinutes} min: rechecks wait ${expected.join(", ") || "for nothing"} ms`, () => {
    const waiting = { check: { rechecks, intervalMinutes }, recheckWait };
    const waits = expected.map((_, index) => recheckWaitMs(waiting, index + 1));
    assert.deepEqual(waits, expected);
    assert.equal(
      Math.round(totalRecheckWaitMs(waiting)),
      expected.reduce((sum, ms) => sum + ms, 0),
    );
  });

test("the waits of a series never take more than half the interval", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 20 }),
      fc.integer({ min: 0, max: MAX_RECHECK_WAIT }),
      fc.constantFrom(0.25, 0.5, 1, 5, 15),
      (rechecks, recheckWait, intervalMinutes) => {
        const total = totalRecheckWaitMs({ check: { rechecks, intervalMinutes }, recheckWait });
        assert.ok(total <= (intervalMinutes * 60_000) / 2 + 0.001);
      },
    ),
  );
});

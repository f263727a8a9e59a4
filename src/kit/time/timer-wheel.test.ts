import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createTimerWheel, WHEEL_STEP_MS } from "./timer-wheel.ts";

test("a timer fires once, when it is due and not before", () => {
  const wheel = createTimerWheel(0);
  const fired: number[] = [];
  wheel.set(7, 1000);
  wheel.advance(950, (slot) => fired.push(slot));
  assert.equal(fired.length, 0);
  wheel.advance(1000, (slot) => fired.push(slot));
  wheel.advance(5000, (slot) => fired.push(slot));
  assert.deepEqual(fired, [7]);
});

test("a timer beyond a whole turn of the wheel waits for its own turn", () => {
  const wheel = createTimerWheel(0);
  const turn = 4096 * WHEEL_STEP_MS;
  const fired: number[] = [];
  wheel.set(1, 3 * turn + 100);
  for (let at = 0; at <= 3 * turn; at += turn / 2) wheel.advance(at, (slot) => fired.push(slot));
  assert.equal(fired.length, 0);
  wheel.advance(3 * turn + 100, (slot) => fired.push(slot));
  assert.deepEqual(fired, [1]);
});

test("a timer that another one cancels or moves in the same step does not fire", () => {
  const wheel = createTimerWheel(0);
  const fired: number[] = [];
  for (const slot of [1, 2, 3]) wheel.set(slot, 100);
  wheel.advance(100, (slot) => {
    fired.push(slot);
    if (fired.length > 1) return;
    for (const other of [1, 2, 3]) {
      if (other !== slot) wheel.set(other, 500);
    }
  });
  assert.equal(fired.length, 1);
  wheel.advance(500, (slot) => fired.push(slot));
  assert.deepEqual(new Set(fired), new Set([1, 2, 3]));
});

test("the wheel fires what a plain list of due times would, whatever is set, moved and cancelled", () => {
  const step = fc.oneof(
    fc.record({
      kind: fc.constant("set" as const),
      slot: fc.nat(2000),
      after: fc.integer({ min: -1000, max: 600_000 }),
    }),
    fc.record({ kind: fc.constant("cancel" as const), slot: fc.nat(2000) }),
    fc.record({ kind: fc.constant("advance" as const), by: fc.integer({ min: 0, max: 400_000 }) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const wheel = createTimerWheel(0);
      const model = new Map<number, number>();
      let now = 0;
      for (const move of steps) {
        if (move.kind === "set") {
          wheel.set(move.slot, now + move.after);
          // Times are rounded up to a step, and a step that was visited is over.
          const visited = Math.floor(now / WHEEL_STEP_MS) * WHEEL_STEP_MS;
          model.set(
            move.slot,
            Math.max(
              Math.ceil((now + move.after) / WHEEL_STEP_MS) * WHEEL_STEP_MS,
              visited + WHEEL_STEP_MS,
            ),
          );
        } else if (move.kind === "cancel") {
          wheel.cancel(move.slot);
          model.delete(move.slot);
        } else {
          now += move.by;
          const fired: number[] = [];
          wheel.advance(now, (slot) => fired.push(slot));
          const due = [...model]
            .filter(([, at]) => at <= Math.floor(now / WHEEL_STEP_MS) * WHEEL_STEP_MS)
            .map(([slot]) => slot);
          for (const slot of due) model.delete(slot);
          assert.deepEqual(new Set(fired), new Set(due));
          assert.equal(fired.length, due.length);
        }
      }
    }),
  );
});

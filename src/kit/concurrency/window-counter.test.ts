import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createWindowCounter } from "./window-counter.ts";

const WINDOW_MS = 100;

/** All counts, each with its time; a window is what began with the first that no window before it holds. */
function createModel() {
  const added: { readonly key: string; readonly amount: number; readonly at: number }[] = [];
  const currentOf = (key: string, now: number) => {
    let begin = -Infinity;
    let count = 0;
    for (const { amount, at } of added.filter((each) => each.key === key)) {
      if (at >= begin + WINDOW_MS) {
        if (amount <= 0) continue;
        [begin, count] = [at, 0];
      }
      count = Math.max(0, count + amount);
    }
    return now < begin + WINDOW_MS
      ? { count, msLeft: begin + WINDOW_MS - now }
      : { count: 0, msLeft: 0 };
  };
  return { added, currentOf };
}

test("whatever is counted when, each key has the count of its own window", async () => {
  const step = fc.oneof(
    fc.record({ key: fc.constantFrom("a", "b", "c"), amount: fc.integer({ min: -2, max: 3 }) }),
    fc.record({
      key: fc.constantFrom("a", "b", "c"),
      amount: fc.integer({ min: 1, max: 3 }),
      most: fc.integer({ min: 1, max: 6 }),
    }),
    fc.record({ waitMs: fc.integer({ min: 1, max: 150 }) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const clock = fakeClock();
      const counter = createWindowCounter(clock, WINDOW_MS);
      const { added, currentOf } = createModel();
      for (const each of steps) {
        const now = clock.monotonic();
        if ("waitMs" in each) await clock.advance(each.waitMs);
        else if ("most" in each) {
          const { key, amount, most } = each;
          const mayAdd = currentOf(key, now).count + amount <= most;
          if (mayAdd) added.push({ key, amount, at: now });
          assert.equal(counter.tryAdd(key, amount, most), mayAdd);
        } else {
          added.push({ ...each, at: now });
          assert.equal(counter.add(each.key, each.amount), currentOf(each.key, now).count);
        }
        for (const key of ["a", "b", "c"]) {
          const expected = currentOf(key, clock.monotonic());
          assert.deepEqual({ count: counter.countOf(key), msLeft: counter.msLeft(key) }, expected);
        }
      }
    }),
  );
});

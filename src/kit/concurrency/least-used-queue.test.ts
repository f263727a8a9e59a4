import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createLeastUsedQueue } from "./least-used-queue.ts";

/** A queue in which all keys wait when the next is asked for. */
function openQueue() {
  const queue = createLeastUsedQueue<{ readonly key: string }>();
  return {
    charge: queue.charge,
    nextOf: (keys: readonly string[]): string | undefined => {
      const items = keys.map((key) => ({ key }));
      for (const item of items) queue.add(item.key, item);
      const next = queue.take();
      for (const item of items) queue.remove(item.key, item);
      assert.equal(queue.size(), 0);
      return next?.key;
    },
  };
}

test("who has used least goes first", () => {
  const { charge, nextOf } = openQueue();
  charge("a", 250);
  charge("b", 30);
  assert.equal(nextOf(["a", "b", "c"]), "c");
  assert.equal(nextOf(["a", "b"]), "b");
  assert.equal(nextOf(["a"]), "a");
  assert.equal(nextOf([]), undefined);
});

test("items of one key are in order, or as they are chosen", () => {
  const queue = createLeastUsedQueue<{ readonly no: number }>();
  for (const no of [1, 2, 3, 4]) queue.add("a", { no });
  const last = (items: Iterable<{ readonly no: number }>) => [...items].at(-1);
  assert.deepEqual(
    [queue.take(), queue.take(last), queue.take(), queue.size()],
    [{ no: 1 }, { no: 4 }, { no: 2 }, 1],
  );
});

test("who did not wait has nothing in hand, and who was alone is no worse off", () => {
  const { charge, nextOf } = openQueue();
  for (let times = 0; times < 100; times += 1) {
    nextOf(["a"]);
    charge("a", 1000);
  }
  let turnsOfOther = 0;
  for (let turn = 0; turn < 10; turn += 1) {
    const next = nextOf(["a", "b"]) ?? "";
    if (next === "b") turnsOfOther += 1;
    charge(next, 1000);
  }
  assert.ok(turnsOfOther <= 6, `${turnsOfOther} of 10`);
});

test("those that always wait get equal parts, whatever each turn of theirs costs", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 250 }), { minLength: 2, maxLength: 6 }),
      (costs) => {
        const { charge, nextOf } = openQueue();
        const used = costs.map(() => 0);
        const keys = costs.map((_, index) => String(index));
        for (let turn = 0; turn < 300; turn += 1) {
          const index = Number(nextOf(keys));
          used[index] = (used[index] ?? 0) + (costs[index] ?? 0);
          charge(String(index), costs[index] ?? 0);
        }
        assert.ok(Math.max(...used) - Math.min(...used) <= Math.max(...costs));
      },
    ),
  );
});

test("however many come that have used nothing, one that has used more has its turn", () => {
  const { charge, nextOf } = openQueue();
  charge("old", 10);
  let turns = 0;
  for (; turns < 3000; turns += 1) {
    const next = nextOf(["old", `new${turns}`]) ?? "";
    charge(next, 1000);
    if (next === "old") break;
  }
  assert.ok(turns < 2000, `${turns} turns`);
});

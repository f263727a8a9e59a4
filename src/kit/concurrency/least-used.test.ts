import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { createLeastUsed } from "./least-used.ts";

test("who has used least goes first", () => {
  const accounts = createLeastUsed();
  accounts.charge("a", 250);
  accounts.charge("b", 30);
  assert.equal(accounts.pick(["a", "b", "c"]), "c");
  assert.equal(accounts.pick(["a", "b"]), "b");
  assert.equal(accounts.pick(["a"]), "a");
  assert.equal(accounts.pick([]), undefined);
});

test("who did not wait has nothing in hand, and who was alone is no worse off", () => {
  const accounts = createLeastUsed();
  for (let times = 0; times < 100; times += 1) {
    accounts.pick(["a"]);
    accounts.charge("a", 1000);
  }
  let turnsOfOther = 0;
  for (let turn = 0; turn < 10; turn += 1) {
    const next = accounts.pick(["a", "b"]) ?? "";
    if (next === "b") turnsOfOther += 1;
    accounts.charge(next, 1000);
  }
  assert.ok(turnsOfOther <= 6, `${turnsOfOther} of 10`);
});

test("those that always wait get equal parts, whatever each turn of theirs costs", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 250 }), { minLength: 2, maxLength: 6 }),
      (costs) => {
        const accounts = createLeastUsed();
        const used = costs.map(() => 0);
        const keys = costs.map((_, index) => String(index));
        for (let turn = 0; turn < 300; turn += 1) {
          const index = Number(accounts.pick(keys));
          used[index] = (used[index] ?? 0) + (costs[index] ?? 0);
          accounts.charge(String(index), costs[index] ?? 0);
        }
        assert.ok(Math.max(...used) - Math.min(...used) <= Math.max(...costs));
      },
    ),
  );
});

test("however many come that have used nothing, one that has used more has its turn", () => {
  const accounts = createLeastUsed();
  accounts.charge("old", 10);
  let turns = 0;
  for (; turns < 3000; turns += 1) {
    const next = accounts.pick(["old", `new${turns}`]) ?? "";
    accounts.charge(next, 1000);
    if (next === "old") break;
  }
  assert.ok(turns < 2000, `${turns} turns`);
});

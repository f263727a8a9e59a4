import assert from "node:assert/strict";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createMinuteBudget } from "./minute-budget.ts";

test("of processes that share a budget each spends a part, by how many there are at the moment", () => {
  let live = 2;
  const budget = createMinuteBudget(5, fakeClock(), () => live);
  assert.equal(budget.spend("one", 4), false);
  assert.equal(budget.spend("one", 3), true);
  assert.equal(budget.spend("one", 1), false);
  live = 1;
  assert.equal(budget.spend("one", 2), true);
  assert.equal(budget.spend("one", 1), false);
});

test("without a limit all is spent", () => {
  const budget = createMinuteBudget(0, fakeClock(), () => 3);
  assert.equal(budget.spend("one", 1000), true);
});

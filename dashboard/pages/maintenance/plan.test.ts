import assert from "node:assert/strict";
import { test } from "node:test";

import { cronOf, lastOf, localText, newPlan, planOf } from "./plan.ts";

for (const cron of [
  "30 2 * * *",
  "0 22 * * 0",
  "5 4 * * 1,3,5",
  "0 0 15 * *",
  "0 3 1 1 *",
  "*/20 * * * *",
  "0 2 1 * 1",
])
  test(`the plan of ${cron} is sent back as it was`, () =>
    assert.equal(cronOf(planOf({ cron })), cron));

test("what a form says is what a cron says", () => {
  const plan = { ...newPlan, when: "repeated", time: "07:05" } as const;
  assert.equal(cronOf({ ...plan, repeat: "daily" }), "5 7 * * *");
  assert.equal(cronOf({ ...plan, weekdays: [5, 1] }), "5 7 * * 1,5");
  assert.equal(cronOf({ ...plan, repeat: "monthly", day: " 31 " }), "5 7 31 * *");
  assert.equal(cronOf({ ...plan, repeat: "cron", cron: " 0 1 * * * " }), "0 1 * * *");
  assert.equal(planOf({ cron: "0 2 1 * 1" }).repeat, "cron");
  assert.deepEqual(planOf({ cron: "0 2 * * 7" }).weekdays, [0]);
});

test("an instant in the field of a form is the same instant when it is read", () => {
  const at = Date.UTC(2026, 0, 5, 12, 30);
  assert.equal(new Date(localText(at)).getTime(), at);
  assert.equal(planOf({ start: at }).start, localText(at));
});

test("the last time is the newest of its history", () => {
  const time = { disabledchecklist: [], skippedchecklist: [] };
  assert.equal(lastOf({ history: { "5": time, "10": time } }), 10);
  assert.equal(lastOf({ history: {} }), undefined);
});

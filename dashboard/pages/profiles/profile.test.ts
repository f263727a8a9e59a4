import assert from "node:assert/strict";
import { test } from "node:test";

import { newStep, stepsOf, wireOf } from "./profile.ts";

test("the steps of a profile are in the order in which they go out, and are sent back as they were", () => {
  const late = { ann: { schedule: "Nights", delay: 15, repeat: 30, repeatcount: 3 } };
  const first = { ben: { schedule: "All", delay: 0 } };
  const steps = stepsOf({ notifications: [late, first] });
  assert.deepEqual(
    steps.map(({ recipient }) => recipient),
    ["ben", "ann"],
  );
  assert.deepEqual(wireOf(steps), [
    { ben: { schedule: "All", delay: "0" } },
    { ann: { schedule: "Nights", delay: "15", repeat: "30", repeatcount: "3" } },
  ]);
});

test("limits of reminders go only with reminders", () => {
  assert.deepEqual(wireOf([{ ...newStep, recipient: "ann", delay: " ", count: "2" }]), [
    { ann: { schedule: "All", delay: 0 } },
  ]);
});

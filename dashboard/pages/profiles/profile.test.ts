import assert from "node:assert/strict";
import { test } from "node:test";

import { newStep, refusalOfStep, stepsOf, toBody } from "./profile.ts";

test("the steps of a profile are in the order in which they go out, and are sent back as they were", () => {
  const late = { ann: { schedule: "Nights", delay: 15, repeat: 30, repeatcount: 3 } };
  const first = { ben: { schedule: "All", delay: 0 } };
  const steps = stepsOf({ notifications: [late, first] });
  assert.deepEqual(
    steps.map(({ recipient }) => recipient),
    ["ben", "ann"],
  );
  assert.deepEqual(toBody(steps), [
    { ben: { schedule: "All", delay: "0" } },
    { ann: { schedule: "Nights", delay: "15", repeat: "30", repeatcount: "3" } },
  ]);
});

test("limits of reminders go only with reminders", () => {
  assert.deepEqual(toBody([{ ...newStep, recipient: "ann", delay: " ", count: "2" }]), [
    { ann: { schedule: "All", delay: 0 } },
  ]);
});

const step = { recipient: "a-1", schedule: "Nights" };

for (const { name, sentence, found } of [
  {
    name: "the delay of its recipient",
    sentence: 'delay must be minutes from 0 to 43200 "a-1"',
    found: { field: "delay", sentence: "delay must be minutes from 0 to 43200" },
  },
  {
    name: "the number of reminders",
    sentence: 'repeatcount must be a number from 0 to 1000 "a-1"',
    found: { field: "count", sentence: "repeatcount must be a number from 0 to 1000" },
  },
  {
    name: "a recipient that is gone",
    sentence: 'no such contact "a-1"',
    found: { field: "recipient", sentence: "no such contact" },
  },
  {
    name: "a schedule that is gone",
    sentence: 'no such schedule "Nights"',
    found: { field: "schedule", sentence: 'no such schedule "Nights"' },
  },
  { name: "another step", sentence: 'delay must be minutes "a-2"', found: undefined },
] as const)
  test(`a refusal stands beside ${name}`, () =>
    assert.deepEqual(refusalOfStep({ field: "notifications", sentence }, step), found));

test("a refusal of something else is about no step", () => {
  assert.equal(refusalOfStep({ field: "name", sentence: 'too long "a-1"' }, step), undefined);
  assert.equal(refusalOfStep(undefined, step), undefined);
});

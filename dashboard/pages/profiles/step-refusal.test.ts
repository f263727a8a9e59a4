import assert from "node:assert/strict";
import { test } from "node:test";

import { refusalOfStep } from "./step-refusal.ts";

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

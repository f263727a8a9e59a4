import assert from "node:assert/strict";
import { test } from "node:test";

import { errorOf, refusalOf } from "./refusal.ts";

for (const [message, field, sentence] of [
  ["name: must be text", "name", "must be text"],
  [
    "data.monday.time1: must be a time such as 8:30",
    "data.monday.time1",
    "must be a time such as 8:30",
  ],
  [
    "Account must have at least one 'owner' contact.",
    undefined,
    "Account must have at least one 'owner' contact.",
  ],
  ["not allowed: it needs edit", undefined, "not allowed: it needs edit"],
] as const)
  test(`the field of ${JSON.stringify(message)} is ${field ?? "none"}`, () =>
    assert.deepEqual(refusalOf(new Error(message)), { field, sentence }));

test("a refusal stands beside its field, or the field that it is a part of, and no other", () => {
  const refusal = { field: "data.monday.time1", sentence: "must be a time" };
  assert.equal(errorOf(refusal, "data"), "must be a time");
  assert.equal(errorOf(refusal, "name"), undefined);
  assert.equal(errorOf({ ...refusal, field: "dat" }, "data"), undefined);
  assert.equal(errorOf(undefined, "data"), undefined);
  assert.equal(refusalOf(null), undefined);
});

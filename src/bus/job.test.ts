import assert from "node:assert/strict";
import { test } from "node:test";

import { aCheck } from "../../test/record-builders.ts";
import { jobOf } from "./job.ts";

test("a job names its check's state at the first attempt only, so that no report to a recheck waits", () => {
  const active = { check: { ...aCheck("check"), no: 1 }, primaryId: "alice" };
  const states = [1, 2].map((attempt) => jobOf(active, 0, { attempt, state: "failing" }).state);
  assert.deepEqual(states, ["failing", undefined]);
  assert.equal("state" in jobOf(active, 0, { attempt: 1, state: undefined }), false);
});

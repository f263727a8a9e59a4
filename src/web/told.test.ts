import assert from "node:assert/strict";
import { test } from "node:test";

import { dropReasons } from "../domain/alert.ts";

test("the dashboard has words for every reason not to send an alert, and for no other", async () => {
  const { reasons } = await import(import.meta.resolve("./client/told.js"));
  assert.deepEqual(Object.keys(reasons).toSorted(), dropReasons.toSorted());
});

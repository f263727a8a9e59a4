import assert from "node:assert/strict";
import { test } from "node:test";

import { dropReasons } from "../domain/alert.ts";

test("the dashboard has a text for every reason to drop an alert, and for no other", async () => {
  const { reasons } = await import(import.meta.resolve("./client/alerts.js"));
  assert.deepEqual(Object.keys(reasons).toSorted(), dropReasons.toSorted());
});

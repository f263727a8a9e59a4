import assert from "node:assert/strict";
import { test } from "node:test";

import { settleAll } from "./settle-all.ts";

test("the values come in order, once all are there", async () => {
  assert.deepEqual(await settleAll(Promise.resolve(1), "two", Promise.resolve(3)), [1, "two", 3]);
});

test("where one fails the others end first, and the first in order says why", async () => {
  const slow = Promise.withResolvers<void>();
  let hasEnded = false;
  const ended = slow.promise.then(() => (hasEnded = true));
  const failing = settleAll(
    Promise.reject(new Error("first")),
    ended,
    Promise.reject(new Error("second")),
  );
  setImmediate(slow.resolve);
  await assert.rejects(failing, /^Error: first$/);
  assert.ok(hasEnded);
});

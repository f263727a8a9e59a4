import assert from "node:assert/strict";
import { test } from "node:test";

import { createBodyMemory } from "./body-memory.ts";

test("bodies of one client take no more than its part, and those of all no more than there is", () => {
  const memory = createBodyMemory({ allBytes: 100, clientBytes: 60 });
  const first = memory.open("a");
  first.grow(40);
  const second = memory.open("a");
  assert.throws(() => second.grow(21), { code: "unavailable", message: /one address/ });
  second.grow(20);
  const other = memory.open("b");
  assert.throws(() => other.grow(41), { code: "unavailable", message: "body: too many at once" });
  other.grow(40);
});

test("a body that grows counts once, and gives all back when it is done with, once", () => {
  const memory = createBodyMemory({ allBytes: 100, clientBytes: 100 });
  const body = memory.open("a");
  for (const bytes of [10, 50, 100]) body.grow(bytes);
  body.release();
  body.release();
  memory.open("a").grow(100);
  assert.throws(() => memory.open("b").grow(1), { code: "unavailable" });
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { createSlab } from "./slab.ts";

test("an item is taken once, and its number is used again", () => {
  const slots = createSlab<{ readonly name: string }>();
  const [one, two, three] = [{ name: "one" }, { name: "two" }, { name: "three" }];
  const first = slots.add(one);
  const second = slots.add(two);
  assert.notEqual(first, second);
  assert.equal(slots.take(first), one);
  assert.equal(slots.take(first), undefined);
  assert.equal(slots.take(7), undefined);
  assert.deepEqual(slots.items(), [two]);
  assert.equal(slots.add(three), first);
  assert.deepEqual(slots.items(), [three, two]);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { memoize } from "./memoize.ts";

test("a value is computed once, undefined too, and what was computed is bounded", () => {
  let computed = 0;
  const lengthOf = memoize((text) => {
    computed += 1;
    return text === "" ? undefined : text.length;
  });
  for (const text of ["", "ab", "", "ab"])
    assert.equal(lengthOf(text), text === "" ? undefined : 2);
  assert.equal(computed, 2);
  for (let index = 0; index < 10_000; index += 1) lengthOf(`text ${index}`);
  assert.equal(lengthOf("ab"), 2);
  assert.equal(computed, 10_003);
});

test("what throws is computed again", () => {
  const refuse = memoize(() => {
    throw new RangeError("planted");
  });
  for (let attempt = 0; attempt < 2; attempt += 1) assert.throws(() => refuse("text"), RangeError);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { contrastOf } from "./contrast.ts";

for (const [one, other, contrast] of [
  ["#000000", "#ffffff", 21],
  ["#ffffff", "#ffffff", 1],
  ["#15713a", "#ffffff", 6.1],
  ["#4ade80", "#14171a", 10.3],
] as const)
  test(`the contrast of ${one} and ${other} is ${contrast}`, () => {
    assert.equal(Math.round(contrastOf(one, other) * 10) / 10, contrast);
    assert.equal(contrastOf(one, other), contrastOf(other, one));
  });

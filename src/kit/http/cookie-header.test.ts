import assert from "node:assert/strict";
import { test } from "node:test";

import { cookieValues } from "./cookie-header.ts";

for (const [header, values] of [
  [undefined, []],
  ["", []],
  ["a=1", ["1"]],
  ["b=2; a=1;a=3 ; aa=4; A=5", ["1", "3"]],
  ["a; a=; =a", ["", ""]],
  ["a=1=2", ["1"]],
  [";".repeat(16_384), []],
] as const)
  test(`the cookies "a" in ${String(header).slice(0, 30)} are ${values.join(", ") || "none"}`, () =>
    assert.deepEqual(cookieValues(header, "a"), values));

import assert from "node:assert/strict";
import { test } from "node:test";

import { foundAmong } from "./found-among.ts";

const names = ["Ann Example", "Ben", "Anna Other"];
const found = (wanted: string): readonly string[] => foundAmong(names, wanted, (name) => name);

test("what has all of the wanted words is found, in any case and order", () => {
  assert.deepEqual(found("ann"), ["Ann Example", "Anna Other"]);
  assert.deepEqual(found(" EXAMPLE ann "), ["Ann Example"]);
  assert.deepEqual(found("zoe"), []);
  assert.deepEqual(found("  "), names);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { neverCaused, neverCausedLine, timesOf } from "./never-caused.ts";

const kinds = ["kill", "pause", "full"] as const;
const caused = (kind: (typeof kinds)[number], hasHit = true) => ({ kind, hasHit });

test("how often a trouble was caused, and how often it met what it aims at", () => {
  const troubles = [caused("kill"), caused("pause", false), caused("kill"), caused("pause")];
  assert.deepEqual(timesOf(troubles), [
    ["kill", 2, 2],
    ["pause", 2, 1],
  ]);
});

for (const { name, troubles, said } of [
  { name: "nothing was", troubles: [], said: "never caused: kill, pause, full" },
  {
    name: "one was, and another did not meet what it aims at",
    troubles: [caused("kill"), caused("pause", false)],
    said: "never caused: pause, full",
  },
  {
    name: "one met what it aims at the second time",
    troubles: [caused("pause", false), caused("pause")],
    said: "never caused: kill, full",
  },
  {
    name: "all were",
    troubles: [caused("full"), caused("kill"), caused("pause")],
    said: "every trouble was caused",
  },
])
  test(`what a storm never caused, where ${name}`, () => {
    assert.equal(neverCausedLine(neverCaused(kinds, troubles)), said);
  });

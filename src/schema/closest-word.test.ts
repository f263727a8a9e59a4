import assert from "node:assert/strict";
import { test } from "node:test";

import { closestWord } from "./closest-word.ts";

const words = ["interval", "threshold", "target", "sens", "notifications", "id"];
const rows: readonly (readonly [typed: string, meant: string | undefined])[] = [
  ["intervall", "interval"],
  ["thresold", "threshold"],
  ["traget", "target"],
  ["Notification", "notifications"],
  ["SENS", "sens"],
  ["timeout", undefined],
  ["x", undefined],
  ["", undefined],
  ["interval".repeat(1000), undefined],
];

for (const [typed, meant] of rows) {
  test(`who types ${JSON.stringify(typed.slice(0, 20))} probably means ${meant ?? "none of these"}`, () => {
    assert.equal(closestWord(typed, words), meant);
  });
}

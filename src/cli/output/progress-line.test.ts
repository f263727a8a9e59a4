import assert from "node:assert/strict";
import { test } from "node:test";

import { progressLine } from "./progress-line.ts";

test("the line of a terminal is written where it changes, and is gone at the end", () => {
  const written: string[] = [];
  const { show, clear } = progressLine((text) => written.push(text.replaceAll("\u001B[K", "|")));
  for (const share of [0, 0.001, 0.5, 0.501, 1]) show("copying", share);
  clear();
  clear();
  assert.deepEqual(written, [
    "\r|copying",
    "\r|copying 0 %",
    "\r|copying 50 %",
    "\r|copying 100 %",
    "\r|",
  ]);
});

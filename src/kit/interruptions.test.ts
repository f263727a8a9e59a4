import assert from "node:assert/strict";
import { test } from "node:test";

import { createInterruptions } from "./interruptions.ts";

function startAt(start: number) {
  let now = start;
  const interruptions = createInterruptions({ monotonic: () => now });
  return { interruptions, advance: (ms: number) => void (now += ms) };
}

test("interruptions that overlap count once, and only from the start that is asked for", () => {
  const { interruptions, advance } = startAt(1000);
  assert.deepEqual([interruptions.lastEnd(), interruptions.lostSince(0)], [-Infinity, 0]);
  interruptions.record("stalled", 100, 300);
  interruptions.record("clock", 200, 400);
  interruptions.record("store", 900, 1000);
  assert.equal(interruptions.lostSince(0), 400);
  assert.equal(interruptions.lostSince(350), 150);
  assert.equal(interruptions.lastEnd(), 1000);
  advance(50);
  assert.equal(interruptions.lastEnd(), 1000);
});

test("one that lasts counts up to now, and ends once", () => {
  const { interruptions, advance } = startAt(1000);
  const end = interruptions.begin("store", 800);
  assert.deepEqual(interruptions.open(), [{ cause: "store", from: 800 }]);
  advance(100);
  assert.deepEqual([interruptions.lastEnd(), interruptions.lostSince(0)], [1100, 300]);
  end();
  advance(100);
  end();
  assert.deepEqual([interruptions.lastEnd(), interruptions.lostSince(0)], [1100, 300]);
  assert.deepEqual(interruptions.open(), []);
});

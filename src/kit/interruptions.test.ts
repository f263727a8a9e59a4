import assert from "node:assert/strict";
import { test } from "node:test";

import { createInterruptions, type EndedInterruption } from "./interruptions.ts";

function startAt(start: number) {
  let now = start;
  const ended: EndedInterruption[] = [];
  const interruptions = createInterruptions({ monotonic: () => now }, (one) => ended.push(one));
  return { interruptions, ended, advance: (ms: number) => void (now += ms) };
}

test("interruptions that overlap count once, and only from the start that is asked for", () => {
  const { interruptions, ended, advance } = startAt(10_000);
  assert.deepEqual([interruptions.lastEnd(), interruptions.lostSince(0)], [-Infinity, 0]);
  interruptions.record("stalled", 1000, 3000);
  interruptions.record("listener", 2000, 4000);
  interruptions.record("store", 9000, 10_000);
  assert.equal(interruptions.lostSince(0), 4000);
  assert.equal(interruptions.lostSince(3500), 1500);
  assert.equal(interruptions.lastEnd(), 10_000);
  advance(50);
  assert.equal(interruptions.lastEnd(), 10_000);
  assert.deepEqual(interruptions.lastEnded(), { cause: "store", from: 9000, to: 10_000 });
  assert.equal(ended.length, 3);
});

test("one that no client can have felt restarts nothing, but for a step of the clock, which has no length", () => {
  const { interruptions } = startAt(10_000);
  interruptions.record("stalled", 1000, 1999);
  assert.equal(interruptions.lastEnd(), -Infinity);
  interruptions.record("clock", 5000, 5000);
  assert.equal(interruptions.lastEnd(), 5000);
  interruptions.record("store", 6000, 7000);
  assert.equal(interruptions.lastEnd(), 7000);
});

test("one that lasts counts up to now, and ends once", () => {
  const { interruptions, ended, advance } = startAt(1000);
  const end = interruptions.begin("store", 200);
  assert.deepEqual(interruptions.open(), [{ cause: "store", from: 200 }]);
  advance(400);
  assert.deepEqual([interruptions.lastEnd(), interruptions.lostSince(0)], [1400, 1200]);
  end();
  advance(100);
  end();
  assert.deepEqual([interruptions.lastEnd(), interruptions.lostSince(0)], [1400, 1200]);
  assert.deepEqual(interruptions.open(), []);
  assert.deepEqual(ended, [{ cause: "store", from: 200, to: 1400 }]);
});

test("those that overlap are one, and one that lasts ends now", () => {
  const { interruptions, advance } = startAt(100_000);
  interruptions.record("store", 1000, 41_000);
  interruptions.record("stalled", 40_000, 52_000);
  interruptions.record("stalled", 60_000, 62_000);
  interruptions.begin("listener");
  advance(5000);
  assert.deepEqual(interruptions.lost(), [
    { from: 1000, to: 52_000 },
    { from: 60_000, to: 62_000 },
    { from: 100_000, to: 105_000 },
  ]);
  assert.equal(interruptions.lostSince(50_000), 9000);
});

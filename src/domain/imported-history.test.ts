import assert from "node:assert/strict";
import { test } from "node:test";

import {
  areWithin,
  rangeOf,
  isInOrder,
  knownUptime,
  newSpans,
  shareTime,
  type ImportedSpan,
} from "./imported-history.ts";

const aSpan = (start: number, end: number): ImportedSpan => ({
  kind: "enabled",
  start,
  end,
  message: "",
});

test("only what is before the check's own, and not known already, is new", () => {
  const sent = [aSpan(0, 10), aSpan(20, 40)];
  assert.deepEqual(newSpans(sent, { known: undefined, before: 30 }), [aSpan(0, 10), aSpan(20, 30)]);
  assert.deepEqual(newSpans(sent, { known: undefined, before: 0 }), []);
  const known = { start: 5, end: 25 };
  assert.deepEqual(newSpans(sent, { known, before: 100 }), [aSpan(0, 5), aSpan(25, 40)]);
  assert.deepEqual(newSpans(sent, { known: { start: 0, end: 40 }, before: 100 }), []);
});

test("spans are in order where none is empty and none begins before another's end", () => {
  assert.ok(isInOrder([]));
  assert.ok(isInOrder([aSpan(0, 1), aSpan(1, 2)]));
  assert.ok(!isInOrder([aSpan(0, 2), aSpan(1, 3)]));
  assert.ok(!isInOrder([aSpan(1, 1)]));
  assert.ok(!isInOrder([aSpan(2, 3), aSpan(0, 1)]));
});

test("spans lie within others, or share time with them", () => {
  const known = [aSpan(0, 10), aSpan(20, 30)];
  assert.ok(areWithin([aSpan(0, 5), aSpan(6, 10), aSpan(20, 30)], known));
  for (const outside of [aSpan(5, 11), aSpan(10, 20), aSpan(30, 31), aSpan(8, 22)])
    assert.ok(!areWithin([outside], known));
  assert.ok(!shareTime([aSpan(10, 20), aSpan(30, 40)], known));
  for (const shared of [aSpan(5, 6), aSpan(9, 12), aSpan(15, 21), aSpan(0, 100)])
    assert.ok(shareTime([shared], known));
  assert.deepEqual(rangeOf(known), { start: 0, end: 30 });
  assert.equal(rangeOf([]), undefined);
});

test("uptime is of the time that is known", () => {
  assert.equal(knownUptime([aSpan(0, 100), aSpan(200, 300)], [aSpan(50, 60)]), 95);
  assert.equal(knownUptime([], []), undefined);
});

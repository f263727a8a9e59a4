import assert from "node:assert/strict";
import { test } from "node:test";

import { createRunQueue } from "./run-queue.ts";
import type { RunLimits, RunQueue } from "./run-queue.ts";

function lineOf(limits: RunLimits): { readonly line: RunQueue<string>; readonly begun: string[] } {
  const begun: string[] = [];
  return { line: createRunQueue(limits, (item, tick) => void begun.push(`${item}${tick}`)), begun };
}

test("what is due beyond the limit waits, and begins in its order as others end", () => {
  const { line, begun } = lineOf({ maxRunning: 2, maxStartsPerTurn: 9 });
  for (const item of ["a", "b", "c", "d"]) line.add(item, 1);
  assert.deepEqual(begun, ["a1", "b1"]);
  line.finished();
  assert.deepEqual(begun, ["a1", "b1", "c1"]);
  line.finished();
  line.finished();
  assert.deepEqual(begun, ["a1", "b1", "c1", "d1"]);
});

test("so many begin in one turn, and the next brings the others", () => {
  const { line, begun } = lineOf({ maxRunning: 9, maxStartsPerTurn: 2 });
  for (const item of ["a", "b", "c", "d", "e"]) line.add(item, 1);
  assert.equal(begun.length, 2);
  line.finished();
  assert.equal(begun.length, 2);
  line.nextTurn();
  assert.equal(begun.length, 4);
  line.nextTurn();
  assert.equal(begun.length, 5);
});

test("a tick that still waits gives its place to the next of the same check, and is told of", () => {
  const { line, begun } = lineOf({ maxRunning: 1, maxStartsPerTurn: 9 });
  assert.equal(line.add("a", 1), undefined);
  assert.equal(line.add("b", 1), undefined);
  assert.equal(line.add("c", 1), undefined);
  assert.equal(line.add("b", 2), 1);
  line.finished();
  line.finished();
  assert.deepEqual(begun, ["a1", "b2", "c1"]);
});

test("whoever left the line does not begin", () => {
  const { line, begun } = lineOf({ maxRunning: 1, maxStartsPerTurn: 9 });
  for (const item of ["a", "b", "c", "d"]) line.add(item, 1);
  line.remove("b");
  line.finished();
  assert.deepEqual(begun, ["a1", "c1"]);
  line.clear();
  line.finished();
  assert.deepEqual(begun, ["a1", "c1"]);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { createRunQueue } from "./run-queue.ts";
import type { RunLimits, RunQueue } from "./run-queue.ts";

function startQueue(limits: RunLimits): {
  readonly queue: RunQueue<string>;
  readonly begun: string[];
} {
  const begun: string[] = [];
  return {
    queue: createRunQueue(limits, (item, tick) => void begun.push(`${item}${tick}`)),
    begun,
  };
}

test("runs beyond the limit wait, and start in order as others finish", () => {
  const { queue, begun } = startQueue({ maxRunning: 2, maxStartsPerTurn: 9 });
  for (const item of ["a", "b", "c", "d"]) queue.add(item, 1);
  assert.deepEqual(begun, ["a1", "b1"]);
  queue.finished();
  assert.deepEqual(begun, ["a1", "b1", "c1"]);
  queue.finished();
  queue.finished();
  assert.deepEqual(begun, ["a1", "b1", "c1", "d1"]);
});

test("a limited number starts in one turn, and the others in the next", () => {
  const { queue, begun } = startQueue({ maxRunning: 9, maxStartsPerTurn: 2 });
  for (const item of ["a", "b", "c", "d", "e"]) queue.add(item, 1);
  assert.equal(begun.length, 2);
  queue.finished();
  assert.equal(begun.length, 2);
  queue.nextTurn();
  assert.equal(begun.length, 4);
  queue.nextTurn();
  assert.equal(begun.length, 5);
});

test("a tick that still waits is replaced by the next of the same check, and returned", () => {
  const { queue, begun } = startQueue({ maxRunning: 1, maxStartsPerTurn: 9 });
  assert.equal(queue.add("a", 1), undefined);
  assert.equal(queue.add("b", 1), undefined);
  assert.equal(queue.add("c", 1), undefined);
  assert.equal(queue.add("b", 2), 1);
  queue.finished();
  queue.finished();
  assert.deepEqual(begun, ["a1", "b2", "c1"]);
});

test("an item that was removed does not start", () => {
  const { queue, begun } = startQueue({ maxRunning: 1, maxStartsPerTurn: 9 });
  for (const item of ["a", "b", "c", "d"]) queue.add(item, 1);
  queue.remove("b");
  queue.finished();
  assert.deepEqual(begun, ["a1", "c1"]);
  queue.clear();
  queue.finished();
  assert.deepEqual(begun, ["a1", "c1"]);
});

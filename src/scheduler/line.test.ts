import assert from "node:assert/strict";
import { test } from "node:test";

import { createLine } from "./line.ts";
import type { Limits, Line } from "./line.ts";

function lineOf(limits: Limits): { readonly line: Line<string>; readonly begun: string[] } {
  const begun: string[] = [];
  return { line: createLine(limits, (item, tick) => void begun.push(`${item}${tick}`)), begun };
}

test("what is due beyond the limit waits, and begins in its order as others end", () => {
  const { line, begun } = lineOf({ atOnce: 2, eachTurn: 9 });
  for (const item of ["a", "b", "c", "d"]) line.enter(item, 1);
  assert.deepEqual(begun, ["a1", "b1"]);
  line.ended();
  assert.deepEqual(begun, ["a1", "b1", "c1"]);
  line.ended();
  line.ended();
  assert.deepEqual(begun, ["a1", "b1", "c1", "d1"]);
});

test("so many begin in one turn, and the next brings the others", () => {
  const { line, begun } = lineOf({ atOnce: 9, eachTurn: 2 });
  for (const item of ["a", "b", "c", "d", "e"]) line.enter(item, 1);
  assert.equal(begun.length, 2);
  line.ended();
  assert.equal(begun.length, 2);
  line.turn();
  assert.equal(begun.length, 4);
  line.turn();
  assert.equal(begun.length, 5);
});

test("a tick that still waits gives its place to the next of the same check, and is told of", () => {
  const { line, begun } = lineOf({ atOnce: 1, eachTurn: 9 });
  assert.equal(line.enter("a", 1), undefined);
  assert.equal(line.enter("b", 1), undefined);
  assert.equal(line.enter("c", 1), undefined);
  assert.equal(line.enter("b", 2), 1);
  line.ended();
  line.ended();
  assert.deepEqual(begun, ["a1", "b2", "c1"]);
});

test("whoever left the line does not begin", () => {
  const { line, begun } = lineOf({ atOnce: 1, eachTurn: 9 });
  for (const item of ["a", "b", "c", "d"]) line.enter(item, 1);
  line.leave("b");
  line.ended();
  assert.deepEqual(begun, ["a1", "c1"]);
  line.clear();
  line.ended();
  assert.deepEqual(begun, ["a1", "c1"]);
});

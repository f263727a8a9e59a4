import assert from "node:assert/strict";
import { test } from "node:test";

import {
  livedBefore,
  livedBetween,
  maybeDuring,
  overlaps,
  surelyDuring,
  type Change,
} from "./timeline.ts";

const lost = [
  { from: 100, to: 200 },
  { from: 150, to: 300 },
  { from: 400, to: 500 },
];

for (const { from, to, lived } of [
  { from: 0, to: 50, lived: 50 },
  { from: 0, to: 350, lived: 150 },
  { from: 120, to: 280, lived: 0 },
  { from: 250, to: 450, lived: 100 },
  { from: 0, to: 1000, lived: 700 },
]) {
  test(`from ${from} to ${to}, ${lived} were lived`, () => {
    assert.equal(livedBetween(lost, { from, to }), lived);
    assert.equal(livedBetween([], { from, to }), to - from);
  });
}

for (const { to, ms, since } of [
  { to: 90, ms: 50, since: 40 },
  { to: 350, ms: 50, since: 300 },
  { to: 350, ms: 60, since: 90 },
  { to: 250, ms: 10, since: 90 },
  { to: 600, ms: 250, since: 50 },
]) {
  test(`${ms} were lived from ${since} until ${to}`, () =>
    assert.equal(livedBefore(lost, to, ms), since));
}

const change: Change = {
  what: "",
  begun: { from: 10, to: 20 },
  ended: { from: 50, to: 60 },
};

test("a change is in effect for sure from its acknowledgement until it is taken back", () => {
  const sure = [15, 20, 35, 50, 55].filter((at) => surelyDuring([change], at));
  assert.deepEqual(sure, [20, 35, 50]);
});

test("a change may be in effect from its request until the acknowledgement of its end", () => {
  const perhaps = [5, 10, 35, 60, 65].filter((at) => maybeDuring([change], { from: at, to: at }));
  assert.deepEqual(perhaps, [10, 35, 60]);
  const { ended: _, ...lasting } = change;
  assert.ok(maybeDuring([lasting], { from: 999, to: 999 }));
});

test("intervals overlap where they share an instant", () => {
  assert.ok(overlaps(lost, { from: 0, to: 100 }));
  assert.ok(!overlaps(lost, { from: 301, to: 399 }));
});

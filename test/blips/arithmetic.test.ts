import assert from "node:assert/strict";
import { test } from "node:test";

import { alarmsOf, blipsOf, expectedAlarms } from "./arithmetic.ts";

const near = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < 0.02, `${actual} is not ${expected}`);

test("a blip alarms where the first run and both rechecks meet it, and at no other phase", () => {
  const blip = [{ from: 20, to: 30 }];
  const alarms = (phase: number): number => alarmsOf({ intervalSeconds: 60, phase }, blip);
  assert.deepEqual([19.9, 20, 23.9, 24, 29.9].map(alarms), [0, 1, 1, 0, 0]);
});

test("the expected number is the share of phases, per blip", () => {
  for (const interval of [15, 60]) {
    for (const length of [1, 3, 5]) assert.equal(expectedAlarms(interval, blipsOf(length, 20)), 0);
    near(expectedAlarms(interval, [{ from: 7, to: 17 }]), 4 / interval);
    near(expectedAlarms(interval, [{ from: 7, to: 27 }]), 14 / interval);
  }
});

test("a check that is still down when the next blip begins raises no second alarm", () => {
  const blips = [
    { from: 0, to: 20 },
    { from: 60, to: 80 },
  ];
  assert.equal(alarmsOf({ intervalSeconds: 60, phase: 5 }, blips), 1);
  assert.equal(alarmsOf({ intervalSeconds: 15, phase: 5 }, blips), 2);
});

test("there is one blip a minute, which ends ten seconds before the next minute at the latest", () => {
  for (const length of [1, 3, 5, 10, 20]) {
    const blips = blipsOf(length, 20);
    assert.equal(blips.length, 20);
    blips.forEach(({ from, to }, minute) => {
      assert.equal(to - from, length);
      assert.ok(from >= minute * 60 && to <= minute * 60 + 50);
    });
    assert.ok(new Set(blips.map(({ from }) => from % 60)).size > 10, "at many seconds");
  }
});

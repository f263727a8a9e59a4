import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { grade, times } from "./grades.ts";
import type { Episode, Judgement } from "./judge.ts";

const episode = (more: Partial<Episode> & { readonly expects?: "must" | "may" }): Episode => ({
  outage: {
    target: "shop",
    scenario: "status-503",
    from: 0,
    to: 1,
    expects: more.expects ?? "must",
    words: [],
  },
  alarmSeconds: 10,
  recoverySeconds: 20,
  reason: "503",
  hasGoodReason: true,
  ...more,
});

test("required and allowed outages are counted apart, and faults by kind", () => {
  const judgement: Judgement = {
    episodes: [
      episode({}),
      episode({ alarmSeconds: undefined, recoverySeconds: undefined, hasGoodReason: undefined }),
      episode({ expects: "may", alarmSeconds: undefined }),
    ],
    faults: [
      { kind: "missed", scenario: "status-503", target: "shop", at: 0, way: undefined, what: "" },
    ],
    alarms: 2,
  };
  const { required, seen, allowed, allowedSeen, goodReasons, alarm, faults } = grade(judgement);
  assert.deepEqual(
    { required, seen, allowed, allowedSeen, goodReasons },
    { required: 2, seen: 1, allowed: 1, allowedSeen: 0, goodReasons: 1 },
  );
  assert.deepEqual(alarm, { p50: 10, p95: 10, worst: 10 });
  assert.equal(faults.missed, 1);
  assert.equal(faults.false, 0);
});

test("a scenario has the episodes and faults of its name alone", () => {
  const { required, faults } = grade(
    {
      episodes: [episode({})],
      faults: [
        { kind: "false", scenario: "own-pause", target: "shop", at: 0, way: undefined, what: "" },
      ],
      alarms: 1,
    },
    "own-pause",
  );
  assert.equal(required, 0);
  assert.equal(faults.false, 1);
});

test("quantiles are of the values that are known, by nearest rank", () => {
  assert.deepEqual(times([]), { p50: undefined, p95: undefined, worst: undefined });
  assert.deepEqual(times([3, undefined, 1, 2]), { p50: 2, p95: 3, worst: 3 });
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  assert.deepEqual(times(hundred), { p50: 50, p95: 95, worst: 100 });
});

test("quantiles are values, in order", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 1 }), (values) => {
      const { p50 = -1, p95 = -1, worst = -1 } = times(values);
      assert.ok(p50 <= p95 && p95 <= worst);
      for (const value of [p50, p95, worst]) assert.ok(values.includes(value));
    }),
  );
});

test("what both ways told alike is one fault, and what one of them told twice is two", () => {
  const fault = { kind: "false", scenario: "own-pause", target: "shop", at: 0, what: "" } as const;
  const faults = ["webhook", "mail", "mail"].map((way) => ({ ...fault, way }));
  const counted = (ways: number): number =>
    grade({ episodes: [], faults: faults.slice(0, ways), alarms: 0 }).faults.false;
  assert.deepEqual([counted(1), counted(2), counted(3)], [1, 1, 2]);
});

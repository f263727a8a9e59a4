import assert from "node:assert/strict";
import { suite, test } from "node:test";

import {
  judgeProbed,
  judgePush,
  type Beat,
  type Observation,
  type ProbedStory,
  type PushStory,
  type Surroundings,
} from "./judge-states.ts";
import type { Interval } from "./timeline.ts";

const quiet: Surroundings = { lost: [], interruptions: [], blurred: [] };

/** One observation a second, down in these seconds. */
const seen = (
  seconds: number,
  down: readonly (readonly [from: number, to: number])[],
): Observation[] =>
  Array.from({ length: seconds }, (_, second) => ({
    from: second * 1000,
    to: second * 1000 + 20,
    isUp: !down.some(([from, to]) => from <= second && second < to),
  }));

const probed: ProbedStory = {
  about: "check",
  inactive: [],
  confirmMs: 10_000,
  detectMs: 80_000,
  truths: [
    { at: 0, isUp: true },
    { at: 100_000, isUp: false },
    { at: 250_000, isUp: true },
  ],
  observations: seen(400, [[150, 300]]),
};

suite("what a probed check said", () => {
  const rows: readonly {
    readonly name: string;
    readonly changes?: Partial<ProbedStory>;
    readonly around?: Partial<Surroundings>;
    readonly found: readonly string[];
  }[] = [
    { name: "is right where it follows its target in time", found: [] },
    {
      name: "is right where it turns down just after its target was",
      changes: { observations: seen(400, [[255, 300]]), detectMs: 200_000 },
      found: [],
    },
    {
      name: "is false where it turns down long before its target",
      changes: {
        observations: seen(400, [
          [50, 60],
          [150, 300],
        ]),
      },
      found: ["false"],
    },
    {
      name: "is false where it turns down though the target is up again for long",
      changes: {
        observations: seen(400, [
          [150, 280],
          [350, 400],
        ]),
      },
      found: ["false", "missed"],
    },
    {
      name: "is false where it turns up while its target is down",
      changes: {
        observations: seen(400, [
          [150, 200],
          [205, 300],
        ]),
      },
      found: ["false", "missed"],
    },
    {
      name: "is not judged where the storm itself stood still",
      changes: {
        observations: seen(400, [
          [50, 60],
          [150, 300],
        ]),
      },
      around: { blurred: [{ from: 45_000, to: 65_000 }] },
      found: [],
    },
    {
      name: "may be late by what was lost",
      changes: {
        observations: seen(400, [
          [150, 280],
          [290, 300],
        ]),
      },
      around: { lost: [{ from: 251_000, to: 289_000 }] },
      found: [],
    },
    {
      name: "is missed where the target is down for long",
      changes: { observations: seen(400, []) },
      found: ["missed"],
    },
    {
      name: "is missed where the target is up for long",
      changes: { observations: seen(400, [[150, 400]]) },
      found: ["missed"],
    },
    {
      name: "is missed where the target is down for long after a disable",
      changes: {
        observations: seen(400, []),
        inactive: [
          { what: "", begun: { from: 90_000, to: 91_000 }, ended: { from: 110_000, to: 111_000 } },
        ],
      },
      found: ["missed"],
    },
    {
      name: "is not missed while it is disabled",
      changes: {
        observations: seen(400, []),
        inactive: [{ what: "", begun: { from: 90_000, to: 91_000 } }],
      },
      found: [],
    },
    {
      name: "is not missed where there was no time to see it",
      changes: { observations: seen(400, []) },
      around: { lost: [{ from: 110_000, to: 240_000 }] },
      found: [],
    },
  ];
  for (const { name, changes, around, found } of rows)
    test(name, () => {
      const findings = judgeProbed({ ...probed, ...changes }, { ...quiet, ...around });
      assert.deepEqual(
        findings.map(({ kind }) => kind),
        found,
      );
    });
});

const sent = (second: number, isPassing: boolean, outcome: Beat["outcome"] = "stored"): Beat => ({
  from: second * 1000 - 500,
  to: second * 1000 - 400,
  isPassing,
  outcome,
});

const push: PushStory = {
  about: "check",
  inactive: [],
  staleAfterMs: undefined,
  beats: [sent(10, true), sent(20, false), sent(30, false), sent(40, true), sent(50, true)],
  observations: seen(60, [[20, 40]]),
};
/** Heartbeats every ten seconds, then none after a minute. */
const silent: PushStory = {
  ...push,
  staleAfterMs: 60_000,
  beats: [10, 20, 30, 40, 50, 60].map((second) => sent(second, true)),
  observations: seen(180, [[122, 180]]),
};

/** A second in each half minute. */
const again: readonly Interval[] = Array.from({ length: 10 }, (_, index) => ({
  from: index * 30_000,
  to: index * 30_000 + 1000,
}));

suite("what a check that waits for heartbeats said", () => {
  const rows: readonly {
    readonly name: string;
    readonly story: PushStory;
    readonly around?: Partial<Surroundings>;
    readonly found: readonly string[];
  }[] = [
    { name: "is right where it is as its last heartbeat says", story: push, found: [] },
    {
      name: "is missed where a failing heartbeat was acknowledged and it stays up",
      story: { ...push, observations: seen(60, []) },
      found: ["missed", "missed"],
    },
    {
      name: "is missed where a passing heartbeat was acknowledged and it stays down",
      story: { ...push, observations: seen(60, [[20, 60]]) },
      found: ["missed", "missed"],
    },
    {
      name: "is uncertain after a heartbeat without an answer, until two were acknowledged",
      story: {
        ...push,
        beats: [sent(10, true), sent(20, false, "unknown"), sent(30, true), sent(40, true)],
        observations: seen(60, [[20, 39]]),
      },
      found: [],
    },
    {
      name: "is certain again after two",
      story: {
        ...push,
        beats: [sent(10, true), sent(20, false, "unknown"), sent(30, true), sent(40, true)],
        observations: seen(60, [[20, 45]]),
      },
      found: ["missed"],
    },
    {
      name: "does not change by a heartbeat that was refused",
      story: {
        ...push,
        beats: [sent(10, true), sent(20, true), sent(30, false, "refused")],
        observations: seen(60, []),
      },
      found: [],
    },
    { name: "is right where a silence turns it down in time", story: silent, found: [] },
    {
      name: "is false where it is down before the silence was long enough",
      story: { ...silent, observations: seen(180, [[100, 180]]) },
      found: ["false"],
    },
    {
      name: "is false where it is down so soon after no heartbeat could be received",
      story: silent,
      around: { interruptions: [{ from: 70_000, to: 110_000 }] },
      found: ["false"],
    },
    {
      name: "is right where it was down before an interruption, and is so in it",
      story: { ...silent, observations: seen(200, [[125, 200]]) },
      around: { interruptions: [{ from: 160_000, to: 190_000 }] },
      found: [],
    },
    {
      name: "is false where it is down so soon after it was enabled",
      story: {
        ...silent,
        inactive: [
          { what: "", begun: { from: 70_000, to: 70_100 }, ended: { from: 110_000, to: 110_100 } },
        ],
      },
      found: ["false"],
    },
    {
      name: "is right where it was down before it was suspended, and is so meanwhile",
      story: {
        ...silent,
        observations: seen(200, [[122, 200]]),
        inactive: [{ what: "", begun: { from: 125_000, to: 125_100 } }],
      },
      found: [],
    },
    {
      name: "is false where it is down after it was suspended in a silence that was not long enough",
      story: {
        ...silent,
        observations: seen(180, [[130, 180]]),
        inactive: [{ what: "", begun: { from: 110_000, to: 110_100 } }],
      },
      found: ["false"],
    },
    {
      name: "is missed where a silence is not seen",
      story: { ...silent, observations: seen(180, []) },
      found: ["missed"],
    },
    {
      name: "is not missed where no heartbeat could be received in between",
      story: { ...silent, observations: seen(180, []) },
      around: { lost: [{ from: 90_000, to: 120_000 }] },
      found: [],
    },
    {
      name: "is right where interruptions come again and again, and it is down after twice the wait and half a minute in all",
      story: { ...silent, observations: seen(300, [[215, 300]]) },
      around: { interruptions: again, lost: again },
      found: [],
    },
    {
      name: "is false where it is down before that, so soon after an interruption",
      story: { ...silent, observations: seen(300, [[205, 300]]) },
      around: { interruptions: again, lost: again },
      found: ["false"],
    },
    {
      name: "is missed where interruptions come again and again, and it stays up after all that",
      story: { ...silent, observations: seen(300, []) },
      around: { interruptions: again, lost: again },
      found: ["missed"],
    },
    {
      name: "is not missed where nobody knows how long it was heard before a restart",
      story: { ...silent, observations: seen(300, []) },
      around: { interruptions: again, lost: again, restarts: [220_000] },
      found: [],
    },
    {
      name: "is not missed where the wait began anew",
      story: { ...silent, observations: seen(180, []) },
      around: { restarts: [120_000] },
      found: [],
    },
  ];
  for (const { name, story, around, found } of rows)
    test(name, () => {
      const findings = judgePush(story, { ...quiet, ...around });
      assert.deepEqual(
        findings.map(({ kind }) => kind),
        found,
      );
    });
});

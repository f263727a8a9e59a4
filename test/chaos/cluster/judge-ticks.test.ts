import assert from "node:assert/strict";
import { suite, test } from "node:test";

import { judgeTicks, type TickStory } from "./judge-ticks.ts";

const at = (tick: number): number => 7 + tick * 15_000;
const story: TickStory = {
  about: "check",
  intervalMs: 15_000,
  phaseMs: 7,
  results: [at(1), at(2), at(5)],
  gaps: [
    { kind: "missed", firstTick: at(3), lastTick: at(3) },
    { kind: "undecided", firstTick: at(4), lastTick: at(4) },
  ],
  from: at(0) + 1,
  to: at(5),
};

suite("the ticks of a check", () => {
  const rows: readonly {
    readonly name: string;
    readonly changes?: Partial<TickStory>;
    readonly found: readonly string[];
  }[] = [
    { name: "are right where each has a result or a gap", found: [] },
    {
      name: "are right where one was undecided and has a result after all",
      changes: { results: [at(1), at(2), at(4), at(5)] },
      found: [],
    },
    {
      name: "are wrong where one has neither",
      changes: { gaps: [] },
      found: ["unaccounted", "unaccounted"],
    },
    {
      name: "are wrong where one has two results",
      changes: { results: [at(1), at(2), at(2), at(5)] },
      found: ["doubled"],
    },
    {
      name: "are wrong where one has a result and was recorded as missed",
      changes: { results: [at(1), at(2), at(3), at(5)] },
      found: ["unaccounted"],
    },
  ];
  for (const { name, changes, found } of rows)
    test(name, () => {
      const { findings } = judgeTicks({ ...story, ...changes });
      assert.deepEqual(
        findings.map(({ kind }) => kind),
        found,
      );
    });

  test("are counted by what they have", () => {
    assert.deepEqual(judgeTicks(story).tally, { results: 3, undecided: 1, missed: 1 });
  });
});

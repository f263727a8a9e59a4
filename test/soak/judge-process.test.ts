import assert from "node:assert/strict";
import { test } from "node:test";

import { growthOf, judgeProcess } from "./judge-process.ts";
import type { Measured } from "./measure.ts";

const limits = { healthMs: 250, memoryMb: 400, growthMb: 3 };

const sample = (second: number, memoryMb: number): Measured["samples"][number] => ({
  at: 1000 * second,
  memoryMb,
  diskMb: 0,
  lagMs: 0,
  heapMb: 0,
  heapTotalMb: 0,
  externalMb: 0,
  mainCpuMs: 0,
  mainWaitMs: 0,
});
const memoryOf = (mbAt: (second: number) => number): readonly Measured["samples"][number][] =>
  Array.from({ length: 600 }, (_, second) => sample(second, mbAt(second)));
const flat = memoryOf((second) => 200 + 10 * Math.sin(second));
const well = [{ at: 0, ms: 3, isWell: true }];

const rows: readonly {
  readonly name: string;
  readonly health?: Measured["health"];
  readonly samples?: Measured["samples"];
  readonly harms: readonly string[];
}[] = [
  { name: "a process that answers at once with flat memory is well", harms: [] },
  {
    name: "an answer that took long is slow",
    health: [...well, { at: 1, ms: 251, isWell: true }],
    harms: ["slowHealth"],
  },
  {
    name: "a refusal is a failure",
    health: [...well, { at: 1, ms: 2, isWell: false }],
    harms: ["failedHealth"],
  },
  { name: "memory has a bound", samples: [...flat, sample(600, 401)], harms: ["memory"] },
  {
    name: "memory that grows by 4 MB a minute to the end is not flat",
    samples: memoryOf((second) => 100 + second / 15),
    harms: ["growth"],
  },
  {
    name: "memory that has grown at the start only is flat",
    samples: memoryOf((second) => Math.min(300, 100 + second)),
    harms: [],
  },
];

for (const { name, health = well, samples = flat, harms } of rows)
  test(name, () => {
    const found = judgeProcess({ health, samples }, limits);
    assert.deepEqual(
      found.map(({ harm }) => harm),
      harms,
      JSON.stringify(found),
    );
  });

test("growth is that of a minute, and none without samples", () => {
  assert.equal(Math.round(growthOf(memoryOf((second) => second / 6))), 10);
  assert.equal(growthOf([]), 0);
});

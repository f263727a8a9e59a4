import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import {
  evaluateSeries,
  maxRuns,
  stateOf,
  type RunStatus,
  type Series,
  type State,
  type Verdict,
} from "./verdict.ts";

const findings: readonly RunStatus[] = ["passed", "failed", "undecided"];

/** Runs a tick to its end, as confirm does: one more run as long as the verdict asks for it. */
function settle(
  start: Pick<Series, "state" | "rechecks">,
  findings: Iterable<RunStatus>,
): { verdict: Verdict; runs: readonly RunStatus[] } {
  const runs: RunStatus[] = [];
  for (const finding of findings) {
    runs.push(finding);
    const verdict = evaluateSeries({ ...start, runs, final: false });
    if (verdict.kind !== "again") return { verdict, runs };
  }
  return { verdict: evaluateSeries({ ...start, runs, final: false }), runs };
}

const rows: readonly {
  name: string;
  state: State | undefined;
  rechecks: number;
  runs: readonly RunStatus[];
  final?: boolean;
  verdict: Verdict;
}[] = [
  {
    name: "an agreeing run changes nothing",
    state: "passing",
    rechecks: 2,
    runs: ["passed"],
    verdict: { kind: "unchanged" },
  },
  {
    name: "one failure needs a recheck",
    state: "passing",
    rechecks: 2,
    runs: ["failed"],
    verdict: { kind: "again" },
  },
  {
    name: "two of three failures need another recheck",
    state: "passing",
    rechecks: 2,
    runs: ["failed", "failed"],
    verdict: { kind: "again" },
  },
  {
    name: "the second recheck confirms a failure",
    state: "passing",
    rechecks: 2,
    runs: ["failed", "failed", "failed"],
    verdict: { kind: "flip", to: "failing" },
  },
  {
    name: "the second recheck confirms a recovery",
    state: "failing",
    rechecks: 2,
    runs: ["passed", "passed", "passed"],
    verdict: { kind: "flip", to: "passing" },
  },
  {
    name: "one agreeing recheck ends the series",
    state: "passing",
    rechecks: 2,
    runs: ["failed", "failed", "passed"],
    verdict: { kind: "unchanged" },
  },
  {
    name: "without rechecks the first failure flips",
    state: "passing",
    rechecks: 0,
    runs: ["failed"],
    verdict: { kind: "flip", to: "failing" },
  },
  {
    name: "an undecided run confirms nothing",
    state: "passing",
    rechecks: 1,
    runs: ["failed", "undecided"],
    verdict: { kind: "again" },
  },
  {
    name: "an undecided run does not end a series",
    state: "passing",
    rechecks: 1,
    runs: ["failed", "undecided", "failed"],
    verdict: { kind: "flip", to: "failing" },
  },
  {
    name: "a new check needs its first passes confirmed",
    state: undefined,
    rechecks: 1,
    runs: ["passed"],
    verdict: { kind: "again" },
  },
  {
    name: "a new check takes whichever comes to more than its rechecks first",
    state: undefined,
    rechecks: 1,
    runs: ["passed", "failed", "failed"],
    verdict: { kind: "flip", to: "failing" },
  },
  {
    name: "only undecided runs leave the tick undecided",
    state: "passing",
    rechecks: 0,
    runs: ["undecided", "undecided"],
    verdict: { kind: "undecided" },
  },
  {
    name: "an invalid configuration is final at once",
    state: "passing",
    rechecks: 5,
    runs: ["failed"],
    final: true,
    verdict: { kind: "flip", to: "failing" },
  },
  {
    name: "a final finding that agrees changes nothing",
    state: "failing",
    rechecks: 5,
    runs: ["failed"],
    final: true,
    verdict: { kind: "unchanged" },
  },
];

for (const { name, state, rechecks, runs, final = false, verdict } of rows) {
  test(name, () => {
    assert.deepEqual(evaluateSeries({ state, rechecks, runs, final }), verdict);
  });
}

const anySeries = {
  state: fc.constantFrom<State | undefined>("passing", "failing", undefined),
  rechecks: fc.integer({ min: 0, max: 8 }),
};

test("a known state never flips without that many further runs that agree with each other", () => {
  fc.assert(
    fc.property(
      fc.record({
        ...anySeries,
        findings: fc.array(fc.constantFrom(...findings), { minLength: 1, maxLength: 40 }),
      }),
      (series) => {
        const { verdict, runs } = settle(series, series.findings);
        if (verdict.kind !== "flip") return;
        const agreeing = runs.filter((run) => stateOf(run) === verdict.to).length;
        assert.equal(agreeing, series.rechecks + 1);
        assert.notEqual(verdict.to, series.state);
        if (series.state !== undefined)
          assert.ok(runs.every((run) => stateOf(run) !== series.state));
      },
    ),
  );
});

test("runs that all differ always flip, at the first that is enough", () => {
  fc.assert(
    fc.property(
      fc.record(anySeries),
      fc.constantFrom<RunStatus>("passed", "failed"),
      (series, finding) => {
        fc.pre(stateOf(finding) !== series.state);
        const { verdict, runs } = settle(
          series,
          Array.from({ length: 50 }, () => finding),
        );
        assert.deepEqual(verdict, { kind: "flip", to: stateOf(finding) });
        assert.equal(runs.length, series.rechecks + 1);
      },
    ),
  );
});

test("every tick ends within its maximum of runs", () => {
  fc.assert(
    fc.property(
      fc.record(anySeries),
      fc.infiniteStream(fc.constantFrom(...findings)),
      (series, stream) => {
        const { verdict, runs } = settle(series, stream.take(100));
        assert.notEqual(verdict.kind, "again");
        assert.ok(runs.length <= maxRuns(series.rechecks));
      },
    ),
  );
});

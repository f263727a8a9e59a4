import assert from "node:assert/strict";
import { test } from "node:test";

import { barParts, barPaths } from "./day-bar.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test("the bar of a day is graded by how long the check was down", () => {
  const rows = [
    { downMs: 2 * MINUTE_MS, tone: "minor" },
    { downMs: 10 * MINUTE_MS - 1, tone: "minor" },
    { downMs: 10 * MINUTE_MS, tone: "moderate" },
    { downMs: HOUR_MS - 1, tone: "moderate" },
    { downMs: HOUR_MS, tone: "major" },
    { downMs: 5 * HOUR_MS, tone: "major" },
  ] as const;
  for (const { downMs, tone } of rows) {
    const [rest, filled] = barParts({ state: "partly", downMs, enabledMs: 24 * HOUR_MS });
    assert.equal(rest?.tone, "up");
    assert.equal(filled?.tone, tone, `${downMs} ms`);
    assert.equal(filled.bottom, 1);
  }
  const heights = rows.map(
    ({ downMs }) =>
      1 - (barParts({ state: "partly", downMs, enabledMs: 24 * HOUR_MS })[1]?.top ?? 0),
  );
  const sorted = heights.toSorted((one, other) => one - other);
  assert.deepEqual(heights, sorted, "longer downtime fills more of the bar");
  assert.equal(new Set(heights).size, 3);
});

test("a check that is minutes old and was down for nearly all of them has the last grade", () => {
  const young = { state: "partly", enabledMs: 10 * MINUTE_MS - 1000 } as const;
  assert.equal(barParts({ ...young, downMs: 9 * MINUTE_MS })[1]?.tone, "major");
  assert.equal(barParts({ ...young, downMs: 8 * MINUTE_MS })[1]?.tone, "minor");
});

test("a day that was up, down, in maintenance, or not measured has one tone", () => {
  for (const state of ["up", "down", "maintenance", "none"] as const)
    assert.deepEqual(barParts({ state, downMs: 0, enabledMs: 0 }), [
      { tone: state, top: 0, bottom: 1 },
    ]);
});

test("bars are one path for each tone", () => {
  const days = [
    { state: "up", downMs: 0, enabledMs: 24 * HOUR_MS },
    { state: "partly", downMs: 5 * HOUR_MS, enabledMs: 24 * HOUR_MS },
    { state: "none", downMs: 0, enabledMs: 0 },
  ] as const;
  assert.deepEqual(
    [...barPaths(days, { step: 4, width: 3, height: 30 })],
    [
      ["up", "M0 0h3v30h-3zM4 0h3v6h-3z"],
      ["major", "M4 6h3v24h-3z"],
      ["none", "M8 0h3v30h-3z"],
    ],
  );
});

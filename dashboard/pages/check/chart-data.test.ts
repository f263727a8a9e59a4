import assert from "node:assert/strict";
import { test } from "node:test";

import { locationLines, percentileLines, phaseLines } from "./chart-data.ts";

const hour = 3_600_000;
const spacing = { stepMs: hour, intervalMs: 60_000 };
const total = { runs: 1, failures: 0, min: 1, median: 1, p95: 1, max: 1, mean: 1 };

test("a line ends where nothing came for longer than a stretch, and goes on after it", () => {
  const series = { t: [0, hour, 4 * hour], median: [1, 2, 3], p95: [4, 5, null] };
  assert.deepEqual(percentileLines(series, spacing), {
    t: [0, hour, 2 * hour, 4 * hour],
    lines: [
      { name: "median", values: [1, 2, null, 3] },
      { name: "p95", values: [4, 5, null, null] },
    ],
  });
});

test("what runs seldom has no gaps between its runs", () => {
  const series = { t: [0, 3 * hour, 6 * hour], median: [1, 2, 3], p95: [1, 2, 3] };
  const { t } = percentileLines(series, { ...spacing, intervalMs: 3 * hour });
  assert.deepEqual(t, series.t);
});

test("each phase is on top of those before it", () => {
  const phases = { dns: [1, null], connect: [2, null], tls: [0, null], firstbyte: [3, null] };
  const { lines } = phaseLines({ t: [0, hour], phases: { ...phases, rest: [4, null] } }, spacing);
  assert.deepEqual(
    lines.map(({ name, values }) => [name, ...values]),
    [
      ["dns", 1, null],
      ["connect", 3, null],
      ["tls", 3, null],
      ["firstbyte", 6, null],
      ["rest", 10, null],
    ],
  );
});

test("locations share their instants", () => {
  const none = { dns: [], connect: [], tls: [], firstbyte: [], rest: [] };
  const series = (location: string, t: number[], median: number[]) => ({
    location,
    t,
    median,
    runs: median,
    failures: median,
    min: median,
    p95: median,
    max: median,
    mean: median,
    phases: none,
    total,
  });
  const both = [series("fra", [0, hour], [1, 2]), series("nyc", [hour, 2 * hour], [3, 4])];
  assert.deepEqual(locationLines(both, spacing), {
    t: [0, hour, 2 * hour],
    lines: [
      { name: "fra", values: [1, 2, null] },
      { name: "nyc", values: [null, 3, 4] },
    ],
  });
});

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Outage } from "../judge/judge.ts";
import { resultOf, type Recorded, type Results } from "./results.ts";
import { summary } from "./summary.ts";

const schedule = { intervalSeconds: 15, timeoutSeconds: 5, confirmations: 3 };
const outage: Outage = {
  target: "shop",
  scenario: "status-503",
  from: 100_000,
  to: 200_000,
  expects: "must",
  words: [/503/],
};
const recorded: Recorded = {
  name: "monit",
  version: "1:5.33.0-1",
  schedule,
  truth: { outages: [outage], spans: [], ways: ["mail"], lateMs: 60_000 },
  alarms: [
    { target: "shop", state: "down", at: 112_000, reason: "status 503", way: "mail" },
    { target: "shop", state: "up", at: 203_000, reason: "", way: "mail" },
  ],
  notApplicable: new Map(),
  cost: { cpuSecondsPerMinute: 1.26, memoryBytes: 5 * 2 ** 20 },
  stoppedAlerting: undefined,
};

function rowOf(more: Partial<Recorded>): readonly string[] {
  const results: Results = {
    at: "2026-11-28T12:00:00.000Z",
    minutes: 40,
    seed: 1,
    schedule,
    rows: [{ name: "status-503", breaks: "The site answers 503." }],
    monitors: [resultOf([{ ...recorded, ...more }], [])],
    failed: [],
  };
  const row = summary(results).split("\n")[2] ?? "";
  return row
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
}

test("the summary has a row of figures for each monitor, with the version that its authors gave it", () => {
  assert.deepEqual(rowOf({}), [
    "monit 5.33.0",
    "15 s",
    "1 of 1",
    "0",
    "12 s",
    "12 s",
    "3.0 s",
    "0",
    "0",
    "1 of 1",
    "1.3 s a minute",
    "5 MB",
  ]);
  const versions = ["2.42.0+ds-5+deb12u1, 0.23.0-4+b4", "2.0.0-dev.0", "0.1.0 (5ad0bace)"];
  assert.deepEqual(
    versions.map((version) => rowOf({ version })[0]),
    ["monit 2.42.0", "monit 2.0.0-dev.0", "monit 0.1.0 (5ad0bace)"],
  );
});

test("what a monitor that stopped alerting told does not count", () => {
  const row = rowOf({ stoppedAlerting: "Cannot open the event queue" });
  assert.deepEqual(new Set(row.slice(2, 10)), new Set(["does not count"]));
});

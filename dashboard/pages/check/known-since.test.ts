import assert from "node:assert/strict";
import { test } from "node:test";

import { knownSince } from "./known-since.ts";

const start = Date.UTC(2026, 0, 5);
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

for (const { name, state, created, since } of [
  { name: "never had a verdict", state: ["none", "none", "none"], created: 0, since: undefined },
  { name: "was only in maintenance", state: ["none", "maintenance"], created: 0, since: undefined },
  { name: "was created today", state: ["none", "up"], created: 25 * HOUR_MS, since: 25 * HOUR_MS },
  {
    name: "was first enabled later",
    state: ["none", "none", "up"],
    created: -1,
    since: 2 * DAY_MS,
  },
  {
    name: "has imported history",
    state: ["none", "down", "up"],
    created: 2.5 * DAY_MS,
    since: DAY_MS,
  },
  { name: "is older than the bars", state: ["partly", "up"], created: -DAY_MS, since: -DAY_MS },
] as const) {
  test(`since when a check is known that ${name}`, () => {
    assert.equal(
      knownSince({ start, bars: { state: [...state] } }, start + created),
      since === undefined ? undefined : start + since,
    );
  });
}

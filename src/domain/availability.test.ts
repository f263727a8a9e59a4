import assert from "node:assert/strict";
import { test } from "node:test";

import { availability, DAY_MS, dayState, partsByDay } from "./availability.ts";

const day = Date.UTC(2026, 0, 5);
const hour = 3_600_000;

const states = [
  { enabledMs: 0, measuredMs: 0, downMs: 0, maintenanceMs: 0, state: "none" },
  { enabledMs: 0, measuredMs: 0, downMs: 0, maintenanceMs: 1, state: "maintenance" },
  { enabledMs: hour, measuredMs: 0, downMs: 0, maintenanceMs: 0, state: "none" },
  { enabledMs: hour, measuredMs: hour, downMs: 0, maintenanceMs: hour, state: "up" },
  { enabledMs: hour, measuredMs: hour, downMs: 1, maintenanceMs: 0, state: "partly" },
  { enabledMs: hour, measuredMs: hour, downMs: hour, maintenanceMs: hour, state: "down" },
];

for (const { state, ...times } of states) {
  test(`a day with ${JSON.stringify(times)} is ${state}`, () => {
    assert.equal(dayState(times), state);
  });
}

const spans = [
  {
    name: "within a day",
    span: { start: day + hour, end: day + 2 * hour },
    parts: [[day, hour]],
  },
  {
    name: "over midnight",
    span: { start: day + 23 * hour, end: day + DAY_MS + 2 * hour },
    parts: [
      [day, hour],
      [day + DAY_MS, 2 * hour],
    ],
  },
  {
    name: "that lasts, up to the end of the range",
    span: { start: day + DAY_MS, end: undefined },
    parts: [[day + DAY_MS, 12 * hour]],
  },
  {
    name: "from before the range",
    span: { start: 0, end: day + hour },
    parts: [[day, hour]],
  },
  { name: "of no time", span: { start: day, end: day }, parts: [] },
  { name: "after the range", span: { start: day + 3 * DAY_MS, end: undefined }, parts: [] },
];

for (const { name, span, parts } of spans) {
  test(`a span ${name} is divided by days`, () => {
    const range = { from: day, to: day + DAY_MS + 12 * hour };
    assert.deepEqual([...partsByDay(span, range)], parts);
  });
}

test("there is a bar for each day, also for one without any time", () => {
  const times = new Map([
    [day, { enabledMs: DAY_MS, measuredMs: DAY_MS, downMs: 5, maintenanceMs: 0 }],
  ]);
  const range = { from: day - hour, to: day + DAY_MS + 1 };
  assert.deepEqual(
    availability(times, range).map(({ day, state, downMs }) => [day, state, downMs]),
    [
      [day - DAY_MS, "none", 0],
      [day, "partly", 5],
      [day + DAY_MS, "none", 0],
    ],
  );
});

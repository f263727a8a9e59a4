import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { nextOpening } from "./next-opening.ts";
import { dayNames, isOpen } from "./schedule.ts";
import type { Schedule } from "./schedule.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const monday = Date.UTC(2026, 0, 5);
const office: Schedule = {
  name: "Office",
  days: { monday: { time1: "9:00", time2: "17:00" }, tuesday: { time1: "8:07", time2: "17:00" } },
};

for (const { name, schedule = office, at, offsetHours = 0, opens } of [
  { name: "before work the same day", at: monday, opens: monday + 9 * HOUR_MS },
  {
    name: "after work the next day",
    at: monday + 20 * HOUR_MS,
    opens: monday + 32 * HOUR_MS + 7 * MINUTE_MS,
  },
  {
    name: "on the next day of the week that has a window",
    at: monday + 47 * HOUR_MS,
    opens: monday + 7 * 24 * HOUR_MS + 9 * HOUR_MS,
  },
  {
    name: "in the account's own time",
    at: monday,
    offsetHours: 5.75,
    opens: monday + 3.25 * HOUR_MS,
  },
  {
    name: "never without a window",
    schedule: { name: "", days: {} },
    at: monday,
    opens: undefined,
  },
  {
    name: "after the hours that are excluded",
    schedule: { name: "", days: { monday: { time1: "6:00", time2: "18:30", exclude: 1 } } },
    at: monday + 7 * HOUR_MS,
    opens: monday + 18.5 * HOUR_MS,
  },
]) {
  test(`a schedule opens ${name}`, () => {
    assert.equal(nextOpening(schedule, at, offsetHours), opens);
  });
}

test("it is the first minute that is open, whatever the schedule", () => {
  const time = fc
    .tuple(fc.nat(24), fc.nat(59))
    .map(([hour, minute]) => `${hour}:${minute < 10 ? "0" : ""}${minute}`);
  const rule = fc.record({ time1: time, time2: time, exclude: fc.boolean() });
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...dayNames), rule),
      fc.nat(7 * 24 * 60),
      (days, minute) => {
        const schedule = { name: "", days };
        const at = monday + minute * MINUTE_MS;
        fc.pre(!isOpen(schedule, at, 1));
        const found = nextOpening(schedule, at, 1);
        for (
          let later = at + MINUTE_MS;
          later < (found ?? at + 8 * 24 * HOUR_MS);
          later += MINUTE_MS
        )
          assert.equal(isOpen(schedule, later, 1), false);
        if (found !== undefined) assert.equal(isOpen(schedule, found, 1), true);
      },
    ),
    { numRuns: 30 },
  );
});

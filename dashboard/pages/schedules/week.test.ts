import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { isOpen } from "../../../src/domain/schedule.ts";
import {
  coverage,
  DAY,
  dayNames,
  painted,
  presets,
  readWeek,
  weekOf,
  writeWeek,
  type Span,
} from "./week.ts";

const MINUTE_MS = 60_000;
/** A Monday. */
const MONDAY = Date.UTC(2026, 0, 5);

function spansOf(rule: object): readonly Span[] {
  return readWeek({ monday: rule }).monday;
}

for (const { name, rule, spans } of [
  {
    name: "one window",
    rule: { time1: "8:00", time2: "17:00" },
    spans: [{ start: 480, end: 1020 }],
  },
  {
    name: "to the end of the day",
    rule: { time1: "22:00", time2: "23:59" },
    spans: [{ start: 1320, end: DAY }],
  },
  {
    name: "over midnight",
    rule: { time1: "22:00", time2: "6:00" },
    spans: [
      { start: 0, end: 360 },
      { start: 1320, end: DAY },
    ],
  },
  {
    name: "excluded",
    rule: { time1: "6:00", time2: "18:00", exclude: "1" },
    spans: [
      { start: 0, end: 360 },
      { start: 1080, end: DAY },
    ],
  },
  {
    name: "the whole day",
    rule: { allday: "true", time1: "1:00", time2: "2:00" },
    spans: [{ start: 0, end: DAY }],
  },
  { name: "disabled", rule: { allday: true, disabled: 1 }, spans: [] },
  { name: "nothing at all", rule: {}, spans: [] },
] as const)
  test(`a day is read: ${name}`, () => assert.deepEqual(spansOf(rule), spans));

// A window that ends at the last minute of the day has that minute in it, and is read as one to its end.
const minute = fc.integer({ min: 0, max: DAY }).filter((at) => at !== DAY - 1);
const span = fc
  .tuple(minute, minute)
  .map(([one, other]) => ({ start: Math.min(one, other), end: Math.max(one, other) }));
const spans = fc
  .array(fc.tuple(span, fc.boolean()), { maxLength: 8 })
  .map((strokes) =>
    strokes.reduce<readonly Span[]>((all, [each, isOn]) => painted(all, each, isOn), []),
  );

test("a week that is painted is the same when it is read again", () => {
  fc.assert(
    fc.property(fc.array(spans, { minLength: 7, maxLength: 7 }), (days) => {
      const week = {
        ...weekOf([]),
        ...Object.fromEntries(dayNames.map((day, at) => [day, days[at] ?? []])),
      };
      assert.deepEqual(readWeek(writeWeek(week)), week);
    }),
  );
});

test("what is written is open in just the minutes that were painted", () => {
  fc.assert(
    fc.property(spans, fc.integer({ min: 0, max: DAY - 1 }), (day, at) => {
      const days = Object.entries(writeWeek(weekOf(day))).map(
        ([name, rule]) => [name, { ...rule }] as const,
      );
      const schedule = { name: "", days: Object.fromEntries(days) };
      const isPainted = day.some(({ start, end }) => start <= at && at < end);
      assert.equal(isOpen(schedule, MONDAY + at * MINUTE_MS, "+00:00"), isPainted);
    }),
  );
});

test("a part of the day is in the spans, partly or not", () => {
  const day = [{ start: 480, end: 1020 }];
  assert.equal(coverage(day, { start: 480, end: 510 }), "all");
  assert.equal(coverage(day, { start: 1000, end: 1030 }), "some");
  assert.equal(coverage(day, { start: 1020, end: 1050 }), "none");
  assert.deepEqual(painted(day, { start: 600, end: 660 }, false), [
    { start: 480, end: 600 },
    { start: 660, end: 1020 },
  ]);
  assert.deepEqual(painted(day, { start: 1020, end: 1080 }, true), [{ start: 480, end: 1080 }]);
});

test("the presets are what they are called", () => {
  assert.deepEqual(writeWeek(presets.workingHours).monday, { time1: "8:00", time2: "17:00" });
  assert.deepEqual(writeWeek(presets.workingHours).sunday, { disabled: true });
  assert.deepEqual(writeWeek(presets.offHours).monday, {
    time1: "8:00",
    time2: "17:00",
    exclude: 1,
  });
  assert.deepEqual(writeWeek(presets.always).sunday, { allday: true });
});

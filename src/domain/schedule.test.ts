import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { dayNames, defaultSchedules, isAlwaysOpen, isOpen, isSet, parseTime } from "./schedule.ts";
import type { DayName, DayRule, Schedule } from "./schedule.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const SUNDAY = Date.UTC(2026, 0, 4);

function everyDay(rule: DayRule): Schedule {
  return { name: "own", days: Object.fromEntries(dayNames.map((day) => [day, rule])) };
}

function at(text: string): number {
  return Date.parse(`${text}Z`);
}

for (const { name, rule, offset = 0, inside, outside } of [
  {
    name: "a span of the day holds its first minute and not its last",
    rule: { time1: "6:00", time2: "18:00" },
    inside: ["2026-01-05T06:00", "2026-01-05T12:00", "2026-01-05T17:59:59"],
    outside: ["2026-01-05T05:59:59", "2026-01-05T18:00", "2026-01-05T00:00"],
  },
  {
    name: "a span up to 23:59 holds the last minute of the day",
    rule: { time1: "22:00", time2: "23:59" },
    inside: ["2026-01-05T23:59:59"],
    outside: ["2026-01-06T00:00"],
  },
  {
    name: "a span that ends before it starts runs over midnight",
    rule: { time1: "22:00", time2: "6:00" },
    inside: ["2026-01-05T22:00", "2026-01-05T23:59:59", "2026-01-06T00:00", "2026-01-06T05:59"],
    outside: ["2026-01-05T06:00", "2026-01-05T21:59:59"],
  },
  {
    name: "an excluded span leaves the rest of the day",
    rule: { time1: "6:00", time2: "18:00", exclude: 1 },
    inside: ["2026-01-05T05:59", "2026-01-05T18:00"],
    outside: ["2026-01-05T06:00", "2026-01-05T17:59"],
  },
  {
    name: "a disabled day lets nothing through, whatever else it says",
    rule: { time1: "0:00", time2: "23:59", allday: true, disabled: "true" },
    inside: [],
    outside: ["2026-01-05T00:00", "2026-01-05T12:00"],
  },
  {
    name: "a whole day needs no times",
    rule: { time1: "", time2: "", allday: 1 },
    inside: ["2026-01-05T00:00", "2026-01-05T23:59:59"],
    outside: [],
  },
  {
    name: "times that are none let nothing through",
    rule: { time1: "25:00", time2: "noon" },
    inside: [],
    outside: ["2026-01-05T00:00", "2026-01-05T12:00"],
  },
  {
    name: "the account's own time counts, quarters of an hour included",
    rule: { time1: "6:00", time2: "18:00" },
    offset: 5.75,
    inside: ["2026-01-05T00:15", "2026-01-05T12:14:59"],
    outside: ["2026-01-05T00:14:59", "2026-01-05T12:15"],
  },
  {
    name: "a time zone behind GMT counts too",
    rule: { time1: "6:00", time2: "18:00" },
    offset: -9.5,
    inside: ["2026-01-05T15:30", "2026-01-06T03:29:59"],
    outside: ["2026-01-05T15:29:59", "2026-01-06T03:30"],
  },
]) {
  test(name, () => {
    for (const text of inside) assert.equal(isOpen(everyDay(rule), at(text), offset), true, text);
    for (const text of outside) assert.equal(isOpen(everyDay(rule), at(text), offset), false, text);
  });
}

test("the day is the account's own, and a day that is not named lets nothing through", () => {
  const mondays: Schedule = { name: "own", days: { monday: { allday: true } } };
  assert.equal(isOpen(mondays, at("2026-01-05T00:00"), 0), true);
  assert.equal(isOpen(mondays, at("2026-01-04T23:59"), 0), false);
  assert.equal(isOpen(mondays, at("2026-01-04T23:59"), 1), true);
  assert.equal(isOpen(mondays, at("2026-01-05T00:00"), -1), false);
});

test("a leap day is a day like any other", () => {
  const thursdays: Schedule = { name: "own", days: { thursday: { allday: true } } };
  assert.equal(isOpen(thursdays, at("2024-02-29T12:00"), 0), true);
  assert.equal(isOpen(thursdays, at("2024-03-01T12:00"), 0), false);
});

for (const [name, open] of [
  ["All", true],
  ["all", true],
  ["All the time", true],
  ["Always", false],
  ["", false],
] as const) {
  test(`the name ${JSON.stringify(name)} is ${open ? "" : "not "}open at all times`, () =>
    assert.equal(isAlwaysOpen(name), open));
}

test("the four default schedules divide the week as their names say", () => {
  const openAt = (text: string): string[] =>
    defaultSchedules.filter((schedule) => isOpen(schedule, at(text), 0)).map(({ name }) => name);
  assert.deepEqual(openAt("2026-01-05T12:00"), ["Weekdays", "Days"]);
  assert.deepEqual(openAt("2026-01-05T23:59"), ["Weekdays", "Nights"]);
  assert.deepEqual(openAt("2026-01-10T12:00"), ["Weekends", "Days"]);
  assert.deepEqual(openAt("2026-01-11T03:00"), ["Weekends", "Nights"]);
});

for (const [value, minute] of [
  ["0:00", 0],
  ["6:05", 365],
  ["06:05", 365],
  [" 23:59 ", 1439],
  ["24:00", 1440],
  ["24:01", undefined],
  ["12:60", undefined],
  ["12", undefined],
  ["12:0", undefined],
  ["-1:00", undefined],
  ["", undefined],
  [720, undefined],
  [null, undefined],
] as const) {
  test(`the time ${JSON.stringify(value)} is minute ${minute}`, () =>
    assert.equal(parseTime(value), minute));
}

for (const [flag, set] of [
  [true, true],
  [1, true],
  ["1", true],
  ["true", true],
  ["TRUE", true],
  ["yes", true],
  ["on", true],
  [false, false],
  [0, false],
  ["0", false],
  ["false", false],
  ["no", false],
  ["", false],
  [2, false],
  [null, false],
  [undefined, false],
] as const) {
  test(`the flag ${JSON.stringify(flag)} is ${set ? "" : "not "}set`, () =>
    assert.equal(isSet(flag), set));
}

interface PlainRule {
  readonly time1: number;
  readonly time2: number;
  readonly exclude: boolean;
  readonly disabled: boolean;
  readonly allday: boolean;
}

/** The minutes of one day that a rule lets through, found by walking them. */
function openMinutes({ time1, time2, exclude, disabled, allday }: PlainRule): ReadonlySet<number> {
  const all = Array.from({ length: 1440 }, (_, minute) => minute);
  if (disabled) return new Set();
  if (allday) return new Set(all);
  const span = new Set<number>();
  for (let minute = time1; minute !== time2 && minute < time1 + 1440; minute += 1) {
    span.add(minute % 1440);
    if ((minute + 1) % 1440 === time2 % 1440) break;
  }
  if (time1 !== time2 && time2 === 1439) span.add(1439);
  return new Set(all.filter((minute) => span.has(minute) !== exclude));
}

const clockTime = fc.oneof(fc.nat({ max: 1439 }), fc.constantFrom(0, 1, 1438, 1439));
const plainRule: fc.Arbitrary<PlainRule> = fc.record({
  time1: clockTime,
  time2: clockTime,
  exclude: fc.boolean(),
  disabled: fc.boolean(),
  allday: fc.boolean(),
});

test("a week of any rules is open in the minutes that walking them finds, in any time zone", () => {
  const days = fc.record(
    Object.fromEntries(dayNames.map((day) => [day, fc.option(plainRule, { nil: undefined })])),
  );
  const quarters = fc.integer({ min: -48, max: 56 });
  fc.assert(
    fc.property(
      days,
      quarters,
      fc.tuple(fc.nat({ max: 7 * 1440 - 1 }), fc.nat({ max: MINUTE_MS - 1 })),
      (rules, quarter, [weekMinute, rest]) => {
        const offsetHours = quarter / 4;
        const local = SUNDAY + weekMinute * MINUTE_MS + rest;
        const day: DayName = dayNames[Math.floor((local - SUNDAY) / DAY_MS)] ?? "sunday";
        const rule = rules[day];
        const expected = rule !== undefined && openMinutes(rule).has(weekMinute % 1440);
        const schedule: Schedule = {
          name: "own",
          days: Object.fromEntries(
            Object.entries(rules).flatMap(([name, plain]) =>
              plain === undefined ? [] : [[name, written(plain)]],
            ),
          ),
        };
        assert.equal(isOpen(schedule, local - offsetHours * HOUR_MS, offsetHours), expected);
      },
    ),
    { numRuns: 500 },
  );
});

function written({ time1, time2, ...flags }: PlainRule): DayRule {
  const text = (minute: number): string =>
    `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, "0")}`;
  return { time1: text(time1), time2: text(time2), ...flags };
}

import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { minutesOf, shownTimeOf, testedZones } from "../../test/time/time-zones.ts";
import {
  dayNames,
  defaultSchedules,
  isAlwaysOpen,
  isOpen,
  isSet,
  nextOpening,
  parseTime,
  type DayName,
  type DayRule,
  type Schedule,
} from "./schedule.ts";

const MINUTE_MS = 60_000;
/** Weeks are counted from this Sunday. */
const SUNDAY = Date.UTC(1970, 0, 4);

function everyDay(rule: DayRule): Schedule {
  return { name: "own", days: Object.fromEntries(dayNames.map((day) => [day, rule])) };
}

function at(text: string): number {
  return Date.parse(`${text}Z`);
}

for (const { name, rule, timeZone = "+00:00", inside, outside } of [
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
    name: "several windows of a day all count, in place of its own times",
    rule: {
      time1: "0:00",
      time2: "23:59",
      windows: [
        { time1: "8:00", time2: "12:00" },
        { time1: "13:00", time2: "17:00" },
      ],
    },
    inside: ["2026-01-05T08:00", "2026-01-05T11:59:59", "2026-01-05T13:00", "2026-01-05T16:59"],
    outside: ["2026-01-05T07:59", "2026-01-05T12:00", "2026-01-05T12:59:59", "2026-01-05T17:00"],
  },
  {
    name: "excluded windows leave the rest of the day",
    rule: {
      exclude: true,
      windows: [
        { time1: "8:00", time2: "12:00" },
        { time1: "13:00", time2: "17:00" },
      ],
    },
    inside: ["2026-01-05T07:59", "2026-01-05T12:00", "2026-01-05T12:59:59", "2026-01-05T17:00"],
    outside: ["2026-01-05T08:00", "2026-01-05T13:00"],
  },
  {
    name: "an empty list of windows lets nothing through",
    rule: { time1: "0:00", time2: "23:59", windows: [] },
    inside: [],
    outside: ["2026-01-05T00:00", "2026-01-05T12:00"],
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
    timeZone: "+05:45",
    inside: ["2026-01-05T00:15", "2026-01-05T12:14:59"],
    outside: ["2026-01-05T00:14:59", "2026-01-05T12:15"],
  },
  {
    name: "a time zone behind GMT counts too",
    rule: { time1: "6:00", time2: "18:00" },
    timeZone: "-09:30",
    inside: ["2026-01-05T15:30", "2026-01-06T03:29:59"],
    outside: ["2026-01-05T15:29:59", "2026-01-06T03:30"],
  },
  {
    name: "a window keeps its times over both changes of the year",
    rule: { time1: "6:00", time2: "18:00" },
    timeZone: "Europe/Berlin",
    inside: ["2026-03-28T05:00", "2026-03-29T04:00", "2026-10-24T04:00", "2026-10-25T05:00"],
    outside: ["2026-03-28T04:59", "2026-03-29T03:59", "2026-10-24T03:59", "2026-10-25T04:59"],
  },
  {
    name: "a window that the change of the clocks skips does not open that day",
    rule: { time1: "2:00", time2: "3:00" },
    timeZone: "Europe/Berlin",
    inside: ["2026-03-28T01:30", "2026-03-30T00:30"],
    outside: ["2026-03-29T00:59:59", "2026-03-29T01:00", "2026-03-29T01:30"],
  },
  {
    name: "a window that begins within what is skipped opens at the change",
    rule: { time1: "2:30", time2: "4:00" },
    timeZone: "Europe/Berlin",
    inside: ["2026-03-29T01:00", "2026-03-29T01:59:59"],
    outside: ["2026-03-29T00:59:59", "2026-03-29T02:00"],
  },
  {
    name: "a window in the repeated hour opens both times",
    rule: { time1: "2:30", time2: "2:45" },
    timeZone: "Europe/Berlin",
    inside: ["2026-10-25T00:30", "2026-10-25T00:44:59", "2026-10-25T01:30"],
    outside: ["2026-10-25T00:29", "2026-10-25T00:45", "2026-10-25T01:29", "2026-10-25T01:45"],
  },
  {
    name: "a window over midnight keeps its times where midnight is skipped",
    rule: { time1: "23:30", time2: "1:30" },
    timeZone: "America/Santiago",
    inside: ["2026-09-06T03:30", "2026-09-06T04:00", "2026-09-06T04:29:59"],
    outside: ["2026-09-06T03:29:59", "2026-09-06T04:30"],
  },
]) {
  test(name, () => {
    for (const text of inside) assert.equal(isOpen(everyDay(rule), at(text), timeZone), true, text);
    for (const text of outside)
      assert.equal(isOpen(everyDay(rule), at(text), timeZone), false, text);
  });
}

test("the day is the account's own, and a day that is not named lets nothing through", () => {
  const mondays: Schedule = { name: "own", days: { monday: { allday: true } } };
  assert.equal(isOpen(mondays, at("2026-01-05T00:00"), "+00:00"), true);
  assert.equal(isOpen(mondays, at("2026-01-04T23:59"), "+00:00"), false);
  assert.equal(isOpen(mondays, at("2026-01-04T23:59"), "+01:00"), true);
  assert.equal(isOpen(mondays, at("2026-01-05T00:00"), "-01:00"), false);
});

test("a leap day is a day like any other", () => {
  const thursdays: Schedule = { name: "own", days: { thursday: { allday: true } } };
  assert.equal(isOpen(thursdays, at("2024-02-29T12:00"), "+00:00"), true);
  assert.equal(isOpen(thursdays, at("2024-03-01T12:00"), "+00:00"), false);
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
    defaultSchedules
      .filter((schedule) => isOpen(schedule, at(text), "+00:00"))
      .map(({ name }) => name);
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

const anyWeek: fc.Arbitrary<Partial<Record<DayName, PlainRule>>> = fc.record(
  Object.fromEntries(dayNames.map((day) => [day, plainRule])),
  { requiredKeys: [] },
);

/** Whether a week is open where clocks show a time. */
function walkWeek(week: Partial<Record<DayName, PlainRule>>): (shown: number) => boolean {
  const open = dayNames.map((day) => week[day] && openMinutes(week[day]));
  return (shown) => {
    const minutes = Math.floor((shown - SUNDAY) / MINUTE_MS);
    return open[Math.floor(minutes / 1440) % 7]?.has(minutes % 1440) ?? false;
  };
}

function writtenWeek(week: Partial<Record<DayName, PlainRule>>): Schedule {
  const days = Object.entries(week).map(([day, rule]) => [day, written(rule)]);
  return { name: "own", days: Object.fromEntries(days) };
}

const seconds = fc.nat({ max: MINUTE_MS - 1 });

for (const timeZone of testedZones) {
  test(`a week of any rules is open when clocks in ${timeZone} show a minute that walking them finds`, () => {
    const shown = shownTimeOf(timeZone);
    fc.assert(
      fc.property(anyWeek, minutesOf(timeZone), seconds, (week, minute, rest) => {
        const at = minute + rest;
        assert.equal(isOpen(writtenWeek(week), at, timeZone), walkWeek(week)(shown(at)));
      }),
      { numRuns: 60 },
    );
  });
}

test("a week of any rules is open in the minutes that walking them finds, at any offset", () => {
  const quarters = fc.integer({ min: -48, max: 56 });
  fc.assert(
    fc.property(anyWeek, quarters, minutesOf("+00:00"), (week, quarter, local) => {
      const at = local - quarter * 15 * MINUTE_MS;
      const [hours, minutes] = [Math.abs(quarter) / 4, (Math.abs(quarter) % 4) * 15];
      const text = [Math.floor(hours), minutes].map((part) => String(part).padStart(2, "0"));
      const timeZone = `${quarter < 0 ? "-" : "+"}${text.join(":")}`;
      assert.equal(isOpen(writtenWeek(week), at, timeZone), walkWeek(week)(local));
    }),
    { numRuns: 200 },
  );
});

for (const { name, days, from, timeZone = "Europe/Berlin", opens } of [
  {
    name: "now, where it is open",
    days: everyDay({ allday: true }).days,
    from: "2026-01-05T12:00:01",
    opens: "2026-01-05T12:00:01.000Z",
  },
  {
    name: "at its first minute",
    days: everyDay({ time1: "6:00", time2: "18:00" }).days,
    from: "2026-01-05T17:00",
    opens: "2026-01-06T05:00:00.000Z",
  },
  {
    name: "where an excluded span ends",
    days: everyDay({ time1: "6:00", time2: "18:00", exclude: true }).days,
    from: "2026-07-05T12:00",
    opens: "2026-07-05T16:00:00.000Z",
  },
  {
    name: "at the midnight of a day without times",
    days: { saturday: { allday: true } },
    from: "2026-07-05T12:00",
    opens: "2026-07-10T22:00:00.000Z",
  },
  {
    name: "at the change that skips its first minute",
    days: { sunday: { time1: "2:30", time2: "4:00" } },
    from: "2026-03-29T00:00",
    opens: "2026-03-29T01:00:00.000Z",
  },
  {
    name: "at the change that turns back into it",
    days: { sunday: { time1: "1:30", time2: "2:15" } },
    from: "2026-10-25T00:20",
    opens: "2026-10-25T01:00:00.000Z",
  },
  {
    name: "a week later where the change skips all of it",
    days: { sunday: { time1: "2:00", time2: "3:00" } },
    from: "2026-03-22T12:00",
    opens: "2026-04-05T00:00:00.000Z",
  },
  {
    name: "a week later where the whole day is skipped",
    days: { friday: { allday: true } },
    from: "2011-12-25T00:00",
    timeZone: "Pacific/Apia",
    opens: "2012-01-05T10:00:00.000Z",
  },
  { name: "never, without days", days: {}, from: "2026-01-05T12:00", opens: undefined },
  {
    name: "never, where every day is disabled",
    days: everyDay({ allday: true, disabled: true }).days,
    from: "2026-01-05T12:00",
    opens: undefined,
  },
]) {
  test(`a window opens next ${name}`, () => {
    const found = nextOpening({ name: "own", days }, at(from), timeZone);
    assert.equal(found === undefined ? undefined : new Date(found).toISOString(), opens);
  });
}

const QUARTER_MS = 15 * MINUTE_MS;
/** Rules whose minutes are quarters of an hour, at which clocks are set too, so that a walk by quarters finds every opening. */
const quarterRule: fc.Arbitrary<PlainRule> = fc
  .record({
    time1: fc.nat({ max: 95 }),
    time2: fc.nat({ max: 95 }),
    exclude: fc.boolean(),
    disabled: fc.boolean(),
    allday: fc.constant(false),
  })
  .map((rule) => ({ ...rule, time1: rule.time1 * 15, time2: rule.time2 * 15 }));

for (const timeZone of testedZones) {
  test(`the next opening in ${timeZone} is the one that a walk through the following weeks finds`, () => {
    const shown = shownTimeOf(timeZone);
    const weeks = fc
      .uniqueArray(fc.constantFrom(...dayNames), { maxLength: 3 })
      .chain((days) => fc.record(Object.fromEntries(days.map((day) => [day, quarterRule]))));
    fc.assert(
      fc.property(weeks, minutesOf(timeZone), (week, minute) => {
        const from = Math.floor(minute / QUARTER_MS) * QUARTER_MS;
        const walk = Array.from({ length: 15 * 96 }, (_, count) => from + count * QUARTER_MS);
        const isOpenAt = walkWeek(week);
        const expected = walk.find((instant) => isOpenAt(shown(instant)));
        assert.equal(nextOpening(writtenWeek(week), from, timeZone), expected);
      }),
      { numRuns: 20 },
    );
  });
}

function written({ time1, time2, ...flags }: PlainRule): DayRule {
  const text = (minute: number): string =>
    `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, "0")}`;
  return { time1: text(time1), time2: text(time2), ...flags };
}

test("the next opening is that of the next of several windows", () => {
  const schedule = everyDay({
    windows: [
      { time1: "8:00", time2: "12:00" },
      { time1: "13:00", time2: "17:00" },
    ],
  });
  for (const [from, opens] of [
    ["2026-01-05T07:00", "2026-01-05T08:00"],
    ["2026-01-05T12:30", "2026-01-05T13:00"],
    ["2026-01-05T17:00", "2026-01-06T08:00"],
  ] as const)
    assert.equal(nextOpening(schedule, at(from), "+00:00"), at(opens), from);
});

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { test } from "node:test";

import * as fc from "fast-check";

import { calendarProblem, nextElapse, parseCalendar } from "../../src/domain/heartbeat/calendar.ts";
import { minutesOf } from "../time/time-zones.ts";

const ITERATIONS = 4;

/** When systemd says that each of the expressions elapses, in seconds since 1970; undefined of those that it refuses, and null where its search does not end. */
function elapsesBySystemd(
  expressions: readonly string[],
  after: number,
  timeZone: string,
): readonly (readonly number[] | null | undefined)[] {
  const base = new Date(after).toISOString().replace("T", " ").replace(".000Z", " UTC");
  const { stdout, stderr, error } = spawnSync(
    "systemd-analyze",
    ["calendar", `--base-time=${base}`, `--iterations=${ITERATIONS}`, "--", ...expressions],
    { encoding: "utf8", env: { PATH: process.env.PATH, TZ: timeZone, LC_ALL: "C" } },
  );
  assert.equal(error, undefined);
  const found = new Map<string | undefined, readonly number[] | null>(
    stdout.split("\n\n").map((block) => {
      // An expression that is in its normalized form already is not repeated.
      const [, original] = /(?:Original|Normalized) form: (.*)/.exec(block) ?? [];
      return [original, elapsesIn(block)];
    }),
  );
  // It loops at some changes of the clocks.
  for (const [, text] of stderr.matchAll(/^Failed to determine next elapse for '(.*)':/gm))
    found.set(text, null);
  return expressions.map((expression) => found.get(expression));
}

function elapsesIn(block: string): readonly number[] {
  const times = block.matchAll(/(?:elapse|Iter\. #\d+|\(in UTC\)): \w+ (\S+) (\S+) UTC/g);
  return [...times].map(([, date, time]) => Date.parse(`${date}T${time}Z`) / 1000);
}

/** The same by our own reading. Fractions of a second are cut off, as systemd shows none. */
function elapsesHere(
  expression: string,
  after: number,
  timeZone: string,
): readonly number[] | undefined {
  if (calendarProblem(expression) !== undefined) return undefined;
  const lines = parseCalendar(expression);
  const times: number[] = [];
  let at = nextElapse(lines, after, timeZone);
  while (at !== undefined && times.length < ITERATIONS) {
    times.push(Math.floor(at / 1000));
    at = nextElapse(lines, at, timeZone);
  }
  return times;
}

const number = (min: number, max: number): fc.Arbitrary<string> =>
  fc
    .tuple(fc.integer({ min, max }), fc.boolean())
    .map(([value, isPadded]) => (isPadded ? String(value).padStart(2, "0") : String(value)));

/** Values of a component: most within its bounds, some a little outside. */
function chain(min: number, max: number): fc.Arbitrary<string> {
  const value = number(min, max);
  const step = number(1, Math.max(1, Math.ceil((max - min) / 2)));
  const range = fc
    .tuple(fc.integer({ min, max }), fc.nat({ max: max - min }))
    .map(([from, more]) => `${from}..${Math.min(max, from + more)}`);
  const item = fc.oneof(
    { weight: 4, arbitrary: value },
    { weight: 2, arbitrary: fc.tuple(value, step).map(([from, each]) => `${from}/${each}`) },
    { weight: 2, arbitrary: range },
    { weight: 2, arbitrary: fc.tuple(range, step).map(([values, each]) => `${values}/${each}`) },
    { weight: 1, arbitrary: fc.tuple(value, value).map(([from, to]) => `${from}..${to}`) },
  );
  const list = fc.array(item, { minLength: 1, maxLength: 3 }).map((items) => items.join(","));
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant("*") },
    { weight: 8, arbitrary: list },
    { weight: 1, arbitrary: number(max, max + 2) },
  );
}

/**
 * Without what systemd 252 does not do as its manual says: in lists it refuses some days far from the end, and of a repetition without an end it leaves out
 * days in January, or does not come to an end itself.
 */
const daysFromEnd = fc.oneof(
  number(1, 29),
  chain(1, 20).map((text) => text.replaceAll(/(?<=^|,)(\d+)\//g, "$1..20/")),
);
const day = fc.constantFrom("Mon", "tue", "Wednesday", "THU", "Fri", "Saturday", "sun");
const weekdays = fc
  .array(
    fc.oneof(
      day,
      fc.tuple(day, fc.constantFrom("..", "-"), day).map((parts) => parts.join("")),
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((items) => items.join(","));
const date = fc.oneof(
  fc.tuple(chain(1, 12), chain(1, 31)).map((parts) => parts.join("-")),
  fc.tuple(chain(1, 12), daysFromEnd).map((parts) => parts.join("~")),
  fc.tuple(chain(2025, 2030), chain(1, 12), chain(1, 31)).map((parts) => parts.join("-")),
  fc
    .tuple(fc.oneof(chain(24, 32), fc.constant("*")), chain(1, 12), daysFromEnd)
    .map(([year, month, last]) => `${year}-${month}~${last}`),
  fc.constant("*-*-*"),
);
const seconds = fc.oneof(
  chain(0, 59),
  fc.constantFrom("0/0.25", "30.5", "0..30/7.5", "59.999", "0/30.0000001"),
);
const time = fc.oneof(
  fc.tuple(chain(0, 23), chain(0, 59)).map((parts) => parts.join(":")),
  fc.tuple(chain(0, 23), chain(0, 59), seconds).map((parts) => parts.join(":")),
  // Hours around changes of the clocks.
  fc
    .tuple(fc.constantFrom("0", "1", "2", "3", "*", "0/2", "1..3"), chain(0, 59))
    .map((parts) => parts.join(":")),
);
const shorthand = fc.constantFrom(
  ..."minutely hourly daily Weekly monthly QUARTERLY semiannually semi-annually".split(" "),
  ..."biannually bi-annually yearly annually anually fortnightly".split(" "),
);
const part = <Value>(arbitrary: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(arbitrary, { nil: undefined });
const expression = fc.oneof(
  {
    weight: 9,
    arbitrary: fc
      .tuple(part(weekdays), part(date), part(time))
      .map((parts) => parts.filter((each) => each !== undefined).join(" "))
      .filter((text) => text !== ""),
  },
  { weight: 1, arbitrary: shorthand },
);

// Zones with the same rules in Node.js and Debian.
const zones = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kathmandu", "UTC"];

for (const timeZone of zones)
  test(`a calendar expression in ${timeZone} is refused, and elapses, as systemd says`, () => {
    const form = fc.constantFrom("own", "suffix");
    fc.assert(
      fc.property(
        fc.array(fc.tuple(expression, form), { minLength: 1, maxLength: 30 }),
        minutesOf(timeZone).filter((at) => at >= Date.UTC(2026, 0) && !isRepeat(at, timeZone)),
        (list, after) => {
          const texts = list.map(([text, kind]) => (kind === "own" ? text : `${text} ${timeZone}`));
          const expected = elapsesBySystemd(texts, after, timeZone);
          for (const [index, text] of texts.entries()) {
            const found = elapsesHere(text, after, text.endsWith(timeZone) ? "UTC" : timeZone);
            const about = `${text} after ${new Date(after).toISOString()}`;
            if (expected[index] === null) continue;
            // A day that never comes is refused here, and never elapses there.
            if (found === undefined && expected[index]?.length === 0) continue;
            const certain = (times: readonly number[] | undefined) =>
              untilRepeated(times, timeZone);
            assert.deepEqual(certain(found), certain(expected[index]), about);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

/** The times before the first of those that clocks show twice, among which systemd 252 leaves some out. */
function untilRepeated(
  times: readonly number[] | undefined,
  timeZone: string,
): readonly number[] | undefined {
  const minute = 60_000;
  const first = times?.findIndex((seconds) =>
    [0, 30, 60].some((later) => isRepeat(seconds * 1000 + later * minute, timeZone)),
  );
  return first === undefined || first === -1 ? times : times?.slice(0, first);
}

/** Returns whether clocks have shown that time before: from there systemd counts by chance. */
function isRepeat(at: number, timeZone: string): boolean {
  const hour = new Intl.DateTimeFormat("en", { timeZone, timeStyle: "full", dateStyle: "full" });
  const wall = (time: number): string => hour.format(time).replace(/ [A-Z].*$/, "");
  return [30, 60].some((minutes) => wall(at) === wall(at - minutes * 60_000));
}

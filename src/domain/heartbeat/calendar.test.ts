import assert from "node:assert/strict";
import { test } from "node:test";

import { calendarProblem, nextElapse, parseCalendar } from "./calendar.ts";

// test/cron compares this with systemd itself.
const elapses = [
  ["Mon..Fri 02:30", "Europe/Berlin", "2026-07-03T12:00:00Z", "2026-07-06T00:30:00Z"],
  ["*-*~1 23:00", "UTC", "2028-02-03T12:00:00Z", "2028-02-29T23:00:00Z"],
  ["Mon *-05~07/1", "UTC", "2026-03-01T00:00:00Z", "2026-05-25T00:00:00Z"],
  ["quarterly", "Asia/Tokyo", "2026-07-03T12:00:00Z", "2026-09-30T15:00:00Z"],
  ["Semi-Annually utc", "Asia/Tokyo", "2026-07-03T12:00:00Z", "2027-01-01T00:00:00Z"],
  ["@1800000000", "Asia/Tokyo", "2026-07-03T12:00:00Z", "2027-01-15T08:00:00Z"],
  ["2020-01-01", "UTC", "2026-07-03T12:00:00Z", undefined],
  ["12:00:00.25", "UTC", "2026-07-03T12:00:00.249Z", "2026-07-03T12:00:00.250Z"],
  // A change of the clocks skips 02:30, and repeats it.
  ["02:30", "Europe/Berlin", "2026-03-28T12:00:00Z", "2026-03-30T00:30:00Z"],
  ["*:*:*", "Europe/Berlin", "2026-03-29T00:59:59Z", "2026-03-29T01:00:00Z"],
  ["02:30", "Europe/Berlin", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"],
  ["02:30", "Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"],
  ["*:0/15", "Europe/Berlin", "2026-10-25T00:45:00Z", "2026-10-25T02:00:00Z"],
  ["*:*:*", "Europe/Berlin", "2026-10-25T01:30:00Z", "2026-10-25T02:00:00Z"],
  ["daily\nMon 06:00 Asia/Tokyo", "UTC", "2026-07-05T12:00:00Z", "2026-07-05T21:00:00Z"],
] as const;

for (const [text, timeZone, after, next] of elapses)
  test(`${JSON.stringify(text)} in ${timeZone} elapses after ${after} at ${next}`, () => {
    assert.equal(calendarProblem(text), undefined);
    const found = nextElapse(parseCalendar(text), Date.parse(after), timeZone);
    assert.equal(found, next === undefined ? undefined : Date.parse(next));
  });

const problems: readonly (readonly [text: string, problem: RegExp])[] = [
  ["", /^must have a line/],
  ["fortnightly", /^"fortnightly" must be a weekday such as Mon or Monday$/],
  ["Fri..Mon", /^"Fri\.\.Mon" must be a weekday such as Mon, or a range such as Mon\.\.Fri$/],
  ["Mon..Wed..Fri", /must be a weekday such as Mon, or a range/],
  ["25:00", /^hour "25" must be from 0 to 23$/],
  ["12:60", /^minute "60" must be from 0 to 59$/],
  ["12:00:60", /^second "60" must be from 0 to 59$/],
  ["*/2:00", /^hour "\*\/2" must be \*, or numbers as lists 1,3, ranges 1\.\.3 and steps 1\/3$/],
  ["0/0:00", /^hour "0\/0" must have a step above 0$/],
  ["23/1:00", /^hour "23\/1" must have a step that it can make$/],
  ["5..3:00", /^hour "5\.\.3" must not end before it starts$/],
  ["12", /^"12" must be a time such as 02:30/],
  ["2027-13-01", /^month "13" must be from 1 to 12$/],
  ["*-*~29", /^day from the end "29" must be from 1 to 28$/],
  ["*-*-01-01", /must be a date such as/],
  ["02:30 Mon", /^time zone "Mon" must be UTC or a name such as Europe\/Berlin$/],
  ["02:30 CEST", /^time zone "CEST" must be UTC or a name/],
  ["02:30 +02:00", /^"\+02:00" is not expected there$/],
  ["@x", /^"@x" must be @ and seconds since 1970/],
  ["*-02-30", /^names no day that ever comes$/],
  ["daily\nweekly\nx", /^"x" must be a weekday/],
  ["0,".repeat(600), /^must have at most 1000 characters$/],
];

for (const [text, problem] of problems)
  test(`the calendar expression ${JSON.stringify(text.slice(0, 30))} is refused with its reason`, () => {
    assert.match(calendarProblem(text) ?? "", problem);
  });

import type { Temporal } from "temporal-polyfill";

import { parseFlag } from "../kit/flag.ts";
import { isRecord } from "../kit/safe-json.ts";
import { instantsAt, nextClockChange, wallTimeIn } from "./account/time-zone.ts";

export const dayNames = [
  "sunday",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
] as const;
export type DayName = (typeof dayNames)[number];

/** One day as the client wrote it; flags come as booleans, 0 and 1, or text, and are kept so. */
export type DayRule = Readonly<Record<string, unknown>>;

/** Named windows of a week, in the account's own time. A day that is not named lets nothing through. */
export interface Schedule {
  readonly name: string;
  readonly days: Readonly<Partial<Record<DayName, DayRule>>>;
}

export const maxScheduleNameLength = 100;
/** Maximum windows of one day: one per half hour. */
export const maxWindows = 48;

/** Both always exist, are in no list, and let everything through. */
const alwaysOpen = new Set(["all", "all the time"]);

export function isAlwaysOpen(name: string): boolean {
  return alwaysOpen.has(name.toLowerCase());
}

/** Says whether an alert may go out at `at` (ms) for an account in that time zone: what counts is what clocks there show. */
export function isOpen(schedule: Schedule, at: number, timeZone: string): boolean {
  const local = wallTimeIn(timeZone, at);
  const rule = ruleOf(schedule, local);
  if (rule === undefined || isSet(rule.disabled)) return false;
  if (isSet(rule.allday)) return true;
  const minute = local.hour * 60 + local.minute;
  const inside = windowsOf(rule).some(([start, end]) => isInside(minute, start, end));
  return isSet(rule.exclude) ? !inside : inside;
}

/** Two weeks and a day: a change of the clocks may skip the only window of a week. */
const DAYS_SEARCHED = 15;

/** Returns the first instant from `at` (ms) at which an alert may be sent; undefined if there is none. */
export function nextOpening(schedule: Schedule, at: number, timeZone: string): number | undefined {
  if (isOpen(schedule, at, timeZone)) return at;
  const today = wallTimeIn(timeZone, at).toPlainDate();
  for (let days = 0; days <= DAYS_SEARCHED; days += 1) {
    const day = today.add({ days });
    // Clocks may show the end of a day again after the next has begun.
    const opening = [day, day.add({ days: 1 })]
      .flatMap((each) => boundariesOn(each, schedule))
      .flatMap((wallTime) => instantsAt(timeZone, wallTime))
      .concat(clockChangesUntil(day.add({ days: 2 }), { at, timeZone }))
      .filter((instant) => instant > at)
      .toSorted((one, other) => one - other)
      .find((instant) => isOpen(schedule, instant, timeZone));
    if (opening !== undefined) return opening;
  }
  return undefined;
}

/** The times of a day at which a window may open. */
function boundariesOn(
  day: Temporal.PlainDate,
  schedule: Schedule,
): readonly Temporal.PlainDateTime[] {
  const rule = ruleOf(schedule, day);
  const midnight = day.toPlainDateTime();
  if (rule === undefined) return [];
  const minutes = [0, ...windowsOf(rule).flat()].filter((minute) => minute !== undefined);
  return [...new Set(minutes)].map((each) => midnight.add({ minutes: each }));
}

type Window = readonly [start: number | undefined, end: number | undefined];

/** The windows of a day: its list of them, or the one that it names itself. */
function windowsOf(rule: DayRule): readonly Window[] {
  const windows = Array.isArray(rule.windows) ? rule.windows.filter(isRecord) : [rule];
  return windows.map(({ time1, time2 }) => [parseTime(time1), parseTime(time2)]);
}

function clockChangesUntil(
  day: Temporal.PlainDate,
  { at, timeZone }: { readonly at: number; readonly timeZone: string },
): readonly number[] {
  const end = day.toZonedDateTime(timeZone).epochMilliseconds;
  const change = nextClockChange(timeZone, at);
  if (change === undefined || change > end) return [];
  return [change, ...clockChangesUntil(day, { at: change, timeZone })];
}

function ruleOf(
  { days }: Schedule,
  { dayOfWeek }: { readonly dayOfWeek: number },
): DayRule | undefined {
  const day = dayNames[dayOfWeek % dayNames.length];
  return day && days[day];
}

/** From `start` to the minute `end`, inclusive; a span that ends before it starts crosses midnight within its own day. */
function isInside(minute: number, start: number | undefined, end: number | undefined): boolean {
  if (start === undefined || end === undefined) return false;
  if (start === end) return false;
  return start < end
    ? minute >= start && minute <= lastMinute(end)
    : minute >= start || minute <= lastMinute(end);
}

/** `23:59` is how clients write the end of the day, so that minute belongs to the span; any other end is its first minute outside. */
function lastMinute(end: number): number {
  return end === 1439 ? end : end - 1;
}

/** `HH:MM`, with blanks around it. */
const MAX_TIME_LENGTH = 100;

/** Parses `H:MM` to minutes after midnight, up to 24:00; undefined if invalid. */
export function parseTime(value: unknown): number | undefined {
  if (typeof value !== "string" || value.length > MAX_TIME_LENGTH) return undefined;
  const [, hours, minutes] = /^(\d{1,2}):(\d{2})$/.exec(value.trim()) ?? [];
  const minute = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && minute <= 1440 ? minute : undefined;
}

export function isSet(flag: unknown): boolean {
  return parseFlag(flag) === true;
}

function week(workday: DayRule, weekend: DayRule): Schedule["days"] {
  return {
    monday: workday,
    tuesday: workday,
    wednesday: workday,
    thursday: workday,
    friday: workday,
    saturday: weekend,
    sunday: weekend,
  };
}

const wholeDay: DayRule = {
  time1: "0:00",
  time2: "23:59",
  exclude: false,
  disabled: false,
  allday: true,
};
const noTime: DayRule = {
  time1: "12:00",
  time2: "12:00",
  exclude: false,
  disabled: true,
  allday: false,
};
const daytime: DayRule = { time1: "6:00", time2: "18:00", exclude: 0 };
const night: DayRule = { time1: "6:00", time2: "18:00", exclude: 1 };

/** Schedules of a new account. */
export const defaultSchedules: readonly Schedule[] = [
  { name: "Weekdays", days: week(wholeDay, noTime) },
  { name: "Weekends", days: week(noTime, wholeDay) },
  { name: "Days", days: week(daytime, daytime) },
  { name: "Nights", days: week(night, night) },
];

import { parseFlag } from "../kit/flag.ts";

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

/** Both always exist, are in no list, and let everything through. */
const alwaysOpen = new Set(["all", "all the time"]);

export function isAlwaysOpen(name: string): boolean {
  return alwaysOpen.has(name.toLowerCase());
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Says whether an alert may go out at `at` (ms) for an account `offsetHours` ahead of GMT. */
export function isOpen(schedule: Schedule, at: number, offsetHours: number): boolean {
  const local = new Date(at + offsetHours * HOUR_MS);
  const day = dayNames[local.getUTCDay()];
  const rule = day === undefined ? undefined : schedule.days[day];
  if (rule === undefined || isSet(rule.disabled)) return false;
  if (isSet(rule.allday)) return true;
  const minute = (local.getUTCHours() * HOUR_MS + local.getUTCMinutes() * MINUTE_MS) / MINUTE_MS;
  const inside = isInside(minute, parseTime(rule.time1), parseTime(rule.time2));
  return isSet(rule.exclude) ? !inside : inside;
}

/** From `start` up to and with the minute `end`; a span that ends before it starts runs over midnight, within its own day. */
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

/** Minutes after midnight of `H:MM`, up to 24:00; undefined where it is no such time. */
export function parseTime(value: unknown): number | undefined {
  if (typeof value !== "string") return undefined;
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

/** What every new account begins with. */
export const defaultSchedules: readonly Schedule[] = [
  { name: "Weekdays", days: week(wholeDay, noTime) },
  { name: "Weekends", days: week(noTime, wholeDay) },
  { name: "Days", days: week(daytime, daytime) },
  { name: "Nights", days: week(night, night) },
];

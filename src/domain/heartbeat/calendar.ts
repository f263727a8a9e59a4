import {
  firstInstantAt,
  gmt,
  instantsAt,
  nextClockChange,
  offsetIn,
  wallTimeIn,
} from "../account/time-zone.ts";
import {
  CalendarProblem,
  parseCalendarExpression,
  type CalendarExpression,
  type Progression,
} from "./calendar-expression.ts";

const DAY_MS = 86_400_000;
const MINUTE_US = 60_000_000;
/** Maximum characters of all lines together. */
export const maxCalendarLength = 1000;

/** The OnCalendar lines of a systemd timer, which elapses at the times of each of them. */
export function parseCalendar(text: string): readonly CalendarExpression[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map(parseCalendarExpression);
}

/** Describes the invalid part of the lines and its valid values; undefined if the lines are valid. */
export function calendarProblem(text: string): string | undefined {
  if (text.length > maxCalendarLength) return `must have at most ${maxCalendarLength} characters`;
  try {
    const lines = parseCalendar(text);
    if (lines.length === 0) return "must have a line, such as Mon..Fri 02:30";
    const comes = lines.every((line) => nextShown(line, -1) !== undefined);
    return comes ? undefined : "names no day that ever comes";
  } catch (error) {
    if (!(error instanceof CalendarProblem)) throw error;
    return error.message;
  }
}

/** Returns the first time after that instant, in each line's zone or the given one; undefined if there is none. */
export function nextElapse(
  lines: readonly CalendarExpression[],
  after: number,
  timeZone: string,
): number | undefined {
  const times = lines.flatMap((line) => elapseOf(line, after, line.timeZone ?? timeZone) ?? []);
  return times.length === 0 ? undefined : Math.min(...times);
}

/** As in systemd, a time skipped by a clock change does not elapse, and a repeated one elapses the first time. */
function elapseOf(line: CalendarExpression, after: number, timeZone: string): number | undefined {
  let shown = after + offsetIn(timeZone, after);
  while (true) {
    const next = nextShown(line, shown);
    if (next === undefined) return undefined;
    const wallTime = wallTimeIn(gmt, next).toPlainDateTime();
    const [first] = instantsAt(timeZone, wallTime);
    if (first !== undefined && first > after) return first;
    // Times up to the end of what was skipped or repeated are so, too.
    const change =
      first === undefined
        ? firstInstantAt(timeZone, wallTime)
        : (nextClockChange(timeZone, first) ?? first);
    const offset = offsetIn(timeZone, first ?? change);
    shown = Math.max(next, change + offset - 1);
  }
}

/** The first time after that one, both as ms of a GMT clock that shows them. */
function nextShown(line: CalendarExpression, after: number): number | undefined {
  const today = Math.floor(after / DAY_MS) * DAY_MS;
  for (const date of datesFrom(line, today)) {
    const time = nextTimeOfDay(line, date === today ? (after - today) * 1000 + 1 : 0);
    if (time !== undefined) return date + Math.ceil(time / 1000);
  }
  return undefined;
}

function* datesFrom(line: CalendarExpression, from: number): Generator<number> {
  const { weekdays, years, months } = line;
  const start = new Date(from);
  const [firstYear, firstMonth] = [start.getUTCFullYear(), start.getUTCMonth() + 1];
  for (const year of years) {
    if (year < firstYear) continue;
    for (const month of months) {
      if (year === firstYear && month < firstMonth) continue;
      for (const day of daysOf(line, year, month)) {
        const date = Date.UTC(year, month - 1, day);
        if (date >= from && (weekdays?.has(new Date(date).getUTCDay()) ?? true)) yield date;
      }
    }
  }
}

function daysOf(
  { days, daysFromEnd }: CalendarExpression,
  year: number,
  month: number,
): readonly number[] {
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return daysFromEnd
    ? days.map((day) => last + 1 - day).toReversed()
    : days.filter((day) => day <= last);
}

/** In µs since midnight. */
function nextTimeOfDay(
  { hours, minutes, seconds }: CalendarExpression,
  from: number,
): number | undefined {
  for (const hour of hours)
    for (const minute of minutes) {
      const start = (hour * 60 + minute) * MINUTE_US;
      if (start + MINUTE_US <= from) continue;
      const second = nextOf(seconds, Math.max(0, from - start));
      if (second !== undefined) return start + second;
    }
  return undefined;
}

function nextOf(progressions: readonly Progression[], from: number): number | undefined {
  const values = progressions
    .map(({ start, end, step }) => ({
      end,
      value: start + Math.ceil(Math.max(0, from - start) / step) * step,
    }))
    .filter(({ value, end }) => value <= end)
    .map(({ value }) => value);
  return values.length === 0 ? undefined : Math.min(...values);
}

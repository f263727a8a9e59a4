import { namedTimeZone } from "../account/time-zone.ts";
import { dayNames } from "../schedule.ts";

/** An expression of systemd's OnCalendar (systemd.time(7)), as the values of each component in ascending order. */
export interface CalendarExpression {
  /** Numbered as by `getUTCDay`; undefined for all. */
  readonly weekdays: ReadonlySet<number> | undefined;
  readonly years: readonly number[];
  readonly months: readonly number[];
  readonly days: readonly number[];
  /** Whether days count from the end of the month, whose last one is 1. */
  readonly daysFromEnd: boolean;
  readonly hours: readonly number[];
  readonly minutes: readonly number[];
  /** In µs, because seconds may have six decimals and any step. */
  readonly seconds: readonly Progression[];
  /** The zone in the expression itself. */
  readonly timeZone: string | undefined;
}

/** Start, start + step and so on, up to the end. */
export interface Progression {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

/** The message says which part of the expression is wrong. */
export class CalendarProblem extends Error {}

interface Bounds {
  readonly name: string;
  readonly min: number;
  readonly max: number;
}

const SECOND = 1_000_000;
const bounds = {
  year: { name: "year", min: 1970, max: 2199 },
  month: { name: "month", min: 1, max: 12 },
  day: { name: "day", min: 1, max: 31 },
  // Every month has at least this many days.
  dayFromEnd: { name: "day from the end", min: 1, max: 28 },
  hour: { name: "hour", min: 0, max: 23 },
  minute: { name: "minute", min: 0, max: 59 },
  second: { name: "second", min: 0, max: 60 * SECOND - 1 },
} as const satisfies Readonly<Record<string, Bounds>>;

const DAYS_OF_A_WEEK = dayNames.length;
const MAX_QUOTED_LENGTH = 30;

const shorthands: ReadonlyMap<string, string> = new Map(
  Object.entries({
    minutely: "*:*:00",
    hourly: "*:00:00",
    daily: "*-*-* 00:00:00",
    weekly: "Mon *-*-* 00:00:00",
    monthly: "*-*-01 00:00:00",
    quarterly: "*-01,04,07,10-01 00:00:00",
    ...sameFor(["biannually", "bi-annually", "semiannually", "semi-annually"], "*-01,07-01"),
    ...sameFor(["annually", "yearly", "anually"], "*-01-01"),
  }),
);

function sameFor(names: readonly string[], line: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, line]));
}

/** Parses one expression. Throws CalendarProblem where systemd would refuse it, or where its zone depends on the machine. */
export function parseCalendarExpression(text: string): CalendarExpression {
  const { rest, timeZone } = withoutTimeZone(text.trim());
  const words = (shorthands.get(rest.toLowerCase()) ?? rest).split(/\s+/);
  const weekdays = /^[a-z]/i.test(words[0] ?? "") ? parseWeekdays(words.shift() ?? "") : undefined;
  if (words[0]?.startsWith("@") === true && words.length === 1)
    return { ...parseInstant(words[0]), weekdays };
  const date = isDate(words[0]) ? words.shift() : undefined;
  const time = words.shift();
  if (words.length > 0)
    throw new CalendarProblem(`${quoted(words.join(" "))} is not expected there`);
  return { weekdays, ...parseDate(date ?? "*-*-*"), ...parseTime(time ?? "00:00:00"), timeZone };
}

function isDate(word: string | undefined): boolean {
  return word !== undefined && /[-~]/.test(word) && !word.includes(":");
}

function withoutTimeZone(text: string): { readonly rest: string; readonly timeZone?: string } {
  const [, rest = "", last = ""] = /^(.*\S)\s+(\S+)$/s.exec(text) ?? [];
  if (/^utc$/i.test(last)) return { rest, timeZone: "UTC" };
  // Neither a component nor a weekday begins like a zone, so that another name is a mistake in it.
  if (!/^[a-z]/i.test(last)) return { rest: text };
  const timeZone = namedTimeZone(last);
  if (timeZone !== undefined) return { rest, timeZone };
  throw new CalendarProblem(
    `time zone ${quoted(last)} must be UTC or a name such as Europe/Berlin`,
  );
}

function parseWeekdays(text: string): ReadonlySet<number> | undefined {
  const days = new Set<number>();
  // A comma may be last.
  for (const item of text.replace(/,$/, "").split(",")) {
    const [first, last, ...more] = item.split(/\.\.|-/).map(weekdayOf);
    const end = last ?? first;
    // The week begins with Monday.
    if (first === undefined || end === undefined || first > end || more.length > 0)
      throw new CalendarProblem(
        `${quoted(item)} must be a weekday such as Mon, or a range such as Mon..Fri`,
      );
    for (let day = first; day <= end; day += 1) days.add(day % DAYS_OF_A_WEEK);
  }
  return days.size === DAYS_OF_A_WEEK ? undefined : days;
}

/** Returns 1 for Monday to 7 for Sunday. */
function weekdayOf(word: string): number | undefined {
  const name = word.toLowerCase();
  const index = dayNames.findIndex((each) => each === name || each.slice(0, 3) === name);
  if (index === -1)
    throw new CalendarProblem(`${quoted(word)} must be a weekday such as Mon or Monday`);
  return index === 0 ? DAYS_OF_A_WEEK : index;
}

type DateOf = Pick<CalendarExpression, "years" | "months" | "days" | "daysFromEnd">;
type TimeOf = Pick<CalendarExpression, "hours" | "minutes" | "seconds">;

function parseDate(text: string): DateOf {
  const [, year = "*", month = "", separator, day = ""] =
    /^(?:([^-~]+)-)?([^-~]+)([-~])([^-~]+)$/.exec(text) ?? [];
  if (separator === undefined)
    throw new CalendarProblem(
      `${quoted(text)} must be a date such as 2027-05-31, *-*-01, 05-31 or *-05~01`,
    );
  // With any day, the direction of counting does not matter.
  const daysFromEnd = separator === "~" && day !== "*";
  return {
    years: yearsOf(year),
    months: valuesOf(parseChain(month, bounds.month)),
    days: daysFromEnd
      ? valuesOf(parseChain(day, bounds.dayFromEnd, "down"))
      : valuesOf(parseChain(day, bounds.day)),
    daysFromEnd,
  };
}

function yearsOf(text: string): readonly number[] {
  // A year of two digits is one from 1970 to 2069; steps are no years.
  const whole = text.replaceAll(/(?<![/\d])\d+/g, (digits) => {
    const year = Number(digits);
    if (year >= 100) return digits;
    return String(year + (year < 70 ? 2000 : 1900));
  });
  return valuesOf(parseChain(whole, bounds.year));
}

function parseTime(text: string): TimeOf {
  const parts = text.split(":");
  const [hour = "", minute = "", second = "0"] = parts;
  if (parts.length < 2 || parts.length > 3)
    throw new CalendarProblem(`${quoted(text)} must be a time such as 02:30, *:0/15 or 02:30:15`);
  return {
    hours: valuesOf(parseChain(hour, bounds.hour)),
    minutes: valuesOf(parseChain(minute, bounds.minute)),
    seconds: parseChain(second === "*" ? "0/1" : second, bounds.second),
  };
}

/** `@` and seconds since 1970. */
function parseInstant(text: string): Omit<CalendarExpression, "weekdays"> {
  const at = new Date(/^@\d+$/.test(text) ? Number(text.slice(1)) * 1000 : NaN);
  if (!(at.getUTCFullYear() <= bounds.year.max))
    throw new CalendarProblem(
      `${quoted(text)} must be @ and seconds since 1970, until ${bounds.year.max}`,
    );
  const second = at.getUTCSeconds() * SECOND;
  return {
    years: [at.getUTCFullYear()],
    months: [at.getUTCMonth() + 1],
    days: [at.getUTCDate()],
    daysFromEnd: false,
    hours: [at.getUTCHours()],
    minutes: [at.getUTCMinutes()],
    seconds: [{ start: second, end: second, step: 1 }],
    timeZone: "UTC",
  };
}

/** A list of values, ranges and repetitions. A repetition without an end goes to the largest value, or down to the smallest. */
function parseChain(
  text: string,
  part: Bounds,
  direction: "up" | "down" = "up",
): readonly Progression[] {
  if (text === "*") return [{ start: part.min, end: part.max, step: 1 }];
  return text.split(",").map((item) => parseItem(item, part, direction));
}

function parseItem(item: string, part: Bounds, direction: "up" | "down"): Progression {
  const [unit, number] = part === bounds.second ? [SECOND, "\\d+(?:\\.\\d+)?"] : [1, "\\d+"];
  const form = new RegExp(`^(${number})(?:\\.\\.(${number}))?(?:/(${number}))?$`);
  const [, start, end, step] = (form.exec(item) ?? []).map((digits: string | undefined) =>
    digits === undefined ? undefined : Math.round(Number(digits) * unit),
  );
  if (start === undefined)
    throw new CalendarProblem(
      `${part.name} ${quoted(item)} must be *, or numbers as lists 1,3, ranges 1..3 and steps 1/3`,
    );
  const { min, max } = part;
  const outside = [start, end].find((each) => each !== undefined && (each < min || each > max));
  if (outside !== undefined)
    throw new CalendarProblem(
      `${part.name} ${quoted(item)} must be from ${min} to ${Math.floor(max / unit)}`,
    );
  if (step === 0)
    throw new CalendarProblem(`${part.name} ${quoted(item)} must have a step above 0`);
  if (end !== undefined) {
    if (end < start)
      throw new CalendarProblem(`${part.name} ${quoted(item)} must not end before it starts`);
    // The step is one second, which systemd wants to fit.
    if (step === undefined && part === bounds.second && end - start < unit)
      throw new CalendarProblem(`${part.name} ${quoted(item)} must be a range of 1 or more`);
    return { start, end, step: step ?? unit };
  }
  if (step === undefined) return { start, end: start, step: 1 };
  const isWithin = direction === "up" ? start + step <= max : start - step >= min;
  if (!isWithin)
    throw new CalendarProblem(`${part.name} ${quoted(item)} must have a step that it can make`);
  // Downwards it passes the same values as upwards to its start.
  return direction === "up"
    ? { start, end: max, step }
    : { start: min + ((start - min) % step), end: start, step };
}

function valuesOf(progressions: readonly Progression[]): readonly number[] {
  const values = progressions.flatMap(({ start, end, step }) =>
    Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, at) => start + at * step),
  );
  return [...new Set(values)].toSorted((one, other) => one - other);
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, MAX_QUOTED_LENGTH));
}

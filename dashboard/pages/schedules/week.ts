import { weekdayLabel } from "../../parts/weekday-label.ts";

/** From a minute of the day up to another, which is not in it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export const dayNames = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
] as const;
export type DayName = (typeof dayNames)[number];

/** The short name of a day. */
export function dayLabel(day: DayName, locale: string): string {
  return weekdayLabel(dayNames.indexOf(day) + 1, locale);
}

/** The times of each day in which alerts go out: apart from each other, and in order. */
export type Week = Readonly<Record<DayName, readonly Span[]>>;

export const DAY = 1440;
const wholeDay: readonly Span[] = [{ start: 0, end: DAY }];

/** A week with the same in every day, but for what is given. */
export function weekOf(
  spans: readonly Span[],
  others: Readonly<Partial<Record<DayName, readonly Span[]>>> = {},
): Week {
  return {
    monday: spans,
    tuesday: spans,
    wednesday: spans,
    thursday: spans,
    friday: spans,
    saturday: spans,
    sunday: spans,
    ...others,
  };
}

const weekend = { saturday: [], sunday: [] };
export const presetNames = [
  "always",
  "workingHours",
  "offHours",
  "weekdays",
  "weekends",
  "nights",
  "never",
] as const;
export const presets: Readonly<Record<(typeof presetNames)[number], Week>> = {
  always: weekOf(wholeDay),
  workingHours: weekOf([{ start: 8 * 60, end: 17 * 60 }], weekend),
  offHours: weekOf(
    [
      { start: 0, end: 8 * 60 },
      { start: 17 * 60, end: DAY },
    ],
    { saturday: wholeDay, sunday: wholeDay },
  ),
  weekdays: weekOf(wholeDay, weekend),
  weekends: weekOf([], { saturday: wholeDay, sunday: wholeDay }),
  nights: weekOf([
    { start: 0, end: 6 * 60 },
    { start: 22 * 60, end: DAY },
  ]),
  never: weekOf([]),
};

/** The spans with another one added, or taken away. */
export function painted(
  spans: readonly Span[],
  { start, end }: Span,
  isOn: boolean,
): readonly Span[] {
  const rest = spans.flatMap((span) => [
    { start: span.start, end: Math.min(span.end, start) },
    { start: Math.max(span.start, end), end: span.end },
  ]);
  return merged(isOn ? [...rest, { start, end }] : rest);
}

/** How much of a part of the day is in the spans. */
export function coverage(spans: readonly Span[], { start, end }: Span): "none" | "some" | "all" {
  const minutes = spans
    .map((span) => Math.max(0, Math.min(span.end, end) - Math.max(span.start, start)))
    .reduce((sum, each) => sum + each, 0);
  if (minutes === 0) return "none";
  return minutes === end - start ? "all" : "some";
}

function merged(spans: readonly Span[]): readonly Span[] {
  const sorted = spans
    .filter(({ start, end }) => start < end)
    .toSorted((one, other) => one.start - other.start);
  const joined: Span[] = [];
  for (const span of sorted) {
    const last = joined.at(-1);
    if (last === undefined || last.end < span.start) joined.push(span);
    else joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
  }
  return joined;
}

type Rule = Readonly<Record<string, unknown>>;

/** Reads a schedule as the API gives it; a day that is missing lets nothing through. */
export function readWeek(data: Readonly<Record<string, unknown>>): Week {
  const days = dayNames.map((day) => [day, readDay(data[day])] as const);
  return { ...weekOf([]), ...Object.fromEntries(days) };
}

function readDay(sent: unknown): readonly Span[] {
  if (!isRule(sent) || isOn(sent.disabled)) return [];
  if (isOn(sent.allday)) return wholeDay;
  const windows = Array.isArray(sent.windows) ? sent.windows.filter(isRule) : [sent];
  const open = merged(windows.flatMap(spansOf));
  return isOn(sent.exclude) ? inverted(open) : open;
}

/** A window that ends before it starts runs over midnight, within its own day. */
function spansOf({ time1, time2 }: Rule): readonly Span[] {
  const [start, end] = [minuteOf(time1), minuteOf(time2)];
  if (start === undefined || end === undefined || start === end) return [];
  const last = end === DAY - 1 ? DAY : end;
  if (start < end) return [{ start, end: last }];
  return [
    { start: 0, end: last },
    { start, end: DAY },
  ];
}

function inverted(spans: readonly Span[]): readonly Span[] {
  return spans.reduce<readonly Span[]>((rest, span) => painted(rest, span, false), wholeDay);
}

function minuteOf(value: unknown): number | undefined {
  const [, hours, minutes] =
    typeof value === "string" ? (/^\s*(\d{1,2}):(\d{2})\s*$/.exec(value) ?? []) : [];
  const minute = Number(hours) * 60 + Number(minutes);
  return Number(minutes) < 60 && minute <= DAY ? minute : undefined;
}

/** The words that the API takes for a switch that is on. */
function isOn(flag: unknown): boolean {
  return [true, 1, "1", "true", "yes", "on"].some(
    (word) => word === (typeof flag === "string" ? flag.trim().toLowerCase() : flag),
  );
}

function isRule(value: unknown): value is Rule {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

interface SentWindow {
  readonly time1: string;
  readonly time2: string;
}

interface SentDay extends Partial<SentWindow> {
  readonly disabled?: true;
  readonly allday?: true;
  readonly exclude?: 1;
  readonly windows?: SentWindow[];
}

/** A schedule as the API takes it: in the words that every client knows, where these can say it. */
export function writeWeek(week: Week): Record<DayName, SentDay> {
  const { monday, tuesday, wednesday, thursday, friday, saturday, sunday } = week;
  return {
    monday: writeDay(monday),
    tuesday: writeDay(tuesday),
    wednesday: writeDay(wednesday),
    thursday: writeDay(thursday),
    friday: writeDay(friday),
    saturday: writeDay(saturday),
    sunday: writeDay(sunday),
  };
}

function writeDay(spans: readonly Span[]): SentDay {
  const [first, second] = spans;
  if (first === undefined) return { disabled: true };
  if (first.start === 0 && first.end === DAY) return { allday: true };
  if (second === undefined) return windowOf(first);
  if (spans.length === 2 && first.start === 0 && second.end === DAY)
    return { time1: timeText(first.end), time2: timeText(second.start), exclude: 1 };
  return { windows: spans.map(windowOf) };
}

function windowOf({ start, end }: Span): SentWindow {
  return { time1: timeText(start), time2: end === DAY ? "23:59" : timeText(end) };
}

/** `H:MM`, as the API has it. */
export function timeText(minute: number): string {
  return `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, "0")}`;
}

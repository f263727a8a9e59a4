import { Cron } from "croner";

import {
  firstInstantAt,
  gmt,
  nextClockChange,
  offsetIn,
  wallTimeIn,
} from "../account/time-zone.ts";

/** Returns the first start after that instant; undefined if there is none. */
export function nextStart(cron: string, after: number, timeZone: string): number | undefined {
  const isHourly = cron.trim().split(/\s+/)[1] === "*";
  return (isHourly ? nextHourlyStart : nextDailyStart)(parseCron(cron), after, timeZone);
}

/**
 * Returns the next start of a cron expression with fixed hours. A time skipped by a clock change starts at the change; a repeated time starts once, the first
 * time.
 */
function nextDailyStart(cron: Cron, after: number, timeZone: string): number | undefined {
  let shown = after + offsetIn(timeZone, after);
  while (true) {
    const next = cron.nextRun(new Date(shown))?.getTime();
    if (next === undefined) return undefined;
    const start = firstInstantAt(timeZone, wallTimeIn(gmt, next).toPlainDateTime());
    if (start > after) return start;
    shown = next;
  }
}

/** Returns the next start of an hourly cron expression, which runs in every elapsed hour, including repeated ones. */
function nextHourlyStart(cron: Cron, after: number, timeZone: string): number | undefined {
  let [from, latestChange] = [after, after];
  while (true) {
    const offset = offsetIn(timeZone, latestChange);
    const next = cron.nextRun(new Date(from + offset))?.getTime();
    if (next === undefined) return undefined;
    const change = nextClockChange(timeZone, latestChange);
    if (change === undefined || next - offset < change) return next - offset;
    latestChange = change;
    // The change itself may be a start.
    from = change - 1;
  }
}

/** Every minute, hour, day, month and weekday by its number takes 400. */
export const maxCronLength = 1000;

export function isCron(text: string): boolean {
  if (text.length > maxCronLength || !/^\S+(\s+\S+){4}$/.test(text)) return false;
  try {
    parseCron(text);
    return true;
  } catch {
    // The parser throws on whatever it cannot read.
    return false;
  }
}

/** It knows the calendar only: its times are those that clocks show. */
export function parseCron(cron: string): Cron {
  return new Cron(cron, { mode: "5-part", timezone: "UTC", paused: true });
}

const cronFields = [
  { name: "minute", min: 0, max: 59 },
  { name: "hour", min: 0, max: 23 },
  { name: "day", min: 1, max: 31 },
  { name: "month", min: 1, max: 12 },
  { name: "weekday", min: 0, max: 7 },
] as const;
/** Whole lines that have a name (crontab(5)). */
const nicknames: ReadonlyMap<string, string> = new Map([
  ["@hourly", "0 * * * *"],
  ["@daily", "0 0 * * *"],
  ["@midnight", "0 0 * * *"],
  ["@weekly", "0 0 * * 0"],
  ["@monthly", "0 0 1 * *"],
  ["@yearly", "0 0 1 1 *"],
  ["@annually", "0 0 1 1 *"],
]);
const MAX_QUOTED_LENGTH = 30;

/** Describes the invalid field of a cron expression and its valid values; undefined if the expression is valid. Nicknames such as `@daily` are valid. */
export function cronProblem(line: string): string | undefined {
  if (line.length > maxCronLength) return `must have at most ${maxCronLength} characters`;
  const parts = withoutNickname(line).split(/\s+/);
  if (parts.length !== cronFields.length)
    return `must have five fields: minute, hour, day, month and weekday, such as 30 2 * * 1-5, or be @daily or the like, not ${quoted(line)}`;
  for (const [index, { name, min, max }] of cronFields.entries()) {
    const part = parts[index] ?? "";
    // Not the n of `*/n` and `#n`.
    const numbers = part.match(/(?<![/#\d])\d+/g) ?? [];
    const outside = numbers.find((number) => Number(number) < min || Number(number) > max);
    if (outside !== undefined)
      return `${name} ${outside.slice(0, MAX_QUOTED_LENGTH)} must be from ${min} to ${max}`;
    if (!isCron(cronFields.map((_, at) => (at === index ? part : "*")).join(" ")))
      return `${name} ${quoted(part)} must be *, or numbers from ${min} to ${max} as lists 1,3, ranges 1-3 and steps */3`;
  }
  if (parseCron(parts.join(" ")).nextRun(LEAP_YEAR) === null) return "names no day that ever comes";
  return undefined;
}

/** The five fields of a line that may be a nickname. */
export function withoutNickname(line: string): string {
  const trimmed = line.trim();
  return nicknames.get(trimmed.toLowerCase()) ?? trimmed;
}

/** A year in which every day comes that ever does. */
const LEAP_YEAR = new Date(Date.UTC(2028, 0, 1));

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, MAX_QUOTED_LENGTH));
}

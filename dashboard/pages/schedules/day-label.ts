import { dayNames, type DayName } from "./week.ts";

/** A Monday, at noon. */
const MONDAY = Date.UTC(2026, 0, 5, 12);
const DAY_MS = 86_400_000;

/** The short name of a day. */
export function dayLabel(day: DayName, locale: string): string {
  const at = MONDAY + dayNames.indexOf(day) * DAY_MS;
  return new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" }).format(at);
}

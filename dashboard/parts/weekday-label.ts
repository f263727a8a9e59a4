/** A Sunday, at noon. */
const SUNDAY = Date.UTC(2026, 0, 4, 12);
const DAY_MS = 86_400_000;

/** The short name of a weekday, as cron numbers them. */
export function weekdayLabel(weekday: number, locale: string): string {
  const format = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
  return format.format(SUNDAY + weekday * DAY_MS);
}

import ical, { ICalCalendarMethod, ICalEventTransparency } from "ical-generator";

export interface CalendarEvent {
  /** The same in every version of the calendar. */
  readonly uid: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly changedAt: number;
  readonly summary: string;
  readonly description: string;
}

const REFRESH_SECONDS = 3600;

/** A calendar that programs subscribe to (RFC 5545). */
export function icalendar(name: string, events: readonly CalendarEvent[]): string {
  const calendar = ical({
    name: plainText(name),
    prodId: { company: "Watchpost", product: "Maintenances", language: "EN" },
    scale: "gregorian",
    method: ICalCalendarMethod.PUBLISH,
    ttl: REFRESH_SECONDS,
    events: events.map(({ uid, startsAt, endsAt, changedAt, summary, description }) => ({
      id: uid,
      stamp: new Date(changedAt),
      start: new Date(startsAt),
      end: new Date(endsAt),
      summary: plainText(summary),
      description: description === "" ? null : plainText(description),
      transparency: ICalEventTransparency.TRANSPARENT,
    })),
  });
  // The last line ends as all others do (section 3.1).
  return `${calendar.toString()}\r\n`;
}

/** Section 3.1 allows no control characters; the library writes them as they come. */
function plainText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[^\P{Cc}\n]/gu, "");
}

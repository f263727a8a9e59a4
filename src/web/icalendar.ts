export interface CalendarEvent {
  /** The same in every version of the calendar. */
  readonly uid: string;
  readonly startsAt: number;
  readonly endsAt: number;
  readonly changedAt: number;
  readonly summary: string;
  readonly description: string;
}

/** A calendar that programs subscribe to (RFC 5545). */
export function icalendar(name: string, events: readonly CalendarEvent[]): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Watchpost//Maintenances//EN",
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    `NAME:${escapeText(name)}`,
    `X-WR-CALNAME:${escapeText(name)}`,
    "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
    "X-PUBLISHED-TTL:PT1H",
    ...events.flatMap(eventLines),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
}

function eventLines(event: CalendarEvent): readonly string[] {
  const { uid, startsAt, endsAt, changedAt, summary, description } = event;
  return [
    "BEGIN:VEVENT",
    `UID:${escapeText(uid)}`,
    `DTSTAMP:${dateTime(changedAt)}`,
    `DTSTART:${dateTime(startsAt)}`,
    `DTEND:${dateTime(endsAt)}`,
    `SUMMARY:${escapeText(summary)}`,
    ...(description === "" ? [] : [`DESCRIPTION:${escapeText(description)}`]),
    "TRANSP:TRANSPARENT",
    "END:VEVENT",
  ];
}

/** In UTC (section 3.3.5, form 2). */
function dateTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

/** Section 3.3.11; other control characters are allowed nowhere. */
export function escapeText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll("\n", String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, "");
}

const LONGEST_LINE = 75;

/** Lines have at most 75 octets; what follows a line break and a blank goes on (section 3.1). */
export function foldLine(line: string): string {
  let folded = "";
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LONGEST_LINE) {
      folded += "\r\n ";
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}

import { offsetIn } from "../../domain/account/time-zone.ts";

const MINUTE_MS = 60_000;

/** Formats local time of the account: `2026-01-05 13:00:00 CET`. */
export function localText(at: number, timeZone: string): string {
  return `${dayText(at, timeZone)} ${clockText(at, timeZone)} ${zoneName(at, timeZone)}`;
}

/** The same with the name of the zone, where it has one: `2026-01-05 13:00:00 CET, Europe/Berlin`. */
export function instantText(at: number, timeZone: string): string {
  const local = localText(at, timeZone);
  return local + zoneOffsetText(at, timeZone);
}

/** Formats the time of day next to a full instant; with the date if that differs. */
export function besideText(at: number, beside: number, timeZone: string): string {
  const day = dayText(at, timeZone);
  const clock = clockText(at, timeZone);
  return day === dayText(beside, timeZone) ? clock : `${day} ${clock}`;
}

/** `2026-01-05, CET, Europe/Berlin`. */
export function zonedDayText(at: number, timeZone: string): string {
  return `${dayText(at, timeZone)}, ${zoneName(at, timeZone)}${zoneOffsetText(at, timeZone)}`;
}

/** The name of a zone where its abbreviation does not say it already. */
function zoneOffsetText(at: number, timeZone: string): string {
  return isOffset(timeZone) || zoneName(at, timeZone) === timeZone ? "" : `, ${timeZone}`;
}

function dayText(at: number, timeZone: string): string {
  return localIso(at, timeZone).slice(0, 10);
}

function clockText(at: number, timeZone: string): string {
  return localIso(at, timeZone).slice(11, 19);
}

function localIso(at: number, timeZone: string): string {
  return new Date(at + offsetIn(timeZone, at)).toISOString();
}

function isOffset(timeZone: string): boolean {
  return /^[+-]/.test(timeZone);
}

/** English speakers abbreviate zones where they live: CET is one in Great Britain, EST in the United States, IST in India. */
const places = ["US", "GB", "AU", "IN", "NZ", "ZA"];
const named = new Map<string, readonly Intl.DateTimeFormat[]>();

/** `CET`, `CEST`, or `GMT+5:45` where the zone has no such name. */
function zoneName(at: number, timeZone: string): string {
  if (isOffset(timeZone)) return offsetText(at, timeZone);
  const formats =
    named.get(timeZone) ??
    places.map(
      (place) => new Intl.DateTimeFormat(`en-${place}`, { timeZone, timeZoneName: "short" }),
    );
  named.set(timeZone, formats);
  const names = formats.flatMap((format) =>
    format.formatToParts(at).flatMap(({ type, value }) => (type === "timeZoneName" ? value : [])),
  );
  return names.find((name) => !/\d/.test(name)) ?? offsetText(at, timeZone);
}

function offsetText(at: number, timeZone: string): string {
  const offsetMinutes = Math.round(offsetIn(timeZone, at) / MINUTE_MS);
  if (offsetMinutes === 0) return "GMT";
  const size = Math.abs(offsetMinutes);
  const minutes = size % 60;
  const hours = `${offsetMinutes < 0 ? "-" : "+"}${Math.floor(size / 60)}`;
  return minutes === 0 ? `GMT${hours}` : `GMT${hours}:${String(minutes).padStart(2, "0")}`;
}

const units = [
  { name: "d", seconds: 86_400 },
  { name: "h", seconds: 3600 },
  { name: "min", seconds: 60 },
  { name: "s", seconds: 1 },
];

/** The two largest units that are not zero: `45 s`, `12 min`, `1 h 5 min`, `2 d 3 h`. Seconds are shown only below ten minutes. */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  let rest = seconds < 600 ? seconds : Math.round(seconds / 60) * 60;
  const parts: string[] = [];
  for (const unit of units) {
    const count = Math.floor(rest / unit.seconds);
    rest -= count * unit.seconds;
    if (count > 0) parts.push(`${count} ${unit.name}`);
  }
  return parts.slice(0, 2).join(" ") || "0 s";
}

import { namedTimeZone, offsetIn } from "../domain/account/time-zone.ts";

const WESTERNMOST = -12;
const EASTERNMOST = 14;
const MAX_LENGTH = 64;
const HOUR_MS = 3_600_000;

const offsetForm = /^ *(?:GMT|UTC)? *([+-]?\d{1,2}(?:\.\d+)?) *$/i;

/**
 * Parses an IANA name such as `Europe/Berlin`, ignoring case, or hours ahead of GMT in quarters, such as `-7`, `5.75`, or `GMT+5.5`. Undefined if it is
 * neither, or no place has that time.
 */
export function parseTimeZone(text: string): string | undefined {
  // guard: length of time zones
  if (text.length > MAX_LENGTH) return undefined;
  const [, hours] = offsetForm.exec(text) ?? [];
  return hours === undefined ? namedTimeZone(text.trim()) : offsetZone(Number(hours));
}

/** Hours ahead of GMT at that instant, with one decimal, or with two where it takes them. */
export function offsetText(timeZone: string, at: number): string {
  const hours = offsetIn(timeZone, at) / HOUR_MS;
  return Number.isInteger(hours) ? hours.toFixed(1) : String(hours);
}

/** Undefined of a zone that is an offset. */
export function nameOf(timeZone: string): string | undefined {
  return /^[+-]/.test(timeZone) ? undefined : timeZone;
}

function offsetZone(hours: number): string | undefined {
  if (hours < WESTERNMOST || hours > EASTERNMOST || !Number.isInteger(hours * 4)) return undefined;
  const minutes = Math.abs(hours * 60);
  const parts = [Math.floor(minutes / 60), minutes % 60];
  const text = parts.map((part) => String(part).padStart(2, "0")).join(":");
  return `${hours < 0 ? "-" : "+"}${text}`;
}

import { Temporal } from "temporal-polyfill";

/** An account's time zone is an IANA name such as `Europe/Berlin`, or an offset from GMT such as `+05:45`. */
export const gmt = "+00:00";

/** Returns the zone with that IANA name, ignoring case; undefined if there is none. */
export function namedTimeZone(name: string): string | undefined {
  if (/^[+-]/.test(name)) return undefined;
  try {
    // The constructor takes names only; the methods take whole dates with a zone too.
    return new Temporal.ZonedDateTime(0n, name).timeZoneId;
  } catch {
    // It throws for any other text.
    return undefined;
  }
}

/** Returns the local date and time in the zone at that instant (ms). */
export function wallTimeIn(timeZone: string, at: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
}

/** Returns the zone's offset from GMT at that instant, in ms. */
export function offsetIn(timeZone: string, at: number): number {
  return wallTimeIn(timeZone, at).offsetNanoseconds / 1_000_000;
}

/** Returns the next instant after `at` with a different offset; undefined if none is known. */
export function nextClockChange(timeZone: string, at: number): number | undefined {
  return wallTimeIn(timeZone, at).getTimeZoneTransition("next")?.epochMilliseconds;
}

/** Returns the instants at which clocks in the zone show that time: none if a clock change skips it, two if one repeats it. */
export function instantsAt(timeZone: string, wallTime: Temporal.PlainDateTime): readonly number[] {
  const both = (["earlier", "later"] as const)
    .map((disambiguation) => wallTime.toZonedDateTime(timeZone, { disambiguation }))
    .filter((time) => time.toPlainDateTime().equals(wallTime))
    .map(({ epochMilliseconds }) => epochMilliseconds);
  return [...new Set(both)];
}

/** The first instant at which clocks in the zone show that time, or the change of the clocks that skips it. */
export function firstInstantAt(timeZone: string, wallTime: Temporal.PlainDateTime): number {
  const before = wallTime.toZonedDateTime(timeZone, { disambiguation: "earlier" });
  if (before.toPlainDateTime().equals(wallTime)) return before.epochMilliseconds;
  const change = before.getTimeZoneTransition("next") ?? before;
  return change.epochMilliseconds;
}

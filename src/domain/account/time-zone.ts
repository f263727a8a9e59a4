import { Temporal } from "temporal-polyfill";

/** An account's time zone is an IANA name such as `Europe/Berlin`, or an offset from GMT such as `+05:45`. */
export const gmt = "+00:00";

/** The zone with that IANA name, in any case; undefined for none. */
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

/** What clocks in the zone show at that instant (ms). */
export function wallTimeIn(timeZone: string, at: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone);
}

/** By how many ms clocks in the zone are ahead of GMT at that instant. */
export function offsetIn(timeZone: string, at: number): number {
  return wallTimeIn(timeZone, at).offsetNanoseconds / 1_000_000;
}

/** The instant after `at` from which the zone has another offset; undefined where none is known. */
export function nextClockChange(timeZone: string, at: number): number | undefined {
  return wallTimeIn(timeZone, at).getTimeZoneTransition("next")?.epochMilliseconds;
}

/** The instants at which clocks in the zone show that time: none where a change of the clocks skips it, two where one repeats it. */
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

import * as fc from "fast-check";

const MINUTE_MS = 60_000;
const QUARTER_MS = 15 * MINUTE_MS;
const DAY_MS = 96 * QUARTER_MS;

export const testedZones = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "Africa/Casablanca",
  "Pacific/Apia",
  "America/Nuuk",
] as const;

/** Another way to find what clocks in a zone show: the ms since 1970 of a GMT clock that shows the same. */
export function shownTimeOf(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("en-u-hc-h23", {
    timeZone,
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  });
  const offsetAt = (at: number): number => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? NaN;
    const [year, month, day] = [part("year"), part("month"), part("day")];
    return Date.UTC(year, month - 1, day, part("hour"), part("minute"), part("second")) - at;
  };
  const offsets = new Map<number, number>();
  return (at) => {
    // Clocks are set at quarters of an hour.
    const quarter = Math.floor(at / QUARTER_MS) * QUARTER_MS;
    const offset = offsets.get(quarter) ?? offsetAt(quarter);
    offsets.set(quarter, offset);
    return at + offset;
  };
}

/** The minutes at which clocks in the zone were or will be set, of a few years. */
function clockChangesOf(timeZone: string): readonly number[] {
  const shown = shownTimeOf(timeZone);
  const offset = (at: number): number => shown(at) - at;
  return [Date.UTC(2011, 6), Date.UTC(2026, 0)].flatMap((start) =>
    Array.from({ length: 2 * 365 }, (_, day) => start + day * DAY_MS)
      .filter((at) => offset(at) !== offset(at + DAY_MS))
      .map((at) => {
        let [before, after] = [at, at + DAY_MS];
        while (after - before > MINUTE_MS) {
          const middle = Math.floor((before + after) / 2 / MINUTE_MS) * MINUTE_MS;
          if (offset(middle) === offset(before)) before = middle;
          else after = middle;
        }
        return after;
      }),
  );
}

/** Whole minutes of a zone, most of them within hours of a change of its clocks. */
export function minutesOf(timeZone: string): fc.Arbitrary<number> {
  const minutes = fc.integer({ min: -36 * 60, max: 12 * 60 });
  const any = fc
    .integer({ min: Date.UTC(2026, 0) / MINUTE_MS, max: Date.UTC(2027, 0) / MINUTE_MS })
    .map((count) => count * MINUTE_MS);
  const changes = clockChangesOf(timeZone);
  if (changes.length === 0) return any;
  const near = fc
    .tuple(fc.constantFrom(...changes), minutes)
    .map(([change, count]) => change + count * MINUTE_MS);
  return fc.oneof({ weight: 4, arbitrary: near }, { weight: 1, arbitrary: any });
}

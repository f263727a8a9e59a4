import { useMemo } from "react";

import { visibleText } from "../../parts/visible-text.ts";
import { useLocale } from "../../text.ts";

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
const PERCENT = 100;
const UNITS = [
  ["day", DAY_MS],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", SECOND_MS],
] as const;

export interface Formats {
  readonly time: (at: number) => string;
  /** With seconds. */
  readonly instant: (at: number) => string;
  readonly day: (at: number) => string;
  /** The time alone on the day of `now`, the date as well within 24 hours, and the day before that. */
  readonly since: (at: number, now: number) => string;
  readonly month: (at: number) => string;
  /** A run time. */
  readonly ms: (ms: number | null) => string;
  /** How long an outage took. */
  readonly duration: (ms: number) => string;
  readonly percent: (percent: number) => string;
  readonly count: (count: number) => string;
}

/** Times and numbers as the reader writes them, in the zone of the reader. */
export function useFormats(): Formats {
  const locale = useLocale();
  return useMemo(() => formatsFor(locale), [locale]);
}

export function formatsFor(locale: string): Formats {
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  const clock = new Intl.DateTimeFormat(locale, { timeStyle: "short" });
  const date = new Intl.DateTimeFormat(locale, { dateStyle: "medium" });
  const instant = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "medium" });
  // Days and months are those of GMT.
  const day = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeZone: "UTC" });
  const month = new Intl.DateTimeFormat(locale, {
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
  const unit = (name: string, digits = 0) =>
    new Intl.NumberFormat(locale, {
      style: "unit",
      unit: name,
      unitDisplay: "short",
      maximumFractionDigits: digits,
    });
  const [milliseconds, seconds] = [unit("millisecond"), unit("second", 1)];
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 3 });
  const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 3 });
  return {
    time: (at) => time.format(at),
    instant: (at) => instant.format(at),
    day: (at) => day.format(at),
    since: (at, now) => {
      if (now - at >= DAY_MS) return day.format(at);
      return date.format(at) === date.format(now) ? clock.format(at) : time.format(at);
    },
    month: (at) => month.format(at),
    ms: (ms) => {
      if (ms === null) return "–";
      return ms < SECOND_MS ? milliseconds.format(ms) : seconds.format(ms / SECOND_MS);
    },
    duration: (ms) => {
      // The largest unit that it has, and what is left in the next one.
      const largest = UNITS.findIndex(([, length]) => ms >= length);
      if (largest < 0) return unit("second").format(0);
      let rest = ms;
      const parts = UNITS.slice(largest, largest + 2).flatMap(([name, length]) => {
        const count = Math.floor(rest / length);
        rest -= count * length;
        return count === 0 ? [] : [unit(name).format(count)];
      });
      return parts.join(" ");
    },
    percent: (value) => percent.format(value / PERCENT),
    count: (count) => number.format(count),
  };
}

/** The result in short and in full, once where one says it all. */
export function outcomeText({ sc, m }: { readonly sc: string; readonly m: string }): string {
  if (sc === "" || m.startsWith(sc)) return m;
  return m === "" ? sc : `${sc}: ${m}`;
}

export function locationsText(locations: readonly { readonly location: string }[]): string {
  return locations.map(({ location }) => visibleText(location)).join(", ");
}

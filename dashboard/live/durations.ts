import { useMemo } from "react";

import { useLocale } from "../text.ts";

const units = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
] as const;

/** How long something takes or has lasted, as the reader writes it. */
export interface Durations {
  /** In the largest unit alone. */
  readonly short: (ms: number) => string;
  /** A run time. */
  readonly run: (ms: number) => string;
  /** An instant, with its day. */
  readonly time: (at: number) => string;
}

export function useDurations(): Durations {
  const locale = useLocale();
  return useMemo(() => durationsFor(locale), [locale]);
}

export function durationsFor(locale: string): Durations {
  // To make one takes longer than to draw a row.
  const formats = new Map(
    ["day", "hour", "minute", "second", "millisecond"].map((unit) => [
      unit,
      new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }),
    ]),
  );
  const format = (count: number, unit: string): string => formats.get(unit)?.format(count) ?? "";
  const time = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" });
  return {
    short(ms) {
      const [unit, length] = units.find((each) => ms >= each[1]) ?? ["second", 1000];
      return format(Math.max(0, Math.floor(ms / length)), unit);
    },
    run: (ms) => format(Math.round(ms), "millisecond"),
    time: (at) => time.format(at),
  };
}

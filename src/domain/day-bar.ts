import type { DayState } from "./availability.ts";

/** The parts of a bar differ by tone; a day with partial downtime is graded by how long that was. */
export const barTones = [
  "up",
  "minor",
  "moderate",
  "major",
  "down",
  "maintenance",
  "none",
] as const;
export type BarTone = (typeof barTones)[number];

export interface BarDay {
  readonly state: DayState;
  readonly downMs: number;
  readonly enabledMs: number;
}

/** A part of a bar between two fractions of its height, counted from the top. */
export interface BarPart {
  readonly tone: BarTone;
  readonly top: number;
  readonly bottom: number;
}

const MINUTE_MS = 60_000;

/** The mildest first. `share` is the part of the height that downtime fills, so that the grade does not depend on color alone. */
const grades = [
  { tone: "minor", belowMs: 10 * MINUTE_MS, share: 0.3 },
  { tone: "moderate", belowMs: 60 * MINUTE_MS, share: 0.55 },
  { tone: "major", belowMs: Infinity, share: 0.8 },
] as const;

const MOSTLY = 0.9;

/** Returns the segments of a day's bar, from top to bottom. A check that ran for part of the day and was down for nearly all of that gets the lowest grade. */
export function barParts({ state, downMs, enabledMs }: BarDay): readonly BarPart[] {
  if (state !== "partly") return [{ tone: state, top: 0, bottom: 1 }];
  const isMostlyDown = downMs >= MOSTLY * enabledMs;
  const graded = grades.find(({ belowMs }) => downMs < belowMs && !isMostlyDown);
  const { tone, share } = graded ?? grades[2];
  return [
    { tone: "up", top: 0, bottom: 1 - share },
    { tone, top: 1 - share, bottom: 1 },
  ];
}

export interface BarSize {
  /** Distance between the left edges of bars. */
  readonly step: number;
  readonly width: number;
  readonly height: number;
}

/** The bars of days in order as one SVG path for each tone, because an element for each day would be thousands in a list. */
export function barPaths(
  days: readonly BarDay[],
  { step, width, height }: BarSize,
): ReadonlyMap<BarTone, string> {
  const parts = days.flatMap((day, index) =>
    barParts(day).map(({ tone, top, bottom }) => {
      const [from, to] = [Math.round(top * height), Math.round(bottom * height)];
      return { tone, path: `M${index * step} ${from}h${width}v${to - from}h-${width}z` };
    }),
  );
  return new Map(
    [...Map.groupBy(parts, ({ tone }) => tone)].map(([tone, ofTone]) => [
      tone,
      ofTone.map(({ path }) => path).join(""),
    ]),
  );
}

import type { components } from "../../api/schema.ts";

type Series = components["schemas"]["ResultSeries"];

export const phaseNames = ["dns", "connect", "tls", "firstbyte", "rest"] as const;

/** How the times of a check are divided in its chart. */
export type Division = "percentiles" | "phases" | "locations";

export interface ChartLine {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/** Chart data: lines over a common list of instants, in ms. */
export interface ChartData {
  readonly t: readonly number[];
  readonly lines: readonly ChartLine[];
}

/** For how many intervals of the check nothing may come before that is a gap. */
const GAP_INTERVALS = 1.5;

interface Spacing {
  /** Interval of the steps and of the check's runs. */
  readonly stepMs: number;
  readonly intervalMs: number;
}

export function percentileLines(
  { t, median, p95 }: Pick<Series, "t" | "median" | "p95">,
  spacing: Spacing,
): ChartData {
  return withGaps(
    {
      t,
      lines: [
        { name: "median", values: median },
        { name: "p95", values: p95 },
      ],
    },
    spacing,
  );
}

/** Each phase on top of those before it, so that the last line is the whole time. */
export function phaseLines(
  { t, phases }: Pick<Series, "t" | "phases">,
  spacing: Spacing,
): ChartData {
  let below: readonly (number | null)[] = t.map(() => 0);
  const lines = phaseNames.map((name) => {
    const values = phases[name].map((ms, index) => added(below[index] ?? null, ms));
    below = values;
    return { name, values };
  });
  return withGaps({ t, lines }, spacing);
}

/** The median of each location. */
export function locationLines(series: readonly Series[], spacing: Spacing): ChartData {
  const t = [...new Set(series.flatMap((each) => each.t))].toSorted((one, other) => one - other);
  const lines = series.map(({ location = "", t: own, median }) => {
    const byTime = new Map(own.map((at, index) => [at, median[index] ?? null]));
    return { name: location, values: t.map((at) => byTime.get(at) ?? null) };
  });
  return withGaps({ t, lines }, spacing);
}

function added(one: number | null, other: number | null): number | null {
  return one === null || other === null ? null : one + other;
}

/** With an instant without values wherever nothing came for too long, at which a line ends. */
function withGaps({ t, lines }: ChartData, { stepMs, intervalMs }: Spacing): ChartData {
  const longest = GAP_INTERVALS * Math.max(stepMs, intervalMs);
  const gapsAfter = t.map((at, index) => (t[index + 1] ?? at) - at > longest);
  return {
    t: t.flatMap((at, index) => (gapsAfter[index] === true ? [at, at + stepMs] : [at])),
    lines: lines.map(({ name, values }) => ({
      name,
      values: values.flatMap((value, index) =>
        gapsAfter[index] === true ? [value, null] : [value],
      ),
    })),
  };
}

import type { ChartData, Division } from "./chart-data.ts";
import type { ChartLook } from "./response-chart.tsx";

/** Each has a contrast of at least 3 on white and on the dark ground (WCAG 2.2, 1.4.11), and differs from its neighbours to those who see few colors. */
const palette = [
  "#8a6fd1",
  "#2f7fd1",
  "#c77700",
  "#2f9e5b",
  "#7a8794",
  "#c2498f",
  "#0f8f9e",
] as const;

const percentileLooks: readonly ChartLook[] = [
  { color: "#2f9e5b", isFilled: true },
  { color: "#c77700", isFilled: false },
];

export function looksOf({ lines }: ChartData, division: Division): readonly ChartLook[] {
  if (division === "percentiles") return percentileLooks;
  return lines.map((_, index) => ({
    color: palette[index % palette.length] ?? palette[0],
    isFilled: division === "phases",
  }));
}

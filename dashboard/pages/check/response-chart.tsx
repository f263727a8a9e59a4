import "uplot/dist/uPlot.min.css";

import { useComputedColorScheme } from "@mantine/core";
import { useEffect, useRef, type ReactElement } from "react";
import uPlot from "uplot";

import { useLocale } from "../../text.ts";
import type { ChartData } from "./chart-data.ts";

export interface ChartLook {
  readonly color: string;
  /** Whether the area below is filled. */
  readonly isFilled: boolean;
}

/** A stretch in which the check was down, or off. */
export interface ShadedSpan {
  readonly from: number;
  readonly to: number;
  readonly kind: "down" | "disabled";
}

interface Props {
  readonly data: ChartData;
  readonly looks: readonly ChartLook[];
  readonly spans: readonly ShadedSpan[];
  readonly range: { readonly from: number; readonly to: number };
  /** Description for screen readers. */
  readonly summary: string;
  /** Called with the stretch that was marked. */
  readonly zoom: (from: number, to: number) => void;
  /** Called with the index of the instant under the pointer; undefined if there is none. */
  readonly point: (index: number | undefined) => void;
}

const HEIGHT = 260;
const SECOND_MS = 1000;
/** Minimum width of a deliberate selection, in pixels. */
const MIN_SELECTION_PX = 8;

/** Chart of response times. The table next to it has the same content for screen readers. */
export function ResponseChart(props: Props): ReactElement {
  const frame = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  const scheme = useComputedColorScheme();
  const locale = useLocale();
  const { data, looks, spans, range, summary } = props;
  useEffect(() => {
    latest.current = props;
  });
  useEffect(() => {
    const element = frame.current;
    if (element === null) return undefined;
    const chart = new uPlot(
      optionsOf(latest, { width: element.clientWidth, locale }),
      valuesOf(data),
      element,
    );
    const observer = new ResizeObserver(() => {
      chart.setSize({ width: element.clientWidth, height: HEIGHT });
    });
    observer.observe(element);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
    // Lines, spans, and colors are part of the chart, so it is recreated when they change.
  }, [data, looks, spans, range, scheme, locale]);
  return <div ref={frame} role="img" aria-label={summary} />;
}

function valuesOf({ t, lines }: ChartData): uPlot.AlignedData {
  return [t.map((at) => at / SECOND_MS), ...lines.map(({ values }) => [...values])];
}

interface Drawn {
  readonly width: number;
  readonly locale: string;
}

function optionsOf(latest: { readonly current: Props }, { width, locale }: Drawn): uPlot.Options {
  const { looks, range } = latest.current;
  const text = colorOf("--mantine-color-dimmed");
  const grid = { stroke: colorOf("--mantine-color-default-border"), width: 1 };
  const axis = { stroke: text, grid, ticks: grid, font: "12px system-ui, sans-serif" };
  const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
  const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" });
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { drag: { x: true, y: false, setScale: false }, y: false },
    scales: {
      x: { range: () => [range.from / SECOND_MS, range.to / SECOND_MS] },
      y: { range: (_chart, _least, most) => [0, Math.max(1, most * 1.1)] },
    },
    axes: [
      {
        ...axis,
        values: (_chart, splits) =>
          splits.map((at) => {
            const date = new Date(at * SECOND_MS);
            const isMidnight = date.getHours() === 0 && date.getMinutes() === 0;
            return (isMidnight ? day : time).format(date);
          }),
      },
      { ...axis, size: 64, values: (_chart, splits) => splits.map((ms) => timeText(ms, locale)) },
    ],
    series: [
      {},
      ...looks.map(({ color, isFilled }) => ({
        stroke: color,
        width: 2,
        // Two digits of transparency.
        ...(isFilled && { fill: `${color}40` }),
        points: { size: 4 },
      })),
    ],
    hooks: {
      drawClear: [(chart) => shade(chart, latest.current.spans)],
      setSelect: [
        (chart) => {
          const { left, width: marked } = chart.select;
          if (marked < MIN_SELECTION_PX) return;
          const instants = [left, left + marked].map((x) => chart.posToVal(x, "x") * SECOND_MS);
          latest.current.zoom(Math.round(instants[0] ?? 0), Math.round(instants[1] ?? 0));
        },
      ],
      setCursor: [(chart) => latest.current.point(chart.cursor.idx ?? undefined)],
    },
  };
}

function timeText(ms: number, locale: string): string {
  const isShort = ms < SECOND_MS;
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: isShort ? "millisecond" : "second",
    maximumFractionDigits: isShort ? 0 : 1,
  }).format(isShort ? ms : ms / SECOND_MS);
}

function shade(chart: uPlot, spans: readonly ShadedSpan[]): void {
  const { ctx, bbox } = chart;
  for (const { from, to, kind } of spans) {
    const [start, end] = [from, to].map((at) => {
      const x = chart.valToPos(at / SECOND_MS, "x", true);
      return Math.min(Math.max(x, bbox.left), bbox.left + bbox.width);
    });
    if (start === undefined || end === undefined || to <= from) continue;
    ctx.save();
    ctx.globalAlpha = kind === "down" ? 0.25 : 0.12;
    ctx.fillStyle = colorOf(kind === "down" ? "--wp-bar-down" : "--wp-unknown");
    // A short outage is seen as well.
    ctx.fillRect(start, bbox.top, Math.max(end - start, 2), bbox.height);
    ctx.restore();
  }
}

function colorOf(variable: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
}

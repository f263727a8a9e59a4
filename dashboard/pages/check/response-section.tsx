import { Button, Group, SegmentedControl, Stack, Table, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useCallback, useMemo, useState, type ReactElement } from "react";

import type { components } from "../../api/schema.ts";
import { Loaded } from "../../parts/loaded.tsx";
import { loadedLater } from "../../parts/loaded-later.tsx";
import { PageBoundary } from "../../parts/page-boundary.tsx";
import { useText, type Text as Translate } from "../../text.ts";
import {
  locationLines,
  percentileLines,
  phaseLines,
  type ChartData,
  type Division,
} from "./chart-data.ts";
import { historyQuery, type Check, type PastEvent } from "./check-queries.ts";
import { useFormats } from "./formats.ts";
import { ResponseLegend } from "./response-legend.tsx";
import { ResponseTable } from "./response-table.tsx";
import type { ChartLook, ShadedSpan } from "./response-chart.tsx";
import { WideTable } from "./wide-table.tsx";

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

type History = components["schemas"]["ResultHistory"];

const ResponseChart = loadedLater(async () => (await import("./response-chart.tsx")).ResponseChart);

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MINUTE_MS = 60_000;
/** Selectable ranges, in days. */
const ranges = ["1", "7", "30", "90", "365"] as const;
const divisions = ["percentiles", "phases", "locations"] as const;
const STEP_MS = { "10min": 600_000, hour: HOUR_MS, day: DAY_MS } as const;
/** Nothing shorter is marked on purpose. */
const MIN_ZOOM_MS = 30 * MINUTE_MS;

interface Zoom {
  readonly from: number;
  readonly to: number;
}

interface Props {
  readonly check: Check;
  readonly events: readonly PastEvent[];
}

/** How long the runs of a check took. */
export function ResponseSection({ check, events }: Props): ReactElement {
  const text = useText();
  const [days, setDays] = useState<string>("1");
  const [division, setDivision] = useState<Division>("percentiles");
  const [zoom, setZoom] = useState<Zoom>();
  const wish = useMemo(() => {
    const isByLocation = division === "locations";
    const step = stepFor(zoom ?? { from: 0, to: Number(days) * DAY_MS }, check.interval);
    if (zoom !== undefined) return { ...zoom, step, isByLocation };
    // To whole minutes, so that what is drawn again is found in the cache.
    const now = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS;
    return { from: now - Number(days) * DAY_MS, to: "now" as const, step, isByLocation };
  }, [days, division, zoom, check.interval]);
  const history = useQuery(historyQuery(check._id, wish));
  const zoomTo = useCallback((from: number, to: number) => {
    if (to - from >= MIN_ZOOM_MS) setZoom({ from, to });
  }, []);
  return (
    <section aria-labelledby="response-title">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h3" id="response-title">
          {text("check.response")}
        </Title>
        <Group gap="sm">
          {zoom !== undefined && (
            <Button variant="default" size="xs" onClick={() => setZoom(undefined)}>
              {text("check.wholeRange")}
            </Button>
          )}
          <SegmentedControl
            aria-label={text("check.division")}
            size="xs"
            value={division}
            onChange={(value) => setDivision(divisions.find((each) => each === value) ?? division)}
            data={divisions.map((value) => ({ value, label: text(`check.${value}`) }))}
          />
          <SegmentedControl
            aria-label={text("check.range")}
            size="xs"
            value={zoom === undefined ? days : ""}
            onChange={(value) => {
              setZoom(undefined);
              setDays(value);
            }}
            data={ranges.map((value) => ({ value, label: rangeLabel(text, value) }))}
          />
        </Group>
      </Group>
      <Loaded query={history}>
        {(loaded) => (
          <HistoryFigure history={loaded} shown={{ check, events, division }} zoom={zoomTo} />
        )}
      </Loaded>
    </section>
  );
}

/** The shortest stretches that make a chart with some points, and have some runs each. */
function stepFor({ from, to }: Zoom, intervalMinutes: number): keyof typeof STEP_MS {
  const rangeDays = (to - from) / DAY_MS;
  const step = rangeDays <= 2 ? "10min" : rangeDays <= 31 ? "hour" : "day";
  return step === "10min" && intervalMinutes * MINUTE_MS > STEP_MS[step] ? "hour" : step;
}

function rangeLabel(text: Translate, days: string): string {
  if (days === "1") return text("check.range24h");
  return days === "365" ? text("check.rangeYear") : text("check.rangeDays", { days: Number(days) });
}

interface FigureProps {
  readonly history: History;
  readonly shown: Props & { readonly division: Division };
  readonly zoom: (from: number, to: number) => void;
}

function HistoryFigure({ history, shown, zoom }: FigureProps): ReactElement {
  const text = useText();
  const formats = useFormats();
  const [index, setIndex] = useState<number>();
  const { check, events, division } = shown;
  const { start, end, series } = history;
  const data = useMemo(() => chartDataOf(history, check, division), [history, check, division]);
  const spans = useMemo(() => shadedSpans(events, { start, end }), [events, start, end]);
  const looks = useMemo(() => looksOf(data, division), [data, division]);
  const range = useMemo(() => ({ from: start, to: end }), [start, end]);
  const totals = series.map(({ total }) => total);
  const runs = totals.reduce((sum, total) => sum + total.runs, 0);
  const failures = totals.reduce((sum, total) => sum + total.failures, 0);
  if (runs === 0) return <Text c="dimmed">{text("check.noRuns")}</Text>;
  const [total] = totals;
  const isTimed = totals.some(({ median }) => median !== null);
  const summary = text(
    totals.length === 1 && isTimed ? "check.responseSummary" : "check.runsSummary",
    {
      runs,
      failures,
      median: formats.ms(total?.median ?? null),
      p95: formats.ms(total?.p95 ?? null),
      max: formats.ms(total?.max ?? null),
    },
  );
  return (
    <Stack gap="xs">
      <Text size="sm">{summary}</Text>
      {isTimed && (
        <PageBoundary>
          {" "}
          <Suspense fallback={<div style={{ height: 260 }} />}>
            <ResponseChart
              data={data}
              looks={looks}
              spans={spans}
              range={range}
              summary={summary}
              zoom={zoom}
              point={setIndex}
            />
          </Suspense>
        </PageBoundary>
      )}
      {isTimed && <ResponseLegend data={data} looks={looks} division={division} index={index} />}
      {totals.length > 1 && <LocationTable series={series} />}
      <ResponseTable id={check._id} range={range} />
    </Stack>
  );
}

function chartDataOf(history: History, check: Check, division: Division): ChartData {
  const spacing = { stepMs: STEP_MS[history.step], intervalMs: check.interval * MINUTE_MS };
  const [all] = history.series;
  if (division === "locations") return locationLines(history.series, spacing);
  if (all === undefined) return { t: [], lines: [] };
  return division === "phases" ? phaseLines(all, spacing) : percentileLines(all, spacing);
}

function shadedSpans(
  events: readonly PastEvent[],
  { start, end }: { readonly start: number; readonly end: number },
): readonly ShadedSpan[] {
  return events
    .map((event) => ({ from: event.start, to: event.end ?? end, kind: event.type }))
    .filter(({ from, to }) => from < end && to > start);
}

function LocationTable({ series }: { readonly series: History["series"] }): ReactElement {
  const text = useText();
  const { ms, count } = useFormats();
  return (
    <WideTable label={text("check.byLocation")}>
      <Table.Thead>
        <Table.Tr>
          {(["location", "runs", "failures", "median", "p95", "max"] as const).map((name) => (
            <Table.Th key={name} scope="col">
              {text(`check.${name}`)}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {series.map(({ location, total }) => (
          <Table.Tr key={location}>
            <Table.Th scope="row">{location}</Table.Th>
            <Table.Td>{count(total.runs)}</Table.Td>
            <Table.Td>{count(total.failures)}</Table.Td>
            <Table.Td>{ms(total.median)}</Table.Td>
            <Table.Td>{ms(total.p95)}</Table.Td>
            <Table.Td>{ms(total.max)}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </WideTable>
  );
}

function looksOf({ lines }: ChartData, division: Division): readonly ChartLook[] {
  if (division === "percentiles") return percentileLooks;
  return lines.map((_, index) => ({
    color: palette[index % palette.length] ?? palette[0],
    isFilled: division === "phases",
  }));
}

import { html, type Safe } from "../kit/html.ts";
import type { createDates, PageWords } from "./words.ts";
import { scales, type ResponseTimes, type TimePoint } from "./response-times.ts";

interface Shown {
  readonly words: PageWords;
  readonly dates: ReturnType<typeof createDates>;
}

/** As wide as the bars of days above it. */
const WIDTH = 359;
const HEIGHT = 40;

/** Rules of pages that have charts. */
export const chartRules =
  "svg.times{height:2.5rem}.times path{fill:none;stroke:var(--maintenance);stroke-width:1.5;vector-effect:non-scaling-stroke}.times .band{fill:var(--maintenance);fill-opacity:.2;stroke:none}th{overflow-wrap:normal}";

/** The median of each hour or day as a line, up to the time that 95 % did not exceed as an area, and figures as text. */
export function responseChart(times: ResponseTimes, { words, dates }: Shown): Safe {
  const { period, total, points, rows } = times;
  const title = words.responseTimes[period];
  const figures = words.timesOf(msText(total.medianMs), msText(total.p95Ms));
  const most = Math.max(1, ...points.map(({ p95Ms }) => p95Ms));
  const lines = unbroken(points, scales[period].stepMs).map((line) =>
    line.map(placeIn(times, most)),
  );
  const startOf = (at: number): string => (period === "90d" ? dates.day(at) : dates.instant(at));
  return html`<svg
      class="times"
      role="img"
      aria-label="${title}: ${figures}"
      viewBox="0 0 ${WIDTH} ${HEIGHT}"
      preserveAspectRatio="none"
    >
      <path class="band" d="${lines.map(bandOf).join("")}" />
      <path d="${lines.map(lineOf).join("")}" />
    </svg>
    <details>
      <summary>${title}: ${figures}</summary>
      <table class="small">
        <thead>
          <tr>
            <th scope="col">${words.from}</th>
            <th scope="col">${words.median}</th>
            <th scope="col">${words.most}</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ at, medianMs, p95Ms }) =>
              html`<tr>
                <td>${startOf(at)}</td>
                <td>${msText(medianMs)}</td>
                <td>${msText(p95Ms)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </details>`;
}

interface Place {
  readonly x: number;
  readonly median: number;
  readonly p95: number;
}

function placeIn({ period, from }: ResponseTimes, most: number): (point: TimePoint) => Place {
  const { stepMs, steps } = scales[period];
  const yOf = (ms: number): number => HEIGHT - Math.round((ms / most) * (HEIGHT - 1));
  return ({ at, medianMs, p95Ms }) => ({
    x: Math.round(((at - from) / stepMs) * (WIDTH / steps)),
    median: yOf(medianMs),
    p95: yOf(p95Ms),
  });
}

/** Stretches without times interrupt a line. */
function unbroken(points: readonly TimePoint[], stepMs: number): readonly (readonly TimePoint[])[] {
  const lines: TimePoint[][] = [];
  for (const point of points) {
    const line = lines.at(-1);
    if (line !== undefined && point.at - (line.at(-1)?.at ?? 0) === stepMs) line.push(point);
    else lines.push([point]);
  }
  return lines;
}

/** Uses relative steps instead of coordinates, because most are equal and compress to half the size. */
function lineOf(line: readonly Place[]): string {
  return pathOf(line.map(({ x, median }) => ({ x, y: median })));
}

function bandOf(line: readonly Place[]): string {
  const upper = line.map(({ x, p95 }) => ({ x, y: p95 }));
  const lower = line.toReversed().map(({ x, median }) => ({ x, y: median }));
  return `${pathOf([...upper, ...lower])}z`;
}

function pathOf(points: readonly { readonly x: number; readonly y: number }[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return "";
  let before = first;
  const steps = rest.map((point) => {
    const [x, y] = [point.x - before.x, point.y - before.y];
    before = point;
    return `${x}${y < 0 ? "" : " "}${y}`;
  });
  return `M${first.x} ${first.y}l${steps.length === 0 ? "1 0" : steps.join(" ")}`;
}

function msText(ms: number): string {
  return `${Math.round(ms)} ms`;
}

/** A period of time; `end` is undefined while it lasts. */
export interface Span {
  readonly start: number;
  readonly end: number | undefined;
}

export interface DownSpan extends Span {
  readonly text: string;
  readonly message: string;
}

export interface MeasuredTimes {
  readonly enabledMs: number;
  /** The part of the enabled time in which the state was known. */
  readonly measuredMs: number;
  readonly downMs: number;
}

export interface Uptime extends Omit<MeasuredTimes, "measuredMs"> {
  /** Percentage of the enabled time, to three decimals; undefined if nothing was measured. */
  readonly percent: number | undefined;
}

export interface UptimeQuery {
  readonly enabled: readonly Span[];
  /** The part of the enabled time in which the state was known. */
  readonly measured: readonly Span[];
  readonly down: readonly Span[];
  readonly from: number;
  /** Excluded. */
  readonly to: number;
  readonly period: "days" | "months";
}

/** Uptime by GMT day or month over enabled time only, in order, with the total of all rows last under `total`. */
export function uptime({ from, to, period, ...spans }: UptimeQuery): ReadonlyMap<string, Uptime> {
  const rows = new Map<string, Uptime>();
  const all: MeasuredTimes[] = [];
  for (let start = from; start < to;) {
    const next = Math.min(nextPeriod(start, period), to);
    const times = measure({ ...spans, from: start, to: next });
    all.push(times);
    rows.set(new Date(start).toISOString().slice(0, period === "days" ? 10 : 7), rate(times));
    start = next;
  }
  rows.set("total", rate(sumOf(all)));
  return rows;
}

export function sumOf(times: readonly MeasuredTimes[]): MeasuredTimes {
  const sum = (name: keyof MeasuredTimes): number =>
    times.reduce((total, { [name]: ms }) => total + ms, 0);
  return { enabledMs: sum("enabledMs"), measuredMs: sum("measuredMs"), downMs: sum("downMs") };
}

/**
 * Returns the percentage of the enabled time that was not down, to three decimals: 100 only without down time, unless rounded. Undefined if nothing was
 * measured.
 */
export function percentUp(
  { enabledMs, measuredMs, downMs }: MeasuredTimes,
  whole = Math.floor,
): number | undefined {
  return measuredMs === 0 ? undefined : whole(((enabledMs - downMs) / enabledMs) * 100_000) / 1000;
}

/** The spans from `from` on between those that are given in order. */
export function complement(spans: readonly Span[], from: number): readonly Span[] {
  const gaps: Span[] = [];
  let free: number | undefined = from;
  for (const { start, end } of spans) {
    if (free !== undefined && start > free) gaps.push({ start: free, end: start });
    free = end;
  }
  if (free !== undefined) gaps.push({ start: free, end: undefined });
  return gaps;
}

/** Returns whether the span has any part in [from, to). */
export function overlaps({ start, end }: Span, [from, to]: readonly [number, number]): boolean {
  return start < to && (end === undefined || end > from);
}

function measure({
  enabled,
  measured,
  down,
  from,
  to,
}: Omit<UptimeQuery, "period">): MeasuredTimes {
  let enabledMs = 0;
  let downMs = 0;
  for (const span of enabled) {
    const start = Math.max(span.start, from);
    const end = Math.min(span.end ?? to, to);
    if (end <= start) continue;
    enabledMs += end - start;
    downMs += overlap(down, start, end);
  }
  return { enabledMs, measuredMs: overlap(measured, from, to), downMs };
}

function overlap(spans: readonly Span[], from: number, to: number): number {
  const sum = spans.reduce(
    (ms, span) => ms + Math.max(0, Math.min(span.end ?? to, to) - Math.max(span.start, from)),
    0,
  );
  // Two that a clock recorded before and after it was set may share time.
  return Math.min(sum, to - from);
}

function rate(times: MeasuredTimes): Uptime {
  const { enabledMs, downMs } = times;
  return { enabledMs, downMs, percent: percentUp(times, Math.round) };
}

function nextPeriod(at: number, period: "days" | "months"): number {
  const date = new Date(at);
  return period === "days"
    ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

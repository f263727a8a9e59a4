/** A period of time; `end` is undefined while it lasts. */
export interface Span {
  readonly start: number;
  readonly end: number | undefined;
}

export interface DownSpan extends Span {
  readonly text: string;
  readonly message: string;
}

export interface Uptime {
  readonly enabledMs: number;
  readonly downMs: number;
  /** Percent of the enabled time, to three decimals. */
  readonly percent: number;
}

export interface UptimeQuery {
  readonly enabled: readonly Span[];
  readonly down: readonly Span[];
  readonly from: number;
  /** Excluded. */
  readonly to: number;
  readonly period: "days" | "months";
}

/** Uptime by GMT day or month over enabled time only, in order, with the total of all rows last under `total`. */
export function uptime({
  enabled,
  down,
  from,
  to,
  period,
}: UptimeQuery): ReadonlyMap<string, Uptime> {
  const rows = new Map<string, Uptime>();
  let enabledMs = 0;
  let downMs = 0;
  for (let start = from; start < to;) {
    const next = Math.min(nextPeriod(start, period), to);
    const row = measure({ enabled, down, from: start, to: next });
    rows.set(new Date(start).toISOString().slice(0, period === "days" ? 10 : 7), row);
    enabledMs += row.enabledMs;
    downMs += row.downMs;
    start = next;
  }
  rows.set("total", rate(enabledMs, downMs));
  return rows;
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

/** Whether the span has any part in [from, to). */
export function overlaps({ start, end }: Span, [from, to]: readonly [number, number]): boolean {
  return start < to && (end === undefined || end > from);
}

function measure({ enabled, down, from, to }: Omit<UptimeQuery, "period">): Uptime {
  let enabledMs = 0;
  let downMs = 0;
  for (const span of enabled) {
    const start = Math.max(span.start, from);
    const end = Math.min(span.end ?? to, to);
    if (end <= start) continue;
    enabledMs += end - start;
    downMs += overlap(down, start, end);
  }
  return rate(enabledMs, downMs);
}

function overlap(spans: readonly Span[], from: number, to: number): number {
  const sum = spans.reduce(
    (ms, span) => ms + Math.max(0, Math.min(span.end ?? to, to) - Math.max(span.start, from)),
    0,
  );
  // Two that a clock recorded before and after it was set may share time.
  return Math.min(sum, to - from);
}

function rate(enabledMs: number, downMs: number): Uptime {
  const percent =
    enabledMs === 0 ? 100 : Math.round(((enabledMs - downMs) / enabledMs) * 100_000) / 1000;
  return { enabledMs, downMs, percent };
}

function nextPeriod(at: number, period: "days" | "months"): number {
  const date = new Date(at);
  return period === "days"
    ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)
    : Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1);
}

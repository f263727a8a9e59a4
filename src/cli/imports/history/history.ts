import { rangeOf, knownUptime } from "../../../domain/imported-history.ts";

interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

interface Outage extends TimeSpan {
  readonly message: string;
}

/** When a check was up and down in another system, each list in order; what is in none is unknown. */
export interface History {
  /** Description of its source, such as `8,123 heartbeats`. */
  readonly source: string;
  readonly known: readonly TimeSpan[];
  /** Within what is known. */
  readonly outages: readonly Outage[];
  /** Outside of what is known. */
  readonly maintenance: readonly TimeSpan[];
  /** Uptime that the other system reports by month of GMT, in order; undefined if it shows none. */
  readonly theirs?: readonly {
    readonly month: string;
    readonly up: number;
    readonly down: number;
  }[];
}

/** Period with a known state, in ms since 1970. */
export interface Piece extends TimeSpan {
  readonly state: "up" | "down" | "maintenance";
  readonly message?: string;
}

const DAY_MS = 86_400_000;
const MAX_DAYS = 3650;
/** Maximum spans that an installation stores for a check. */
const MAX_SPANS = 20_000;
const MAX_MESSAGE_LENGTH = 300;

/** Puts together pieces in the order of their starts; of two that share time the former has it. */
export function historyOf(source: string, pieces: Iterable<Piece>): History {
  const known: TimeSpan[] = [];
  const outages: Outage[] = [];
  const maintenance: TimeSpan[] = [];
  let last = 0;
  for (const { state, message = "", ...sent } of pieces) {
    const start = Math.round(Math.max(sent.start, last));
    const end = Math.round(sent.end);
    if (!(end > start)) continue;
    last = end;
    append(state === "maintenance" ? maintenance : known, { start, end });
    if (state === "down")
      append(outages, { start, end, message: message.slice(0, MAX_MESSAGE_LENGTH).toWellFormed() });
  }
  return { source, known, outages, maintenance };
}

/** One that begins where the last ends continues that. */
function append<Kept extends TimeSpan>(spans: Kept[], span: Kept): void {
  const last = spans.at(-1);
  if (last?.end === span.start) spans[spans.length - 1] = { ...last, end: span.end };
  else spans.push(span);
}

/** Returns the newest part that an installation accepts; undefined if there is none. */
export function boundedHistory(history: History, now: number): History | undefined {
  const newest = [...history.known, ...history.outages, ...history.maintenance]
    .map(({ start }) => start)
    .toSorted((one, other) => other - one);
  const from = Math.max(now - (MAX_DAYS - 1) * DAY_MS, newest[MAX_SPANS - 1] ?? 0);
  const after = <Kept extends TimeSpan>(spans: readonly Kept[]): readonly Kept[] =>
    spans
      .filter(({ end }) => end > from)
      .map((span) => ({ ...span, start: Math.max(span.start, from) }));
  const bounded: History = {
    ...history,
    known: after(history.known),
    outages: after(history.outages),
    maintenance: after(history.maintenance),
  };
  return bounded.known.length === 0 ? undefined : bounded;
}

/** In a sentence, for people. */
export function describeHistory(history: History): string {
  const { start, end, outages, uptime, theirs, unknownMs } = historyFigures(history);
  const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
  const unknown = unknownMs === 0 ? "" : `, ${(unknownMs / DAY_MS).toFixed(1)} days unknown`;
  const count = `${outages} ${outages === 1 ? "outage" : "outages"}`;
  return `${history.source}, ${day(start)} to ${day(end)}: ${count}, uptime ${percent(uptime)}${comparison(uptime, theirs)}${unknown}`;
}

/** Returns the uptime of each month next to the other system's, one line each. */
export function describeMonths(history: History): readonly string[] {
  return historyFigures(history).months.map(
    ({ month, uptime, theirs }) =>
      `${month}: uptime ${percent(uptime)}${comparison(uptime, theirs)}`,
  );
}

function percent(value: number | undefined): string {
  return value === undefined ? "unknown" : `${value.toFixed(3)}%`;
}

function comparison(uptime: number | undefined, theirs: number | undefined): string {
  if (theirs === undefined) return "";
  const difference = uptime === undefined ? "" : `, difference ${(uptime - theirs).toFixed(3)}`;
  return ` (${percent(theirs)} there${difference})`;
}

/** Returns the history in numbers. */
export function historyFigures({ known, outages, maintenance, theirs = [] }: History) {
  const { start, end } = rangeOf(known) ?? { start: 0, end: 0 };
  const lengthOf = (spans: readonly TimeSpan[]): number =>
    spans.reduce(
      (sum, span) => sum + Math.max(0, Math.min(span.end, end) - Math.max(span.start, start)),
      0,
    );
  return {
    start,
    end,
    outages: outages.length,
    uptime: knownUptime(known, outages),
    theirs: countedUptime(theirs),
    unknownMs: end - start - lengthOf(known) - lengthOf(maintenance),
    months: theirs.map((counted) => {
      const at = Date.parse(`${counted.month}-01T00:00:00Z`);
      const next = new Date(at).setUTCMonth(new Date(at).getUTCMonth() + 1);
      const within = (spans: readonly TimeSpan[]): readonly TimeSpan[] =>
        spans
          .filter((span) => span.start < next && span.end > at)
          .map((span) => ({ start: Math.max(span.start, at), end: Math.min(span.end, next) }));
      return {
        month: counted.month,
        uptime: knownUptime(within(known), within(outages)),
        theirs: countedUptime([counted]),
      };
    }),
  };
}

function countedUptime(counted: NonNullable<History["theirs"]>): number | undefined {
  const sum = (name: "up" | "down"): number =>
    counted.reduce((total, each) => total + each[name], 0);
  const total = sum("up") + sum("down");
  return total === 0 ? undefined : (sum("up") / total) * 100;
}

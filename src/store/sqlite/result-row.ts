import { reasons } from "../../domain/run/outcome.ts";
import type { Result } from "../../domain/run/result.ts";
import type { Timings } from "../../domain/run/timings.ts";

/** A result as a row of a day's table and as an array of the journal: the same values in the same order. */
export type ResultRow = readonly [
  checkNo: number,
  startedAt: number,
  durationMs: number,
  tickOffsetMs: number,
  revision: number,
  passed: number,
  reason: number,
  text: string,
  message: string,
  runtimeMs: number,
  location: string,
  earlierRuns: string | null,
  timings: string | null,
];

export const resultColumns = [
  "check_no INTEGER NOT NULL",
  "started_at INTEGER NOT NULL",
  "duration_ms INTEGER NOT NULL",
  "tick_offset_ms INTEGER NOT NULL",
  "revision INTEGER NOT NULL",
  "passed INTEGER NOT NULL",
  "reason INTEGER NOT NULL",
  "text TEXT NOT NULL",
  "message TEXT NOT NULL",
  "runtime_ms INTEGER NOT NULL",
  "location TEXT NOT NULL",
  "earlier_runs TEXT",
  "timings TEXT",
  "PRIMARY KEY (check_no, started_at)",
] as const;

export const resultValues = "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?";

export function toRow(result: Result): ResultRow {
  return [
    result.checkNo,
    result.startedAt,
    result.endedAt - result.startedAt,
    result.startedAt - result.tick,
    result.revision,
    result.passed ? 1 : 0,
    reasons.indexOf(result.reason),
    result.text,
    result.message,
    result.runtimeMs,
    result.location,
    result.earlierRuns.length === 0 ? null : JSON.stringify(result.earlierRuns),
    result.timings === undefined ? null : timingsText(result.timings),
  ];
}

export function fromRow(row: ResultRow): Result {
  const [
    checkNo,
    startedAt,
    durationMs,
    tickOffsetMs,
    revision,
    isPassed,
    reason,
    text,
    message,
    runtimeMs,
    location,
    runs,
    timings,
  ] = row;
  return {
    checkNo,
    startedAt,
    endedAt: startedAt + durationMs,
    tick: startedAt - tickOffsetMs,
    revision,
    passed: isPassed === 1,
    reason: reasons[reason] ?? "protocol",
    text,
    message,
    runtimeMs,
    location,
    earlierRuns: runs === null ? [] : JSON.parse(runs),
    timings: timings === null ? undefined : timingsOf(timings),
  };
}

const phases = ["dns", "connect", "tls", "firstByte", "total"] as const;

/** Tenths of a millisecond, by phase, joined by commas; empty for a phase that did not occur. */
function timingsText(timings: Timings): string {
  return phases
    .map((phase) => (timings[phase] === undefined ? "" : Math.round(timings[phase] * 10)))
    .join(",");
}

export function timingsOf(text: string): Timings {
  const tenths = text.split(",");
  const found = phases.flatMap((phase, index) => {
    const value = tenths[index];
    return value === undefined || value === "" ? [] : [[phase, Number(value) / 10] as const];
  });
  return { total: 0, ...Object.fromEntries(found) };
}

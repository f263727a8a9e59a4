import type { Answer } from "../bus/dispatch.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Confirmation, Result } from "../domain/result.ts";
import type { RunFinding } from "../domain/verdict.ts";
import type { ActiveCheck } from "../store/checks.ts";

/** A run that brought an outcome, in our own time. */
export interface DecidedRun {
  readonly finding: Exclude<RunFinding, "undecided">;
  readonly location: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  readonly vouched: boolean;
}

export interface UndecidedRun {
  readonly finding: "undecided";
  readonly location: string;
  readonly reason: string;
  readonly message: string;
}

export type Run = DecidedRun | UndecidedRun;

/** Puts an answer into our own time: no run of a check begins at or before the one before it, so no two results share an id. */
export function runOf({ report, sentAt, receivedAt }: Answer, lastStart: number): Run {
  if ("trouble" in report) {
    return {
      finding: "undecided",
      location: report.location,
      reason: report.trouble,
      message: report.message,
    };
  }
  const startedAt = Math.max(
    Math.round(Math.min(sentAt + report.startOffsetMs, receivedAt)),
    lastStart + 1,
  );
  const endedAt = Math.max(
    Math.round(Math.min(sentAt + report.endOffsetMs, receivedAt)),
    startedAt,
  );
  return {
    finding: report.outcome.passed ? "passed" : "failed",
    location: report.location,
    startedAt,
    endedAt,
    outcome: report.outcome,
    vouched: report.vouched,
  };
}

/** What is kept of a tick: its last run, with all the others in its list of runs. */
export function resultOf(
  { check }: ActiveCheck,
  tick: number,
  runs: readonly DecidedRun[],
): Result | undefined {
  const last = runs.at(-1);
  if (last === undefined) return undefined;
  return {
    checkNo: check.no,
    revision: check.revision,
    tick,
    startedAt: last.startedAt,
    endedAt: last.endedAt,
    passed: last.outcome.passed,
    reason: last.outcome.reason,
    text: last.outcome.text,
    message: last.outcome.message,
    runtimeMs: Math.round(last.outcome.runtimeMs ?? last.endedAt - last.startedAt),
    location: last.location,
    earlierRuns: runs.slice(0, -1).map(({ startedAt, location }) => [startedAt, location]),
    timings: last.outcome.timings,
  };
}

export function confirmationOf({ startedAt, location, outcome }: DecidedRun): Confirmation {
  return { at: startedAt, location, passed: outcome.passed, message: outcome.message };
}

import type { Answer } from "../bus/dispatch.ts";
import type { Outcome } from "../domain/outcome.ts";
import type { Confirmation, Result } from "../domain/result.ts";
import type { RunStatus } from "../domain/verdict.ts";
import type { ActiveCheck } from "../store/checks.ts";

/** A run that brought an outcome, in our own time. */
export interface DecidedRun {
  readonly finding: Exclude<RunStatus, "undecided">;
  readonly location: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  readonly connectivityConfirmed: boolean;
}

export interface UndecidedRun {
  readonly finding: "undecided";
  readonly location: string;
  readonly reason: string;
  readonly message: string;
}

export type Run = DecidedRun | UndecidedRun;

/**
 * Puts an answer into our own time. No run of a check begins at or before the one before it, so no two results share an id;
 * how long it took is the probe's to say, within the time in which it was away.
 */
export function runOf({ report, sentAt, elapsedMs }: Answer, lastStart: number): Run {
  if ("trouble" in report) {
    return {
      finding: "undecided",
      location: report.location,
      reason: report.trouble,
      message: report.message,
    };
  }
  const startOffset = Math.min(Math.max(report.startOffsetMs, 0), elapsedMs);
  const endOffset = Math.min(Math.max(report.endOffsetMs, startOffset), elapsedMs);
  const startedAt = Math.max(Math.round(sentAt + startOffset), lastStart + 1);
  return {
    finding: report.outcome.passed ? "passed" : "failed",
    location: report.location,
    startedAt,
    endedAt: startedAt + Math.round(endOffset - startOffset),
    outcome: report.outcome,
    connectivityConfirmed: report.vouched,
  };
}

export function noLocationRun({ regions }: ActiveCheck): UndecidedRun {
  const message = `no live location in ${JSON.stringify(regions)}`;
  return { finding: "undecided", location: "", reason: "no_location", message };
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
    runtimeMs: runtimeOf(last),
    location: last.location,
    earlierRuns: runs.slice(0, -1).map(({ startedAt, location }) => [startedAt, location]),
    timings: last.outcome.timings,
  };
}

function runtimeOf({ outcome, startedAt, endedAt }: DecidedRun): number {
  return outcome.untimed === true ? 0 : Math.round(outcome.runtimeMs ?? endedAt - startedAt);
}

export function confirmationOf({ startedAt, location, outcome }: DecidedRun): Confirmation {
  return { at: startedAt, location, passed: outcome.passed, message: outcome.message };
}

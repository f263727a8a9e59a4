import type { Report } from "../../bus/bus.ts";
import type { RunningCheck } from "../../domain/check.ts";
import type { Outcome } from "../../domain/run/outcome.ts";
import type { Confirmation, Result } from "../../domain/run/result.ts";
import type { RunStatus } from "../../domain/run/verdict.ts";

/** A run that brought an outcome, with the controller's own times. */
export interface DecidedRun {
  readonly status: Exclude<RunStatus, "undecided">;
  readonly location: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly outcome: Outcome;
  readonly connectivityConfirmed: boolean;
  readonly resolverSilent: boolean;
}

export interface UndecidedRun {
  readonly status: "undecided";
  readonly location: string;
  readonly reason: string;
  readonly message: string;
}

export type Run = DecidedRun | UndecidedRun;

/** Report on an attempt, timed by the requester's clock because clocks of other machines are not trusted. */
export interface TimedReport {
  readonly report: Report;
  readonly location: string;
  readonly sentAt: number;
  /** Time from the request to the report, on the monotonic clock. */
  readonly elapsedMs: number;
}

/**
 * Converts a report to the controller's time. `startOf` returns the start to store, now or later; the probe determines the duration, limited by the time
 * between request and report.
 */
export function runOf(
  { report, location, sentAt, elapsedMs }: TimedReport,
  startOf: (at: number) => number | Promise<number>,
): Run | Promise<Run> {
  if ("error" in report)
    return { status: "undecided", location, reason: report.error, message: report.message };
  const startOffset = Math.min(Math.max(report.startOffsetMs, 0), elapsedMs);
  const endOffset = Math.min(Math.max(report.endOffsetMs, startOffset), elapsedMs);
  const begun = (startedAt: number): DecidedRun => ({
    status: report.outcome.passed ? "passed" : "failed",
    location,
    startedAt,
    endedAt: startedAt + Math.round(endOffset - startOffset),
    outcome: report.outcome,
    connectivityConfirmed: report.connectivityConfirmed,
    resolverSilent: report.resolverSilent === true,
  });
  const startedAt = startOf(Math.round(sentAt + startOffset));
  return typeof startedAt === "number" ? begun(startedAt) : startedAt.then(begun);
}

export function noLocationRun(regions: readonly string[]): UndecidedRun {
  const message = `no live location in ${JSON.stringify(regions)}`;
  return { status: "undecided", location: "", reason: "no_location", message };
}

/** The stored result of a tick: its last run, with the others in its list of runs. */
export function resultOf(
  check: Pick<RunningCheck, "no" | "runRevision">,
  tick: number,
  { last, earlier }: { readonly last: DecidedRun; readonly earlier: readonly DecidedRun[] },
): Result {
  return {
    checkNo: check.no,
    revision: check.runRevision,
    tick,
    startedAt: last.startedAt,
    endedAt: last.endedAt,
    passed: last.outcome.passed,
    reason: last.outcome.reason,
    text: last.outcome.text,
    message: last.outcome.message,
    runtimeMs: runtimeOf(last),
    location: last.location,
    earlierRuns: earlier.map(({ startedAt, location, status }) => [
      startedAt,
      location,
      status === "passed",
    ]),
    timings: last.outcome.timings,
  };
}

function runtimeOf({ outcome, startedAt, endedAt }: DecidedRun): number {
  return outcome.untimed === true ? 0 : Math.round(outcome.runtimeMs ?? endedAt - startedAt);
}

export function confirmationOf({ startedAt, location, outcome }: DecidedRun): Confirmation {
  return { at: startedAt, location, passed: outcome.passed, message: outcome.message };
}

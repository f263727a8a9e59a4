import type { CheckTracker, ResultToRecord } from "../../tracking/check-tracker.ts";
import { failingLocationsAfter } from "../../domain/run/tick-locations.ts";
import { stateOf, type State, type Verdict } from "../../domain/run/verdict.ts";
import { sleep, type Clock } from "../../kit/clock.ts";
import { codeOf, messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { Gap } from "../../store/tables/checks.ts";
import { confirmationOf, resultOf, type DecidedRun, type UndecidedRun } from "./run.ts";
import type { RunSeries } from "./series.ts";

interface Deps {
  readonly tracker: CheckTracker;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

const RETRY_COMMIT_AFTER_MS = 1000;

/** Stores what a series found: a result, a flip, or a gap where it has no verdict. False for the last, and for a flip that was lost. */
export function recordVerdict(
  series: RunSeries,
  verdict: Exclude<Verdict, { kind: "again" }>,
  deps: Deps,
): Promise<boolean> {
  const decided = series.runs.filter((run) => run.status !== "undecided");
  const last = decided.at(-1);
  if (verdict.kind === "undecided" || last === undefined) return concludeUndecided(series, deps);
  const { tracker, clock, meter } = deps;
  const { tracked, due } = series;
  const result = resultOf(tracked.check, due.tick, { last, earlier: decided.slice(0, -1) });
  const found = (): ResultToRecord => ({
    result,
    outcome: last.outcome,
    at: clock.now(),
    confirmations: decided.map(confirmationOf),
    failingLocations: failingLocationsAfter(tracked.failingLocations, decided, series.ranking),
  });
  const counted = (hasVerdict: boolean): boolean => {
    meter.count("confirm.result", { type: tracked.check.type, passed: String(result.passed) });
    return hasVerdict;
  };
  countOutvoted(series, decided, meter);
  if (verdict.kind === "unchanged")
    return commit(series, deps, () =>
      tracker.recordResult(tracked, found()).then(() => counted(true)),
    );
  const { to } = verdict;
  const since = firstOf(to, decided)?.startedAt ?? result.startedAt;
  let attempts = 0;
  return commit(series, deps, async () => {
    attempts += 1;
    const hasFlipped = await tracker.recordFlip(tracked, {
      ...found(),
      to,
      since,
      diagnosticsLocation: result.location,
    });
    // A commit that got no answer may have been the one that flipped it.
    return counted(hasFlipped || (attempts > 1 && tracked.state === to));
  });
}

/** Counts failures that the runs of other locations did not confirm. */
function countOutvoted(
  { tracked }: RunSeries,
  decided: readonly DecidedRun[],
  meter: Pick<Meter, "count">,
): void {
  if (tracked.state !== "passing" || decided.at(-1)?.status !== "passed") return;
  for (const { status, location } of decided)
    if (status === "failed") meter.count("confirm.failure_outvoted", { location });
}

function firstOf(state: State, decided: readonly DecidedRun[]): DecidedRun | undefined {
  return decided.find(({ status }) => stateOf(status) === state);
}

/** Nothing flips; the check shows the reason until a tick has a verdict again. */
function concludeUndecided(series: RunSeries, deps: Deps): Promise<boolean> {
  const { tracker, log, meter } = deps;
  const { tracked, runs, due } = series;
  const last = runs.findLast((run): run is UndecidedRun => run.status === "undecided");
  const { reason, message } = last ?? {
    reason: "no_majority",
    message: "the runs did not agree",
  };
  meter.count("confirm.undecided", { reason });
  log.warn("confirm.undecided", { check: tracked.check.id, reason, message }, reason);
  const gap: Gap = {
    kind: "undecided",
    reason,
    message,
    firstTick: due.tick,
    lastTick: due.tick,
    ticks: 1,
  };
  return commit(series, deps, async () => {
    await tracker.recordGap(tracked, gap);
    return false;
  });
}

/**
 * Performs a write and returns its result. While the store cannot commit, the series stays open and waits, so that its result is not lost. False if the series
 * was ended.
 */
function commit(series: RunSeries, deps: Deps, write: () => Promise<boolean>): Promise<boolean> {
  const {
    tracked,
    due: { signal, consumeMissedFlag },
  } = series;
  const attempt = (): Promise<boolean> => {
    if (signal.aborted) return Promise.resolve(false);
    if (consumeMissedFlag()) tracked.hasOpenGap = true;
    return write();
  };
  // Nearly every first attempt is the last one, and what waits with it for its commit is kept until then.
  return attempt().catch((error: unknown) => attemptAgain(series, deps, { attempt, error }));
}

async function attemptAgain(
  { tracked, due: { signal } }: RunSeries,
  { clock, log, meter }: Deps,
  first: { readonly attempt: () => Promise<boolean>; readonly error: unknown },
): Promise<boolean> {
  for (let { error } = first; ;) {
    if (codeOf(error) !== "unavailable") throw error;
    meter.count("confirm.commit_retry");
    log.error("confirm.commit_retry", { check: tracked.check.id, error: messageOf(error) });
    await sleep(clock, RETRY_COMMIT_AFTER_MS, signal);
    try {
      return await first.attempt();
    } catch (again) {
      error = again;
    }
  }
}

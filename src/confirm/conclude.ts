import type { CheckTracker, FoundResult } from "../active-checks/check-tracker.ts";
import { stateOf } from "../domain/run/verdict.ts";
import type { State, Verdict } from "../domain/run/verdict.ts";
import { sleep } from "../kit/clock.ts";
import type { Clock } from "../kit/clock.ts";
import { codeOf, messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { Gap } from "../store/states.ts";
import { confirmationOf, resultOf } from "./run.ts";
import type { DecidedRun, UndecidedRun } from "./run.ts";
import type { Series } from "./series.ts";

interface Deps {
  readonly tracker: CheckTracker;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

const RETRY_COMMIT_AFTER_MS = 1000;

/** Stores what a series found: a result, a flip, or a gap where it has no verdict. False for the last, and for a flip that was lost. */
export async function conclude(
  series: Series,
  verdict: Exclude<Verdict, { kind: "again" }>,
  deps: Deps,
): Promise<boolean> {
  const { tracked } = series;
  const decided = series.runs.filter((run) => run.status !== "undecided");
  const last = decided.at(-1);
  if (verdict.kind === "undecided" || last === undefined) {
    await concludeUndecided(series, deps);
    return false;
  }
  const { tracker, clock, meter } = deps;
  const result = resultOf(tracked.check, series.due.tick, { last, earlier: decided.slice(0, -1) });
  let wasLost = false;
  let attempts = 0;
  const isStored = await commit(series, deps, async () => {
    const found: FoundResult = {
      result,
      outcome: last.outcome,
      at: clock.now(),
      confirmations: decided.map(confirmationOf),
    };
    if (verdict.kind === "unchanged") {
      await tracker.recordResult(tracked, found);
      return;
    }
    attempts += 1;
    const hasFlipped = await tracker.recordFlip(tracked, {
      ...found,
      to: verdict.to,
      since: firstOf(verdict.to, decided)?.startedAt ?? result.startedAt,
      diagnosticsLocation: result.location,
      keepsLostResult: false,
    });
    // A commit that got no answer may have been the one that flipped it.
    wasLost = !hasFlipped && !(attempts > 1 && tracked.state === verdict.to);
  });
  if (isStored)
    meter.count("confirm.result", { type: tracked.check.type, passed: String(result.passed) });
  return isStored && !wasLost;
}

function firstOf(state: State, decided: readonly DecidedRun[]): DecidedRun | undefined {
  return decided.find(({ status }) => stateOf(status) === state);
}

/** Nothing flips; the check shows the reason until a tick has a verdict again. */
async function concludeUndecided(series: Series, deps: Deps): Promise<void> {
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
  await commit(series, deps, () => tracker.recordGap(tracked, gap));
}

/** While the store cannot commit, the series stays open and waits, so that its finding is not lost. False where it was ended. */
async function commit(
  { tracked, due: { signal, takeMissed } }: Series,
  { clock, log, meter }: Deps,
  write: () => Promise<void>,
): Promise<boolean> {
  while (!signal.aborted) {
    if (takeMissed()) tracked.hasOpenGap = true;
    try {
      await write();
      return true;
    } catch (error) {
      if (codeOf(error) !== "unavailable") throw error;
      meter.count("confirm.commit_retry");
      log.error("confirm.commit_retry", { check: tracked.check.id, error: messageOf(error) });
      await sleep(clock, RETRY_COMMIT_AFTER_MS, signal);
    }
  }
  return false;
}

import { isNetworkFailure } from "../../domain/run/outcome.ts";
import { createCheckTracker } from "../../tracking/check-tracker.ts";
import type { DueTick } from "../../tracking/due-tick.ts";
import { startOf, trackCheck, type TrackedCheck } from "../../tracking/tracked-check.ts";
import type { Bus } from "../../bus/bus.ts";
import { rechecksOf } from "../../domain/check.ts";
import { type Location, rankLocations } from "../../domain/location.ts";
import { orderOfTick } from "../../domain/run/tick-locations.ts";
import { evaluateSeries, type Verdict } from "../../domain/run/verdict.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Ids } from "../../kit/ids.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { Egress } from "../../kit/net/egress.ts";
import type { Tracer } from "../../kit/tracing/tracer.ts";
import type { Store } from "../../store/store.ts";
import type { ActiveCheck } from "../../store/tables/checks.ts";
import { sendNextAttempt } from "./attempt.ts";
import { recordVerdict } from "./record-verdict.ts";
import type { LocationVisibility, Side } from "./location-visibility.ts";
import type { MassFailureGuard } from "./mass-failure-guard.ts";
import { isMassFailure, recordForGuard } from "./mass-failure-hold.ts";
import { noLocationRun, runOf, type Run, type UndecidedRun, type DecidedRun } from "./run.ts";
import type { RunSeries } from "./series.ts";
import { traceTick } from "./tick-spans.ts";

interface Deps {
  readonly store: Pick<Store, "write" | "append" | "results">;
  readonly bus: Pick<Bus, "jobs" | "presence">;
  readonly massFailureGuard: MassFailureGuard;
  readonly sight: LocationVisibility;
  readonly egress: Pick<Egress, "isPublic">;
  /** Called after each flip, because alerts may be due. */
  readonly flipped: () => void;
  readonly ids: Pick<Ids, "alert">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  readonly tracer?: Tracer | undefined;
}

const MASS_FAILURE_HOLD_MS = 30_000;

/**
 * Runs a due tick to its verdict: a job at the current location, rechecks from the next ones if the outcome differs from the state, each after the check's
 * wait, then one transaction for the decision. False if there is no verdict and a retry may have one.
 */
export function createRunTick(deps: Deps): (due: DueTick) => Promise<boolean> {
  const concluding = { ...deps, tracker: createCheckTracker({ ...deps, source: "confirm" }) };

  return async (due) => {
    const { active } = due;
    const tracked = (due.known.tracked ??= trackActive(active));
    const live = deps.bus.presence.live(active.check.type);
    const { check, regions } = active;
    const ranked = rankLocations(check, regions, live);
    const ranking = orderOfTick(ranked, { ...tracked, tick: due.tick });
    const reports = deps.tracer && [];
    const series: RunSeries = { due, tracked, ranking, runs: [], heardAt: undefined, reports };
    const verdict = await runSeries(series, deps);
    if (verdict === undefined) return false;
    const decidedAt = deps.clock.now();
    const hasVerdict = await recordVerdict(series, verdict, concluding);
    if (deps.tracer !== undefined)
      traceTick(deps.tracer, { ...series, verdict, decidedAt, storedAt: deps.clock.now() });
    return hasVerdict || series.runs.every(isTooLarge);
  };
}

/** Runs attempts until there is a verdict; undefined if the series was ended earlier. */
async function runSeries(
  series: RunSeries,
  deps: Deps,
): Promise<Exclude<Verdict, { kind: "again" }> | undefined> {
  const { due, tracked, ranking, runs } = series;
  if (ranking.length === 0) {
    const run = noLocationRun(due.active.regions);
    runs.push(run);
    countUndecided(run, deps);
    return { kind: "undecided" };
  }
  let wasHeld = false;
  for (;;) {
    const report = await sendNextAttempt(series, deps);
    if (report === undefined) return undefined;
    series.reports?.push(report);
    const found = runOf(report, (at) => startOf(tracked, at, deps.store.results));
    const run = found instanceof Promise ? await found : found;
    runs.push(run);
    if (run.status === "undecided") countUndecided(run, deps);
    else {
      series.heardAt = deps.clock.monotonic();
      recordForGuard(tracked, run, deps);
      deps.sight.record(due, tracked, run);
    }
    let verdict = verdictOf(series);
    let isDoubtful = false;
    if (verdict.kind === "flip") {
      const doubt = await doubtOf(series, deps.sight);
      if (due.signal.aborted) return undefined;
      if (doubt === "ask_another") continue;
      if (doubt === "withdrawn") verdict = verdictOf(series);
      // A verdict that is confirmed again may have to be held again.
      wasHeld &&= verdict.kind === "flip";
      isDoubtful = doubt === "hold" || (isNewFailure(verdict) && isMassFailure(runs, deps));
    }
    const isAskedOfAll = runs.length >= ranking.length;
    if (verdict.kind === "again" && isAskedOfAll && runs.every(isTooLarge))
      return { kind: "undecided" };
    if (verdict.kind === "again") continue;
    if (verdict.kind !== "flip" || wasHeld || !isDoubtful) return verdict;
    wasHeld = true;
    await holdMassFailure(series, deps);
  }
}

function isNewFailure(verdict: Verdict): boolean {
  return verdict.kind === "flip" && verdict.to === "failing";
}

function countUndecided({ location, reason }: UndecidedRun, { meter }: Deps): void {
  // The policy and the size of a job are matters of the check.
  if (reason !== "blocked" && reason !== "too_large")
    meter.count("confirm.run_undecided", { location, reason });
}

/** Nothing but a change of the check makes its job smaller. */
function isTooLarge(run: Run): boolean {
  return run.status === "undecided" && run.reason === "too_large";
}

/** The failure has to be seen once more after a while. */
async function holdMassFailure({ due, runs }: RunSeries, { log, meter }: Deps): Promise<void> {
  meter.count("confirm.mass_failure_hold");
  log.warn("confirm.mass_failure_hold", {
    check: due.active.check.id,
    locations: [...new Set(runs.map(({ location }) => location))],
  });
  await due.rest(MASS_FAILURE_HOLD_MS);
}

function verdictOf({ tracked, runs }: RunSeries): Verdict {
  const last = runs.at(-1);
  return evaluateSeries({
    state: tracked.state,
    rechecks: rechecksOf(tracked.check),
    runs: runs.map(({ status }) => status),
    final: last !== undefined && last.status !== "undecided" && last.outcome.final === true,
  });
}

/** One for all checks whose clock was not set back. */
const noneGiven: readonly number[] = [];

function trackActive(active: ActiveCheck): TrackedCheck {
  const { lastStartedAt = 0, certificates } = active;
  return trackCheck(active, { latest: lastStartedAt, recent: noneGiven }, certificates);
}

/**
 * Handling of a verdict that one location's own problem may have caused: accept it, ask another location, retry later, or decide again without the blind
 * locations.
 */
type Doubt = "none" | "ask_another" | "hold" | "withdrawn";

/**
 * Examines runs that are about to change the state and that a location without network access would produce too. Runs of a location that reaches no public
 * target, or from a period in which it reached nothing, do not count. A location that reaches no target of its own networks needs a second location; without
 * one its result counts after a hold, because the targets may really have failed together, unless its resolver does not respond either.
 */
async function doubtOf(series: RunSeries, sight: LocationVisibility): Promise<Doubt> {
  const { tracked, runs, ranking } = series;
  let hasWithdrawn = false;
  let isAlone = false;
  for (const [index, run] of runs.entries()) {
    if (run.status === "undecided" || !isNetworkFailure(run.outcome)) continue;
    const side = await sight.blindSide(tracked, run);
    const why = reasonAgainst(run, { side, wasBlind: sight.wasBlind(tracked, run) });
    if (why !== undefined) {
      hasWithdrawn = true;
      runs[index] = withdrawn(run, why);
    } else isAlone ||= side === "private";
  }
  if (hasWithdrawn) return "withdrawn";
  if (!isAlone || !isOfOneLocation(runs)) return "none";
  return hasUnasked(ranking, runs) ? "ask_another" : "hold";
}

/** Returns the reason why a run says nothing about its target; undefined if there is none. */
function reasonAgainst(
  { resolverSilent }: Pick<DecidedRun, "resolverSilent">,
  { side, wasBlind }: { readonly side: Side | undefined; readonly wasBlind: boolean },
): string | undefined {
  if (side === "public") return "none of its public targets that passed before passes";
  if (side === "private" && resolverSilent)
    return "none of its private targets that passed before passes, and its resolver is silent";
  return wasBlind ? "none of its targets passed when this run began" : undefined;
}

function withdrawn({ location, outcome }: DecidedRun, why: string): UndecidedRun {
  const message = `location ${location} seems to be offline: ${why} (${outcome.message})`;
  return { status: "undecided", location, reason: "offline", message };
}

function isOfOneLocation(runs: readonly Run[]): boolean {
  return (
    new Set(runs.flatMap((run) => (run.status === "undecided" ? [] : [run.location]))).size === 1
  );
}

function hasUnasked(ranking: readonly Location[], runs: readonly Run[]): boolean {
  return ranking.some(({ code }) => !runs.some(({ location }) => location === code));
}

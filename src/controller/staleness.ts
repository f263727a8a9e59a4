import { watchActiveChecks, type Watcher } from "../tracking/watch-active-checks.ts";
import { checkTypeOf, checkTypes } from "../checks/registry.ts";
import { wallTimeIn } from "../domain/account/time-zone.ts";
import { expectedHeartbeat } from "../domain/heartbeat/expected-heartbeat.ts";
import { countsUntil, expectedAfter, toleratedMs } from "../domain/heartbeat/heartbeat-plan.ts";
import { failed } from "../domain/run/outcome.ts";
import { CLOCK_SKEW_TOLERANCE_MS, clockOffset, monotonicTimeOf, sleep } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import { createTimerWheel, WHEEL_STEP_MS } from "../kit/time/timer-wheel.ts";
import { allShards, controlledPart } from "../store/shards.ts";
import type { HeartbeatState, ReceivedHeartbeats } from "../heartbeats/heartbeat-states.ts";
import type { ActiveCheck } from "../store/tables/checks.ts";
import { failOverdueRuns, runsEndBy } from "./overdue-runs.ts";
import { createMissingHeartbeatsGuard } from "./missing-heartbeats-guard.ts";
import { waitBeforeJudging, type Watch, type WatchDeps, type Watching } from "./watching.ts";

export interface StalenessWatcher {
  readonly run: (signal: AbortSignal) => Promise<void>;
}

const MINUTE_MS = 60_000;
const RETRY_AFTER_MS = 5000;
const MAX_WAIT_MS = 10 * MINUTE_MS;
/** Lateness does not apply to such a check; watching restarts when that changes. */
const NEVER_MS = 24 * 60 * MINUTE_MS;
/** How often runs are looked for that take too long. */
const RUNS_INTERVAL_MS = 5000;
const LOST_RETRY_AFTER_MS = 1000;
/** Time within which senders retry unreceived heartbeats (`curl --retry 5`). */
const SENT_AGAIN_MS = 30_000;

const pushedTypes = checkTypes.filter(({ driver }) => driver === "push").map(({ type }) => type);

/** Fails the PUSH checks whose heartbeats stopped. A heartbeat costs nothing here: a timer that fires looks up the latest one. */
export function createStalenessWatcher(deps: WatchDeps): StalenessWatcher {
  const { store, bus, shards = allShards, clock, log } = deps;
  const wheel = createTimerWheel(clock.monotonic());
  const watched = new Map<number, ActiveCheck>();
  const isWatched = (active: ActiveCheck): boolean => watched.get(active.check.no) === active;
  const watching: Watching = {
    ...deps,
    since: clock.monotonic(),
    isWatched,
    guard: createMissingHeartbeatsGuard(clock, () => controlledPart(shards)),
    watchedCount: () => watched.size,
  };
  const evaluations = new Set<Promise<void>>();

  const evaluate = (active: ActiveCheck): void => {
    const evaluation = evaluateCheck(active, watching)
      .catch((error: unknown) => {
        const about = { check: active.check.id, error: messageOf(error) };
        log.error("push.staleness_check_failed", about);
        return clock.monotonic() + RETRY_AFTER_MS;
      })
      .then((nextAt) => {
        evaluations.delete(evaluation);
        if (isWatched(active)) wheel.set(active.check.no, nextAt);
      });
    evaluations.add(evaluation);
  };

  const watch = (active: ActiveCheck): void => {
    watched.set(active.check.no, active);
    evaluate(active);
  };

  const watcher: Watcher = {
    types: pushedTypes,
    accepts: judgesAbsence,
    resume: watch,
    restart: watch,
    stop(checkNo) {
      watched.delete(checkNo);
      wheel.cancel(checkNo);
    },
  };

  return {
    async run(signal) {
      const failed = (error: unknown): void =>
        log.error("push.check_sync_failed", { error: messageOf(error) });
      const resumed = watchActiveChecks(
        { checks: store.checks, changes: bus.changes, shards, clock, failed },
        watcher,
        signal,
      );
      // The account may have moved to another time zone.
      bus.changes.subscribe((change) => {
        const isAny = change === "everything";
        if (!isAny && change.checkNo !== undefined) return;
        for (const { check } of watched.values())
          if (isAny || check.accountId === change.accountId) wheel.set(check.no, clock.monotonic());
      });
      const runs = createRunsLook(watching, watched);
      while (!signal.aborted) {
        runs.look();
        wheel.advance(clock.monotonic(), (checkNo) => {
          const active = watched.get(checkNo);
          if (active !== undefined) evaluate(active);
        });
        await sleep(clock, WHEEL_STEP_MS, signal);
      }
      await resumed;
      await Promise.all([...evaluations, runs.inFlight()]);
    },
  };
}

/** Looks for runs that take too long, one time after the other. */
function createRunsLook(watching: Watching, watched: ReadonlyMap<number, ActiveCheck>) {
  const { clock, log } = watching;
  let looking: Promise<void> | undefined;
  let nextAt = clock.monotonic();
  return {
    inFlight: () => looking,
    look(): void {
      if (looking !== undefined || clock.monotonic() < nextAt) return;
      nextAt = clock.monotonic() + RUNS_INTERVAL_MS;
      looking = failOverdueRuns(watching, watched)
        .catch((error: unknown) => log.error("push.run_check_failed", { error: messageOf(error) }))
        .finally(() => (looking = undefined));
    },
  };
}

/** Returns whether it fails when no heartbeat comes, or no end of a run. */
function judgesAbsence({ check }: ActiveCheck): boolean {
  const type = checkTypeOf(check.type);
  if (type?.driver !== "push") return false;
  const { failsWhenLate, maxRunMs } = type.prepare(check.parameters).plan;
  return failsWhenLate || maxRunMs !== undefined;
}

/** Fails the check if it is overdue, and returns the time of the next evaluation. All times are monotonic. */
async function evaluateCheck(active: ActiveCheck, watching: Watching): Promise<number> {
  const { store, heartbeats, reception, clock, guard, watchedCount, log, meter } = watching;
  // Another process may have received heartbeats, and the one that passed it.
  const state = await heartbeats.findAnew(active.check.id);
  if (state === undefined) return clock.monotonic() + MAX_WAIT_MS;
  const { check, plan } = { check: active.check, plan: state.prepared.plan };
  if (!plan.failsWhenLate) return clock.monotonic() + NEVER_MS;
  // A check that is failing, or had no heartbeat yet, cannot become stale sooner than this.
  const minMs = plan.nextTime === undefined ? check.intervalMinutes * MINUTE_MS : 0;
  const later = clock.monotonic() + minMs + toleratedMs(plan, check);
  if (state.tracked.state === "failing") return later;
  const { peer } = state.received;
  const due = dueOf(state, state.received, { active, watching });
  if (due === undefined) return later;
  const endBy = await runsEndBy(store.startedRuns, state, { active, watching });
  const dueAt = Math.max(due.staleAt, endBy ?? -Infinity);
  const now = clock.monotonic();
  if (dueAt <= now) guard.note(active.check.no);
  const waitUntil = dueAt > now ? dueAt : waitBeforeJudging(watching, { dueAt, peer });
  // A time that clocks show may come sooner, for they are set.
  if (waitUntil !== undefined)
    return plan.nextTime === undefined ? waitUntil : Math.min(waitUntil, now + MAX_WAIT_MS);
  // One that another process did not store.
  const elsewhere = await reception.lastSeen(active.check.no);
  if (elsewhere !== undefined && elsewhere > (state.received.lastSeen ?? -Infinity)) {
    state.received.lastSeen = elsewhere;
    return clock.monotonic() + LOST_RETRY_AFTER_MS;
  }
  const heldUntil = guard.heldUntil(active.check.no, watchedCount());
  if (heldUntil !== undefined) {
    meter.count("push.mass_silence_hold");
    log.warn("push.mass_silence_hold", { check: active.check.id });
    return heldUntil;
  }
  const hasFailed = await failStale(state, due, { active, watching });
  return hasFailed ? later : clock.monotonic() + LOST_RETRY_AFTER_MS;
}

/** False if a heartbeat arrived, or the check changed, before that could be stored. */
async function failStale(
  state: HeartbeatState,
  { expectedAt }: Due,
  { active, watching }: Watch,
): Promise<boolean> {
  const { heartbeats, reception, clock, log, meter } = watching;
  const { no, id } = active.check;
  const lastSeen = new Date(lastSeenAt(state, watching)).toISOString();
  const expected = shownTime(expectedAt, state.prepared.plan.timeZone ?? state.timeZone);
  const outcome = failed(
    "stale",
    "Results are old",
    `The last result is from ${lastSeen}, the next was expected at ${expected}`,
  );
  const hasFailed = await heartbeats.failStale(state, outcome, async (tx) => {
    if (!watching.isWatched(active)) return false;
    // Heartbeats may have come while this waited for its turn, here or at another process.
    const last = await tx.results.last(no, clock.now() + CLOCK_SKEW_TOLERANCE_MS);
    const stored = last === undefined ? -Infinity : monotonicTimeOf(clock, last.startedAt);
    const { lastSeen = -Infinity, peer } = state.received;
    const seen = { lastSeen: Math.max(lastSeen, stored), peer };
    const staleAt = dueOf(state, seen, { active, watching })?.staleAt ?? Infinity;
    const endBy = await runsEndBy(tx.startedRuns, state, { active, watching });
    return Math.max(staleAt, endBy ?? 0) + reception.knownAfterMs <= clock.monotonic();
  });
  if (!hasFailed) return false;
  meter.count("push.stale");
  log.info("push.stale", { check: id, lastSeen });
  return true;
}

/** Returns the time of the last heartbeat, or the time since which there was none. */
function lastSeenAt({ received }: HeartbeatState, { clock, since }: Watching): number {
  const { lastSeen = -Infinity } = received;
  const seen = Number.isFinite(lastSeen) ? lastSeen : since;
  return Math.round(clock.now() - (clock.monotonic() - seen));
}

interface Due {
  /** Time on the monotonic clock. */
  readonly staleAt: number;
  /** Time on the wall clock. */
  readonly expectedAt: number;
}

/** Returns the time at which a check becomes overdue; undefined before its first result. Time in which no heartbeat could be received does not count. */
function dueOf(
  { prepared: { plan }, timeZone, received: { starts } }: HeartbeatState,
  { lastSeen, peer }: Pick<ReceivedHeartbeats, "lastSeen" | "peer">,
  { active: { check, activeSince }, watching: { clock, reception, receiveGaps, since } }: Watch,
): Due | undefined {
  if (lastSeen === undefined) return undefined;
  const seenFrom = Math.max(countsUntil(lastSeen, plan), monotonicTimeOf(clock, activeSince));
  const heardFrom = peer === undefined ? -Infinity : receiveGaps.lastEnd(peer);
  const ahead = clockOffset(clock);
  // The arrival time of results that a fast clock dated in the future is unknown.
  const isKnown = starts.latest <= clock.now() + CLOCK_SKEW_TOLERANCE_MS;
  // How long a sender waited to be heard is not known.
  // guard: time that a client waited for us = argument
  const knownFrom = Math.max(seenFrom, heardFrom);
  const expected = expectedHeartbeat(
    {
      seen: isKnown ? knownFrom + ahead : -Infinity,
      receptiveSince:
        Math.max(
          knownFrom,
          since,
          /* guard: time in which no heartbeat could be received */ reception.lastEnd(),
        ) + ahead,
      lostMs: reception.lostSince(knownFrom),
    },
    {
      expectedAfter: (after) => expectedAfter(after, plan, { check, timeZone }),
      toleratedMs: toleratedMs(plan, check),
      sentAgainMs: Math.min(SENT_AGAIN_MS, check.intervalMinutes * MINUTE_MS),
    },
  );
  return expected && { ...expected, staleAt: expected.staleAt - ahead };
}

/** Formats local time in the zone, with its offset. */
function shownTime(at: number, timeZone: string): string {
  return wallTimeIn(timeZone, Math.round(at)).toString({
    smallestUnit: "second",
    timeZoneName: "never",
  });
}

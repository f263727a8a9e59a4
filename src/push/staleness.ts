import { watchActiveChecks } from "../active-checks/watch-active-checks.ts";
import type { Watcher } from "../active-checks/watch-active-checks.ts";
import type { Bus } from "../bus/bus.ts";
import { checkTypeOf, checkTypes } from "../checks/registry.ts";
import { wallTimeIn } from "../domain/account/time-zone.ts";
import { countsUntil, expectedAfter, toleratedMs } from "../domain/heartbeat-plan.ts";
import { failed } from "../domain/run/outcome.ts";
import { monotonicTimeOf, sleep } from "../kit/clock.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import type { EventLoopMonitor } from "../kit/time/event-loop-monitor.ts";
import type { Unheard } from "../kit/http/unheard.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import { createTimerWheel, WHEEL_STEP_MS } from "../kit/time/timer-wheel.ts";
import type { ActiveCheck } from "../store/checks.ts";
import type { Hearing } from "../store/hearing.ts";
import { allShards, controlledPart } from "../store/shards.ts";
import type { Shards } from "../store/shards.ts";
import type { Store } from "../store/store.ts";
import type { HeartbeatState, ReceivedHeartbeats } from "./heartbeat-states.ts";
import type { Heartbeats } from "./heartbeats.ts";
import { createSilenceGuard } from "./silence-guard.ts";
import type { SilenceGuard } from "./silence-guard.ts";

interface Deps {
  readonly store: Pick<Store, "checks">;
  readonly bus: Pick<Bus, "changes">;
  /** Those whose checks are watched; all where nobody shares the checks. */
  readonly shards?: Shards;
  readonly heartbeats: Heartbeats;
  readonly hearing: Pick<Hearing, "lastEnd" | "knownAfterMs" | "lastSeen">;
  readonly unheard: Pick<Unheard, "lastEnd" | "waitsSince">;
  readonly eventLoop: Pick<EventLoopMonitor, "stalledSince">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

export interface StalenessWatcher {
  readonly run: (signal: AbortSignal) => Promise<void>;
}

const MINUTE_MS = 60_000;
const RETRY_AFTER_MS = 5000;
const LONGEST_WAIT_MS = 10 * MINUTE_MS;
/** Of that time the event loop has to be free for half at least, so that heartbeats that have come are read before their absence is judged. */
const QUIET_MS = 1000;
/** A loop that is never free for so long reads them all the same. */
const QUIET_WITHIN_MS = 10_000;
const LOST_RETRY_AFTER_MS = 1000;

const pushedTypes = checkTypes.filter(({ driver }) => driver === "push").map(({ type }) => type);

/** Fails the PUSH checks whose heartbeats stopped. A heartbeat costs nothing here: a timer that fires looks up the latest one. */
export function createStalenessWatcher(deps: Deps): StalenessWatcher {
  const { store, bus, shards = allShards, clock, log } = deps;
  const wheel = createTimerWheel(clock.monotonic());
  const watched = new Map<number, ActiveCheck>();
  const isWatched = (active: ActiveCheck): boolean => watched.get(active.check.no) === active;
  const watching: Watching = {
    ...deps,
    since: clock.monotonic(),
    isWatched,
    guard: createSilenceGuard(clock, () => controlledPart(shards)),
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
    accepts: failsWhenStale,
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
      bus.changes.subscribe(({ accountId, checkNo }) => {
        if (checkNo !== undefined) return;
        for (const { check } of watched.values())
          if (check.accountId === accountId) wheel.set(check.no, clock.monotonic());
      });
      while (!signal.aborted) {
        wheel.advance(clock.monotonic(), (checkNo) => {
          const active = watched.get(checkNo);
          if (active !== undefined) evaluate(active);
        });
        await sleep(clock, WHEEL_STEP_MS, signal);
      }
      await resumed;
      await Promise.all(evaluations);
    },
  };
}

function failsWhenStale({ check }: ActiveCheck): boolean {
  const type = checkTypeOf(check.type);
  return type?.driver === "push" && type.prepare(check.parameters).plan.failsWhenLate;
}

interface Watching extends Deps {
  /** When the watch began: what was sent before that may not have been heard. */
  readonly since: number;
  /** False once the check was changed, or its shard lost. */
  readonly isWatched: (active: ActiveCheck) => boolean;
  readonly guard: SilenceGuard;
  readonly watchedCount: () => number;
}

/** Fails the check where it is stale, and gives the time at which to evaluate it again. All times are of the monotonic clock. */
async function evaluateCheck(active: ActiveCheck, watching: Watching): Promise<number> {
  const { heartbeats, hearing, clock, eventLoop, unheard, guard, watchedCount, log, meter } =
    watching;
  // Another process may have received heartbeats, and the one that passed it.
  const state = await heartbeats.findAnew(active.check.id);
  if (state === undefined) return clock.monotonic() + LONGEST_WAIT_MS;
  const { check, plan } = { check: active.check, plan: state.prepared.plan };
  // A check that is failing, or had no heartbeat yet, cannot become stale sooner than this.
  const leastMs = plan.cron === undefined ? check.intervalMinutes * MINUTE_MS : 0;
  const later = clock.monotonic() + leastMs + toleratedMs(plan, check);
  if (state.tracked.state === "failing") return later;
  const { peer } = state.received;
  const due = dueOf(state, state.received, { active, watching });
  if (due === undefined) return later;
  const now = clock.monotonic();
  const { staleAt } = due;
  if (staleAt <= now) guard.note(active.check.no);
  const judgedAt = staleAt + hearing.knownAfterMs;
  const next = staleAt > now ? staleAt : judgedAt;
  // A time that clocks show may come sooner, for they are set.
  if (next > now) return plan.cron === undefined ? next : Math.min(next, now + LONGEST_WAIT_MS);
  const isQuiet = eventLoop.stalledSince(now - QUIET_MS) < QUIET_MS / 2;
  if (!isQuiet && now < judgedAt + QUIET_WITHIN_MS) return now + QUIET_MS;
  // What waits may be the heartbeat.
  if (peer !== undefined && (unheard.waitsSince(peer) ?? Infinity) <= due.staleAt)
    return now + QUIET_MS;
  // One that another process did not store.
  const elsewhere = await hearing.lastSeen(active.check.no);
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

interface Watch {
  readonly active: ActiveCheck;
  readonly watching: Watching;
}

/** False where a heartbeat came, or the check was changed, before that could be stored. */
async function failStale(
  state: HeartbeatState,
  { expectedAt }: Due,
  { active, watching }: Watch,
): Promise<boolean> {
  const { heartbeats, hearing, clock, log, meter } = watching;
  const { no, id } = active.check;
  const lastSeen = new Date(lastSeenAt(state, watching)).toISOString();
  const expected = shownTime(expectedAt, state.timeZone);
  const outcome = failed(
    "stale",
    "Results are old",
    `The last result is from ${lastSeen}, the next was expected at ${expected}`,
  );
  const hasFailed = await heartbeats.failStale(state, outcome, async (tx) => {
    if (!watching.isWatched(active)) return false;
    // Heartbeats may have come while this waited for its turn, here or at another process.
    const last = await tx.results.last(no, clock.now());
    const stored = last === undefined ? -Infinity : monotonicTimeOf(clock, last.startedAt);
    const { lastSeen = -Infinity, peer } = state.received;
    const seen = { lastSeen: Math.max(lastSeen, stored), peer };
    const staleAt = dueOf(state, seen, { active, watching })?.staleAt ?? Infinity;
    return staleAt + hearing.knownAfterMs <= clock.monotonic();
  });
  if (!hasFailed) return false;
  meter.count("push.stale");
  log.info("push.stale", { check: id, lastSeen });
  return true;
}

/** The time of the last heartbeat; since when there was none, where that is all that is known. */
function lastSeenAt({ received }: HeartbeatState, { clock, since }: Watching): number {
  const { lastSeen = -Infinity } = received;
  const seen = Number.isFinite(lastSeen) ? lastSeen : since;
  return Math.round(clock.now() - (clock.monotonic() - seen));
}

interface Due {
  /** By the monotonic clock. */
  readonly staleAt: number;
  /** By the clock on the wall. */
  readonly expectedAt: number;
}

/** When a check becomes stale; undefined before its first result. Time in which no heartbeat could be received does not count. */
function dueOf(
  { prepared: { plan }, timeZone }: HeartbeatState,
  { lastSeen, peer }: Pick<ReceivedHeartbeats, "lastSeen" | "peer">,
  { active: { check, activeSince }, watching: { clock, hearing, unheard, since } }: Watch,
): Due | undefined {
  if (lastSeen === undefined) return undefined;
  const activeFrom = monotonicTimeOf(clock, activeSince);
  const heardFrom = peer === undefined ? -Infinity : unheard.lastEnd(peer);
  const from = Math.max(
    countsUntil(lastSeen, plan),
    activeFrom,
    since,
    hearing.lastEnd(),
    heardFrom,
  );
  const ahead = clock.now() - clock.monotonic();
  const expectedAt = expectedAfter(from + ahead, plan, { check, timeZone });
  if (expectedAt === undefined) return undefined;
  return { staleAt: expectedAt - ahead + toleratedMs(plan, check), expectedAt };
}

/** As clocks in the zone show it, with their offset. */
function shownTime(at: number, timeZone: string): string {
  return wallTimeIn(timeZone, Math.round(at)).toString({
    smallestUnit: "second",
    timeZoneName: "never",
  });
}

import { watchActiveChecks } from "../active-checks/watch-active-checks.ts";
import type { Watcher } from "../active-checks/watch-active-checks.ts";
import type { Bus } from "../bus/bus.ts";
import { checkTypeOf } from "../checks/registry.ts";
import { rechecksOf } from "../domain/check.ts";
import type { Check } from "../domain/check.ts";
import { failed } from "../domain/run/outcome.ts";
import { sleep } from "../kit/clock.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import { createTimerWheel, WHEEL_STEP_MS } from "../kit/timer-wheel.ts";
import type { ActiveCheck } from "../store/checks.ts";
import type { Store } from "../store/store.ts";
import type { HeartbeatState } from "./heartbeat-states.ts";
import type { Heartbeats } from "./heartbeats.ts";

interface Deps {
  readonly store: Pick<Store, "checks">;
  readonly bus: Pick<Bus, "changes">;
  readonly heartbeats: Heartbeats;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

export interface StalenessWatcher {
  readonly run: (signal: AbortSignal) => Promise<void>;
}

const MINUTE_MS = 60_000;
const RETRY_AFTER_MS = 5000;

/** Fails the PUSH checks whose heartbeats stopped. A heartbeat costs nothing here: a timer that fires looks up the latest one. */
export function createStalenessWatcher(deps: Deps): StalenessWatcher {
  const { store, bus, clock, log } = deps;
  const wheel = createTimerWheel(clock.monotonic());
  const watched = new Map<number, ActiveCheck>();
  const evaluations = new Set<Promise<void>>();

  const evaluate = (active: ActiveCheck): void => {
    const evaluation = evaluateCheck(active, deps)
      .catch((error: unknown) => {
        const about = { check: active.check.id, error: messageOf(error) };
        log.error("push.staleness_check_failed", about);
        return clock.now() + RETRY_AFTER_MS;
      })
      .then((nextAt) => {
        evaluations.delete(evaluation);
        if (watched.get(active.check.no) === active)
          wheel.set(active.check.no, clock.monotonic() + Math.max(0, nextAt - clock.now()));
      });
    evaluations.add(evaluation);
  };

  const watch = (active: ActiveCheck): void => {
    watched.set(active.check.no, active);
    evaluate(active);
  };

  const watcher: Watcher = {
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
        { checks: store.checks, changes: bus.changes, clock, failed },
        watcher,
        signal,
      );
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
  return type?.driver === "push" && type.prepare(check.parameters).failsWhenStale;
}

/** Fails the check where it is stale, and gives the time at which to evaluate it again. */
async function evaluateCheck(active: ActiveCheck, deps: Deps): Promise<number> {
  const { heartbeats, clock } = deps;
  // A check that is failing, or had no heartbeat yet, cannot become stale sooner than this.
  const later = clock.now() + graceMs(active.check);
  const state = await heartbeats.find(active.check.id);
  if (state === undefined || state.tracked.state === "failing") return later;
  const staleAt = staleAtOf(state.lastSeenAt, active, heartbeats);
  if (staleAt === undefined) return later;
  if (staleAt > clock.now()) return staleAt;
  await failStale(state, active, deps);
  return later;
}

async function failStale(
  state: HeartbeatState,
  active: ActiveCheck,
  { heartbeats, clock, log, meter }: Deps,
): Promise<void> {
  const { no, id } = active.check;
  const lastSeen = new Date(state.lastSeenAt ?? 0).toISOString();
  const outcome = failed("stale", "Results are old", `The last result is from ${lastSeen}`);
  const flipped = await heartbeats.failStale(state, outcome, async (tx) => {
    // Heartbeats may have come while this waited for its turn, here or at another process.
    const last = await tx.results.last(no);
    const lastSeenAt = Math.max(state.lastSeenAt ?? 0, last?.startedAt ?? 0);
    return (staleAtOf(lastSeenAt, active, heartbeats) ?? Infinity) <= clock.now();
  });
  if (!flipped) return;
  meter.count("push.stale");
  log.info("push.stale", { check: id, lastSeen });
}

/** When a check becomes stale; undefined before its first result. Time in which no heartbeat could be received does not count. */
function staleAtOf(
  lastSeenAt: number | undefined,
  { check, activeSince }: ActiveCheck,
  { listeningSince }: Pick<Heartbeats, "listeningSince">,
): number | undefined {
  if (lastSeenAt === undefined) return undefined;
  return Math.max(lastSeenAt, activeSince, listeningSince()) + graceMs(check);
}

/** The interval times the rechecks. With none every heartbeat would be stale as it comes, so they count as one. */
function graceMs(check: Check): number {
  return check.intervalMinutes * MINUTE_MS * Math.max(1, rechecksOf(check));
}

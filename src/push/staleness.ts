import type { Bus } from "../bus/bus.ts";
import { checkTypeOf } from "../checks/registry.ts";
import { rechecksOf } from "../domain/check.ts";
import type { Check } from "../domain/check.ts";
import { failed } from "../domain/outcome.ts";
import { sleep } from "../kit/clock.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import { createTimerWheel, WHEEL_STEP_MS } from "../kit/timer-wheel.ts";
import type { ActiveCheck } from "../store/checks.ts";
import type { Transaction } from "../store/store.ts";
import { watchActiveChecks } from "../active-checks/watch-active-checks.ts";
import type { Watcher } from "../active-checks/watch-active-checks.ts";
import type { Heartbeats, HeartbeatState } from "./heartbeats.ts";
import { recordHeartbeat } from "./record-heartbeat.ts";
import type { HeartbeatDeps } from "./record-heartbeat.ts";

interface Deps extends HeartbeatDeps {
  readonly bus: Bus;
  readonly intake: Heartbeats;
  readonly flipped: () => void;
  readonly clock: Clock;
}

const MINUTE_MS = 60_000;
const LOOK_AGAIN_AFTER_MS = 5000;

/** Fails the checks that fell silent. A heartbeat costs nothing here: when a timer rings it is looked up when the last one came. */
export function createStalenessWatcher(deps: Deps): {
  readonly run: (signal: AbortSignal) => Promise<void>;
} {
  const { store, bus, intake, flipped, clock, log, meter } = deps;
  const wheel = createTimerWheel(clock.monotonic());
  const watched = new Map<number, ActiveCheck>();
  const looks = new Set<Promise<void>>();

  /** Gives the time at which to look again. */
  const look = async (active: ActiveCheck): Promise<number> => {
    // A check that is failing, or was never heard of, cannot become old sooner than this.
    const later = clock.now() + patienceOf(active.check);
    const pushed = await intake.find(active.check.id);
    if (pushed === undefined || pushed.state === "failing") return later;
    const dueAt = oldAt(pushed, active.activeSince, intake.listeningSince());
    if (dueAt === undefined) return later;
    if (dueAt > clock.now()) return dueAt;
    await declareOld(pushed, active);
    return later;
  };

  const declareOld = async (
    pushed: HeartbeatState,
    { check, activeSince }: ActiveCheck,
  ): Promise<void> => {
    const heardAt = new Date(pushed.lastSeenAt ?? 0).toISOString();
    const outcome = failed("stale", "Results are old", `The last result is from ${heardAt}`);
    // Heartbeats may have come while this waited for its turn, here or at another intake.
    const stillHolds = async (tx: Transaction): Promise<boolean> => {
      const last = await tx.results.last(check.no);
      pushed.lastSeenAt = Math.max(pushed.lastSeenAt ?? 0, last?.startedAt ?? 0);
      return (oldAt(pushed, activeSince, intake.listeningSince()) ?? Infinity) <= clock.now();
    };
    if (!(await recordHeartbeat({ pushed, outcome, at: clock.now(), stillHolds }, deps))) return;
    meter.count("push.stale");
    log.info("push.stale", { check: check.id, heardAt });
    flipped();
  };

  const ring = (active: ActiveCheck): void => {
    const looking = look(active)
      .catch((error: unknown) => {
        log.error("push.staleness_check_failed", {
          check: active.check.id,
          error: messageOf(error),
        });
        return clock.now() + LOOK_AGAIN_AFTER_MS;
      })
      .then((dueAt) => {
        looks.delete(looking);
        if (watched.get(active.check.no) === active)
          wheel.set(active.check.no, clock.monotonic() + Math.max(0, dueAt - clock.now()));
      });
    looks.add(looking);
  };

  const watch = (active: ActiveCheck): void => {
    watched.set(active.check.no, active);
    ring(active);
  };

  const followers: Watcher = {
    accepts({ check }) {
      const type = checkTypeOf(check.type);
      return type?.driver === "push" && type.prepare(check.parameters).failsWhenStale;
    },
    resume: watch,
    restart: watch,
    stop(checkNo) {
      watched.delete(checkNo);
      wheel.cancel(checkNo);
    },
  };

  return {
    async run(signal) {
      const error = (thrown: unknown): void =>
        log.error("push.check_sync_failed", { error: messageOf(thrown) });
      const resumed = watchActiveChecks(
        { checks: store.checks, changes: bus.changes, clock, failed: error },
        followers,
        signal,
      );
      while (!signal.aborted) {
        wheel.advance(clock.monotonic(), (checkNo) => {
          const active = watched.get(checkNo);
          if (active !== undefined) ring(active);
        });
        await sleep(clock, WHEEL_STEP_MS, signal);
      }
      await resumed;
      await Promise.all(looks);
    },
  };
}

/** When what we have of a check becomes old; undefined before its first result. Time in which it could not be heard does not count. */
function oldAt(pushed: HeartbeatState, activeSince: number, openSince: number): number | undefined {
  if (pushed.lastSeenAt === undefined) return undefined;
  return Math.max(pushed.lastSeenAt, activeSince, openSince) + patienceOf(pushed.record.check);
}

/** The interval times the rechecks. With none every heartbeat would be old as it comes, so they count as one. */
function patienceOf(check: Check): number {
  return check.intervalMinutes * MINUTE_MS * Math.max(1, rechecksOf(check));
}

import type { DueTick } from "../active-checks/due-tick.ts";
import { watchActiveChecks } from "../active-checks/watch-active-checks.ts";
import type { Watcher } from "../active-checks/watch-active-checks.ts";
import type { Bus } from "../bus/bus.ts";
import { checkTypeOf } from "../checks/registry.ts";
import { sleep } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import type { SteadyClock } from "../kit/time/steady-clock.ts";
import { WHEEL_STEP_MS } from "../kit/timer-wheel.ts";
import type { ActiveCheck } from "../store/checks.ts";
import type { Store } from "../store/store.ts";
import { createCheckTimers } from "./check-timers.ts";
import { createDueRuns } from "./due-runs.ts";
import { createMissedTickRecorder } from "./missed-tick-recorder.ts";
import { missedTick } from "./missed-ticks.ts";
import { isAheadOfClock, latestTickOf, missedBefore, recordedTick } from "./scheduled-check.ts";
import type { ScheduledCheck } from "./scheduled-check.ts";

interface Deps {
  readonly store: Pick<Store, "checks" | "write">;
  readonly bus: Pick<Bus, "changes">;
  /** Takes a tick to its verdict; false where it has none. */
  readonly resolveTick: (due: DueTick) => Promise<boolean>;
  readonly clock: SteadyClock;
  readonly log: Log;
  readonly meter: Meter;
}

export interface Scheduler {
  /** Runs every active check at its ticks until the signal aborts and the runs under way are over. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly checkCount: () => number;
}

/** A tick without a verdict is run again so soon, unless the next one comes before. */
const RETRY_AFTER_MS = 30_000;

export function createScheduler(deps: Deps): Scheduler {
  const { clock, log } = deps;
  const timers = createCheckTimers(clock);
  const retryIn = (check: ScheduledCheck, ms: number): void => {
    check.retryAt = clock.monotonic() + ms;
    timers.arm(check);
  };
  const undecided = (check: ScheduledCheck): void => {
    if (timers.includes(check)) retryIn(check, RETRY_AFTER_MS);
  };
  const runs = createDueRuns({ ...deps, undecided });
  const missed = createMissedTickRecorder({ ...deps, isScheduled: timers.includes });

  /** Starts the tick, and arms the timer for the next. A check whose run is still under way misses this one. */
  const start = (check: ScheduledCheck, tick: number): void => {
    const gap = missedBefore(check, tick);
    if (gap !== undefined) missed.add(check, gap);
    check.lastTick = tick;
    check.retryAt = undefined;
    check.isRetry = false;
    timers.arm(check);
    if (check.running !== undefined) {
      log.warn("scheduler.still_running", { check: check.active.check.id });
      missed.add(check, missedTick(tick, "still_running"));
      return;
    }
    const replaced = runs.add(check, tick);
    if (replaced !== undefined) missed.add(check, missedTick(replaced, "overloaded"));
  };

  /** Runs the latest tick again. */
  const retry = (check: ScheduledCheck): void => {
    check.retryAt = undefined;
    check.isRetry = true;
    timers.arm(check);
    if (check.running === undefined && check.lastTick !== undefined)
      runs.add(check, check.lastTick);
  };

  const fire = (check: ScheduledCheck): void => {
    const isRetryDue = (check.retryAt ?? Infinity) <= clock.monotonic();
    if (isRetryDue && clock.now() < check.nextTick) retry(check);
    else start(check, check.nextTick);
  };

  /** Starts the latest tick where it has not been run, or waits for the next. */
  const catchUp = (check: ScheduledCheck): void => {
    const latest = latestTickOf(check.active, clock.now());
    if (check.lastTick !== undefined && latest > check.lastTick) start(check, latest);
    else timers.arm(check);
  };

  clock.onStep(() => {
    for (const check of timers.all()) {
      if (isAheadOfClock(check.lastTick ?? 0, clock.now())) check.lastTick = undefined;
      catchUp(check);
    }
  });

  const stop = (checkNo: number): void => {
    const check = timers.remove(checkNo);
    if (check === undefined) return;
    runs.remove(check);
    missed.discard(check);
  };

  /** A check that was created, enabled or changed runs at once, under its new configuration alone. */
  const restart = (active: ActiveCheck): void => {
    stop(active.check.no);
    start(timers.add(active), clock.now());
  };

  /** Whatever tick has no result yet is run now, and those before it are recorded as missed. */
  const resume = (active: ActiveCheck): void => {
    const lastTick = recordedTick(active, clock.now());
    if (lastTick === undefined) return restart(active);
    stop(active.check.no);
    const check = timers.add(active);
    check.lastTick = lastTick;
    catchUp(check);
    // It was missed, or had no verdict.
    if (check.lastTick === lastTick && lastTick > (active.lastTick ?? 0)) retryIn(check, 0);
  };

  return {
    checkCount: timers.count,
    async run(signal) {
      const resumed = watch({ accepts: isProbed, resume, restart, stop }, deps, signal).then(() =>
        log.info("scheduler.ready", { checks: timers.count() }),
      );
      while (!signal.aborted) {
        runs.nextTurn();
        timers.advance(fire);
        await sleep(clock, WHEEL_STEP_MS, signal);
      }
      const recorded = missed.stop();
      await resumed;
      await runs.stop();
      await recorded;
    },
  };
}

function watch(watcher: Watcher, { store, bus, clock, log }: Deps, signal: AbortSignal) {
  const failed = (error: unknown): void =>
    log.error("scheduler.check_sync_failed", { error: messageOf(error) });
  return watchActiveChecks(
    { checks: store.checks, changes: bus.changes, clock, failed },
    watcher,
    signal,
  );
}

function isProbed({ check }: ActiveCheck): boolean {
  return checkTypeOf(check.type)?.driver === "probe";
}

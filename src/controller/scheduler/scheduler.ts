import type { DueTick } from "../../tracking/due-tick.ts";
import { watchActiveChecks, type Watcher } from "../../tracking/watch-active-checks.ts";
import type { Bus } from "../../bus/bus.ts";
import { checkTypeOf } from "../../checks/registry.ts";
import { sleep } from "../../kit/clock.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { SteadyClock } from "../../kit/time/steady-clock.ts";
import { WHEEL_STEP_MS } from "../../kit/time/timer-wheel.ts";
import type { Shards } from "../../store/shards.ts";
import type { Store } from "../../store/store.ts";
import { createCatchUpPace } from "./catch-up-pace.ts";
import { createCheckTimers } from "./check-timers.ts";
import { isAheadOfClock, latestTickOf, recordedTick } from "./scheduled-check.ts";
import { createTickStarts } from "./tick-starts.ts";
import type { HostLimits } from "../../kit/concurrency/host-limiter.ts";
import type { ActiveCheck } from "../../store/tables/checks.ts";

interface Deps {
  readonly store: Pick<Store, "write"> & {
    readonly checks: Pick<Store["checks"], "listActive" | "findActive">;
  };
  readonly bus: Pick<Bus, "changes">;
  /** Shards of the checks to run; all if checks are not shared. */
  readonly shards?: Shards;
  /** Runs a tick to its verdict; false if it has none. */
  readonly runTick: (due: DueTick) => Promise<boolean>;
  readonly hostLimits: HostLimits;
  readonly clock: SteadyClock;
  readonly log: Log;
  readonly meter: Meter;
}

export interface Scheduler {
  /** Runs every active check at its ticks until the signal aborts and the runs in progress have ended. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly checkCount: () => number;
}

/** Time during which only a few runs start until all checks are loaded, because more would delay loading. */
const RESUME_FIRST_MS = 15_000;
/** Maximum starts per turn, 400 a second: 20,000 one-minute checks have 333 ticks a second, and a tick still waiting at the check's next one is missed. */
const STARTS_WHILE_RESUMING = 20;

export function createScheduler(deps: Deps): Scheduler {
  const { clock, log } = deps;
  const timers = createCheckTimers(clock);
  const ticks = createTickStarts(deps, timers);
  const catchUps = createCatchUpPace(clock);

  const adjustToStep = (): void => {
    for (const check of timers.all()) {
      if (isAheadOfClock(check.lastTick ?? 0, clock.now())) check.lastTick = undefined;
      ticks.catchUp(check);
    }
  };

  const stop = (checkNo: number): void => {
    const check = timers.remove(checkNo);
    if (check === undefined) return;
    ticks.remove(check);
  };

  /** A check that was created, enabled or changed runs at once, under its new configuration alone. */
  const restart = (active: ActiveCheck): void => {
    stop(active.check.no);
    ticks.start(timers.add(active), clock.now());
  };

  /** A run in progress is as good as a new one. */
  const runNow = (checkNo: number): void => {
    const check = timers.find(checkNo);
    const now = clock.now();
    if (check !== undefined && check.running === undefined && now > (check.lastTick ?? 0))
      ticks.start(check, now);
  };

  /** Whatever tick has no result yet is run as soon as the others leave room, and those before it are recorded as missed. */
  const resume = (active: ActiveCheck): void => {
    stop(active.check.no);
    const check = timers.add(active);
    const now = clock.now();
    const lastTick = recordedTick(active, now);
    check.lastTick = lastTick;
    const tick = lastTick === undefined ? now : latestTickOf(active, now);
    if (tick > (lastTick ?? 0)) ticks.startIn(check, tick, catchUps.delayOf(active, now));
    // It had no verdict; what was missed is not run any more.
    else if (
      active.openGap?.kind === "undecided" &&
      active.openGap.lastTick > (active.lastTick ?? 0)
    )
      ticks.retryIn(check, catchUps.delayOf(active, now));
    else timers.arm(check);
  };

  return {
    checkCount: timers.count,
    async run(signal) {
      clock.onStep(() => {
        if (!signal.aborted) adjustToStep();
      });
      let beginAt = -Infinity;
      const reading = (isReading: boolean): void => {
        beginAt = isReading ? clock.monotonic() + RESUME_FIRST_MS : -Infinity;
        if (!isReading) log.info("scheduler.ready", { checks: timers.count() });
      };
      const resumed = watch(
        { accepts: isProbed, resume, restart, stop, runNow, reading },
        deps,
        signal,
      );
      while (!signal.aborted) {
        const turnAt = clock.monotonic();
        ticks.nextTurn(turnAt < beginAt ? STARTS_WHILE_RESUMING : undefined);
        timers.advance(ticks.fire);
        // Starts use part of the turn; a full pause after them would start fewer runs than are due.
        await sleep(clock, Math.max(0, turnAt + WHEEL_STEP_MS - clock.monotonic()), signal);
      }
      await ticks.stop(resumed);
    },
  };
}

function watch(watcher: Watcher, { store, bus, shards, clock, log }: Deps, signal: AbortSignal) {
  const failed = (error: unknown): void =>
    log.error("scheduler.check_sync_failed", { error: messageOf(error) });
  return watchActiveChecks(
    { checks: store.checks, changes: bus.changes, shards, clock, failed },
    watcher,
    signal,
  );
}

function isProbed({ check }: ActiveCheck): boolean {
  return checkTypeOf(check.type)?.driver === "probe";
}

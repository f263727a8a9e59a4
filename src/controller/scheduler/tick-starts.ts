import type { Clock } from "../../kit/clock.ts";
import type { SteadyClock } from "../../kit/time/steady-clock.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import { WHEEL_STEP_MS } from "../../kit/time/timer-wheel.ts";
import type { Store } from "../../store/store.ts";
import type { DueTick } from "../../tracking/due-tick.ts";
import type { CheckTimers } from "./check-timers.ts";
import { createDueRuns } from "./due-runs.ts";
import { createMissedTickRecorder } from "./missed-tick-recorder.ts";
import { missedTick } from "./missed-ticks.ts";
import { latestTickOf, missedBefore, type ScheduledCheck } from "./scheduled-check.ts";
import type { HostLimits } from "../../kit/concurrency/host-limiter.ts";

interface Deps {
  readonly store: Pick<Store, "write">;
  /** Runs a tick to its verdict; false if it has none. */
  readonly runTick: (due: DueTick) => Promise<boolean>;
  readonly hostLimits: HostLimits;
  readonly clock: SteadyClock;
  readonly log: Log;
  readonly meter: Meter;
}

/** Starts the ticks of scheduled checks, records those that were missed, and runs those again that have no verdict. */
export interface TickStarts {
  /** Starts the tick and arms the timer for the next. A check whose run is still in progress misses this one. */
  readonly start: (check: ScheduledCheck, tick: number) => void;
  /** Starts a tick that was due before after a while, as a retry, unless the check's next one comes first. */
  readonly startIn: (check: ScheduledCheck, tick: number, ms: number) => void;
  /** Starts what the check's timer was armed for. */
  readonly fire: (check: ScheduledCheck) => void;
  /** Starts the latest tick where it has not been run, or waits for the next. */
  readonly catchUp: (check: ScheduledCheck) => void;
  readonly retryIn: (check: ScheduledCheck, ms: number) => void;
  readonly remove: (check: ScheduledCheck) => void;
  /** Starts further runs, at most `most` if given; called once per turn of the event loop. */
  readonly nextTurn: (most?: number) => void;
  /** Records no more; ends the runs once `resumed` is over. */
  readonly stop: (resumed: Promise<void>) => Promise<void>;
}

/** Delay before a tick without a verdict is run again, unless the next tick comes first. */
const RETRY_AFTER_MS = 30_000;
const CATCH_UP_AGAIN_MS = 1000;

export function createTickStarts(deps: Deps, timers: CheckTimers): TickStarts {
  const { clock, log } = deps;
  const catchUps = createCatchUpTurns(clock);
  const { retryIn } = timers;
  const missed = createMissedTickRecorder({ ...deps, isScheduled: timers.includes });
  const undecided = (check: ScheduledCheck): void => {
    if (timers.includes(check) && !isOvertaken(check)) retryIn(check, RETRY_AFTER_MS);
  };
  const runs = createDueRuns({ ...deps, undecided, ended: missed.runEnded });

  /** Makes the tick the latest one. */
  const reach = (check: ScheduledCheck, tick: number): void => {
    const gap = missedBefore(check, tick);
    if (gap !== undefined) missed.add(check, gap);
    check.lastTick = tick;
    check.isCatchUp = false;
  };

  const start = (check: ScheduledCheck, tick: number): void => {
    reach(check, tick);
    check.retryAt = undefined;
    check.isRetry = false;
    timers.arm(check);
    if (check.running === undefined) {
      const replaced = runs.add(check, tick);
      if (replaced !== undefined) missed.add(check, missedTick(replaced, "overloaded"));
    } else {
      log.warn("scheduler.still_running", { check: check.active.check.id });
      missed.add(check, missedTick(tick, "still_running"));
    }
  };

  /** Runs the latest tick again, or for the first time where it was due before. */
  const retry = (check: ScheduledCheck): void => {
    if (check.isCatchUp && !catchUps.take())
      return retryIn(check, Math.min(CATCH_UP_AGAIN_MS, (check.nextTick - clock.now()) / 2));
    check.isCatchUp = false;
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

  const catchUp = (check: ScheduledCheck): void => {
    const latest = latestTickOf(check.active, clock.now());
    if (check.lastTick !== undefined && latest > check.lastTick) start(check, latest);
    else timers.arm(check);
  };

  return {
    start,
    startIn(check, tick, ms) {
      if (ms <= 0) return start(check, tick);
      reach(check, tick);
      check.isCatchUp = true;
      retryIn(check, ms);
    },
    fire,
    catchUp,
    retryIn,
    remove(check) {
      runs.remove(check);
      missed.discard(check);
    },
    nextTurn(most) {
      catchUps.nextTurn();
      runs.nextTurn(most);
    },
    async stop(resumed) {
      await Promise.all([missed.stop(), resumed.then(runs.stop)]);
    },
  };
}

/** Returns whether a newer tick replaces the missed one, which is then not run. */
function isOvertaken({ lastTick = 0, unrecorded }: ScheduledCheck): boolean {
  return (unrecorded.at(-1)?.lastTick ?? -Infinity) >= lastTick;
}

/** Maximum overdue runs started per turn of the scheduler; current runs come first. */
interface CatchUpTurns {
  readonly nextTurn: () => void;
  /** Whether one may begin in this turn; counts it. */
  readonly take: () => boolean;
}

/** 1,000 a second. */
const PER_TURN = 50;

/** After a turn this long, more is due than can be started. */
const LATE_MS = 3 * WHEEL_STEP_MS;

function createCatchUpTurns({ monotonic }: Pick<Clock, "monotonic">): CatchUpTurns {
  let turnAt = monotonic();
  let left = PER_TURN;
  return {
    nextTurn() {
      const now = monotonic();
      left = now - turnAt > LATE_MS ? 0 : PER_TURN;
      turnAt = now;
    },
    take() {
      if (left === 0) return false;
      left -= 1;
      return true;
    },
  };
}

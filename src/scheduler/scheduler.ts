import type { Answer, Dispatch } from "../bus/dispatch.ts";
import type { Bus } from "../bus/bus.ts";
import { jobOf } from "../bus/job.ts";
import { checkTypeOf } from "../checks/registry.ts";
import { rankLocations } from "../domain/location.ts";
import type { Location } from "../domain/location.ts";
import { unlessAborted } from "../kit/abort.ts";
import { sleep } from "../kit/clock.ts";
import type { Clock } from "../kit/clock.ts";
import { messageOf } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import { createTimerWheel, WHEEL_STEP_MS } from "../kit/timer-wheel.ts";
import type { ActiveCheck } from "../store/checks.ts";
import { watchActiveChecks } from "../active-checks/watch-active-checks.ts";
import type { Watcher } from "../active-checks/watch-active-checks.ts";
import type { Store, Transaction } from "../store/store.ts";
import { createRunQueue } from "./run-queue.ts";
import {
  isAheadOfClock,
  mergeMissed,
  latestTickOf,
  missedBefore,
  missedTick,
  tickAfter,
} from "./scheduled-check.ts";
import type { MissedTicks, ScheduledCheck } from "./scheduled-check.ts";

/** The first run of a tick, on its way to a verdict. */
export interface FirstRun {
  readonly active: ActiveCheck;
  readonly tick: number;
  readonly ranking: readonly Location[];
  /** Undefined where no location of the check's regions is live. */
  readonly answer: Answer | undefined;
  /** Ticks before it were missed, and the check may say so. */
  readonly missed: boolean;
  /** Aborts when the check is changed, disabled or removed: the series is over. */
  readonly signal: AbortSignal;
}

interface Deps {
  readonly store: Pick<Store, "checks" | "results" | "write">;
  readonly bus: Bus;
  readonly dispatch: Dispatch;
  /** Takes a first run to the end of its tick. */
  readonly settle: (run: FirstRun) => Promise<void>;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

export interface Scheduler {
  /** Runs every active check on its rhythm until the signal aborts and the runs under way are over. */
  readonly run: (signal: AbortSignal) => Promise<void>;
  readonly checkCount: () => number;
}

/** Room for 10,000 checks a minute that all time out three times, 5 s each; 4,000 begin within a second at most. */
const LIMITS = { maxRunning: 3000, maxStartsPerTurn: 200 };
/** How long runs may go on after the stop was asked for; their ticks are run again at the next start. */
const STOP_WITHIN_MS = 3000;
/** A wall clock that moved by more than this was set: every plan is made anew. */
const CLOCK_STEP_MS = 1000;

/** A tenth of the time at most goes into recording what was missed. */
const RECORDED_AT_A_TIME = 200;
const PAUSE_TO_WORK = 9;
const RECORD_AGAIN_AFTER_MS = 5000;
const MISSED: Readonly<Record<MissedTicks["reason"], string>> = {
  not_running: "the service was not running",
  still_running: "the run before was not over yet",
  overloaded: "too many runs were due",
};

export function createScheduler(deps: Deps): Scheduler {
  const { store, bus, dispatch, settle, clock, log, meter } = deps;
  const plans = new Map<number, ScheduledCheck>();
  const bySlot: (ScheduledCheck | undefined)[] = [];
  const freeSlots: number[] = [];
  const wheel = createTimerWheel(clock.monotonic());
  const underWay = new Set<Promise<void>>();
  let ahead = clock.now() - clock.monotonic();

  const unrecorded = new Set<ScheduledCheck>();
  let recording: Promise<void> | undefined;
  let stopping: AbortSignal | undefined;

  const plan = (active: ActiveCheck): ScheduledCheck => {
    unplan(active.check.no);
    const slot = freeSlots.pop() ?? bySlot.length;
    const made: ScheduledCheck = {
      active,
      slot,
      lastTick: undefined,
      nextTick: 0,
      running: undefined,
      unrecorded: [],
      hasMissedTicks: false,
    };
    plans.set(active.check.no, made);
    bySlot[slot] = made;
    return made;
  };
  const unplan = (checkNo: number): void => {
    const known = plans.get(checkNo);
    if (known === undefined) return;
    known.running?.abort();
    line.remove(known);
    unrecorded.delete(known);
    wheel.cancel(known.slot);
    plans.delete(checkNo);
    bySlot[known.slot] = undefined;
    freeSlots.push(known.slot);
  };

  const armNext = (due: ScheduledCheck): void => {
    due.nextTick = tickAfter(due.active, Math.max(clock.now(), due.lastTick ?? 0));
    wheel.set(due.slot, due.nextTick - ahead);
  };

  /** Runs the tick, and arms the next. A check that is still at its last one misses this one. */
  const fall = (due: ScheduledCheck, tick: number): void => {
    const gap = missedBefore(due, tick);
    if (gap !== undefined) miss(due, gap);
    due.lastTick = tick;
    armNext(due);
    if (due.running !== undefined) {
      log.warn("scheduler.still_running", { check: due.active.check.id });
      miss(due, missedTick(tick, "still_running"));
    } else {
      const overtaken = line.add(due, tick);
      if (overtaken !== undefined) miss(due, missedTick(overtaken, "overloaded"));
    }
  };

  const miss = (due: ScheduledCheck, gap: MissedTicks): void => {
    meter.count("scheduler.tick_missed", { reason: gap.reason }, gap.ticks);
    due.unrecorded = mergeMissed(due.unrecorded, [gap]);
    unrecorded.add(due);
    recording ??= recordMissed().finally(() => {
      recording = undefined;
    });
  };

  /** Many at a time and with pauses, for there is least time to spare when ticks are missed. */
  const recordMissed = async (): Promise<void> => {
    while (unrecorded.size > 0) {
      const began = clock.monotonic();
      const taken = [...unrecorded.keys().take(RECORDED_AT_A_TIME)].map(takeMissed);
      try {
        await store.write(async (tx) => {
          for (const { due, gaps } of taken) await record(tx, due, gaps);
        });
      } catch (error) {
        log.error("scheduler.missed_save_failed", {
          checks: taken.length,
          error: messageOf(error),
        });
        for (const { due, gaps } of taken) giveBack(due, gaps);
        await sleep(clock, RECORD_AGAIN_AFTER_MS, stopping);
      }
      if (stopping?.aborted === true) return;
      await sleep(clock, (clock.monotonic() - began) * PAUSE_TO_WORK, stopping);
    }
  };

  const takeMissed = (
    due: ScheduledCheck,
  ): { due: ScheduledCheck; gaps: readonly MissedTicks[] } => {
    const gaps = due.unrecorded;
    unrecorded.delete(due);
    due.unrecorded = [];
    // Whatever result comes from now on is stored after the gap, and ends it.
    due.hasMissedTicks = true;
    return { due, gaps };
  };

  const giveBack = (due: ScheduledCheck, gaps: readonly MissedTicks[]): void => {
    due.unrecorded = mergeMissed(gaps, due.unrecorded);
    if (bySlot[due.slot] === due) unrecorded.add(due);
  };

  const record = async (
    tx: Transaction,
    { active }: ScheduledCheck,
    gaps: readonly MissedTicks[],
  ): Promise<void> => {
    const { no } = active.check;
    for (const gap of gaps)
      await tx.states.recordGap(no, { kind: "missed", message: MISSED[gap.reason], ...gap });
    // Recorded late, the check may have a newer result already; its next one can be a day away.
    const last = await tx.results.last(no);
    if (last !== undefined && last.tick > (gaps.at(-1)?.lastTick ?? Infinity))
      await tx.states.closeGap(no);
  };

  const start = (due: ScheduledCheck, tick: number): void => {
    const controller = new AbortController();
    due.running = controller;
    meter.observe("scheduler.lateness", Math.max(0, clock.now() - tick));
    const run = carryOut(due, tick, controller.signal)
      .catch((error: unknown) =>
        log.error("scheduler.run_failed", { check: due.active.check.id, error: messageOf(error) }),
      )
      .finally(() => {
        underWay.delete(run);
        if (due.running === controller) due.running = undefined;
        line.finished();
      });
    underWay.add(run);
  };
  const line = createRunQueue(LIMITS, start);

  const carryOut = async (
    due: ScheduledCheck,
    tick: number,
    signal: AbortSignal,
  ): Promise<void> => {
    const { active } = due;
    const ranking = rankLocations(active.check, active.regions, bus.presence.live());
    const [first] = ranking;
    const answer =
      first && (await unlessAborted(dispatch(first.code, jobOf(active.check, tick, 1)), signal));
    if (signal.aborted) return;
    const missed = due.hasMissedTicks;
    due.hasMissedTicks = false;
    await settle({ active, tick, ranking, answer, missed, signal });
  };

  /** Whatever tick has no result yet is run now, and those before it are recorded as missed. */
  const resume = async (active: ActiveCheck): Promise<void> => {
    const last = await store.results.last(active.check.no);
    const planned = plan(active);
    const lastTick = Math.max(last?.tick ?? 0, active.openGap?.lastTick ?? 0);
    const changedAt = Math.max(active.activeSince, active.check.modifiedAt);
    if (lastTick < changedAt || isAheadOfClock(active, lastTick, clock.now())) {
      fall(planned, clock.now());
      return;
    }
    planned.lastTick = lastTick;
    catchUp(planned);
  };

  /** Runs the latest tick where it has not been run, or waits for the next. */
  const catchUp = (due: ScheduledCheck): void => {
    const latest = latestTickOf(due.active, clock.now());
    if (due.lastTick !== undefined && latest > due.lastTick) fall(due, latest);
    else armNext(due);
  };

  const replanAll = (): void => {
    const byMs = clock.now() - clock.monotonic() - ahead;
    log.warn("scheduler.clock_jump", { byMs });
    ahead += byMs;
    for (const known of plans.values()) {
      const { active, lastTick = 0 } = known;
      if (isAheadOfClock(active, lastTick, clock.now())) known.lastTick = undefined;
      catchUp(known);
    }
  };

  return {
    checkCount: () => plans.size,
    async run(signal) {
      stopping = signal;
      const failed = (error: unknown): void =>
        log.error("scheduler.check_sync_failed", { error: messageOf(error) });
      const followers: Watcher = {
        accepts: ({ check }) => checkTypeOf(check.type)?.driver === "probe",
        resume,
        // A check that was made, enabled or changed runs at once, under its new configuration alone.
        restart: (active) => fall(plan(active), clock.now()),
        stop: unplan,
      };
      const resumed = watchActiveChecks(
        { checks: store.checks, changes: bus.changes, clock, failed },
        followers,
        signal,
      ).then(() => log.info("scheduler.ready", { checks: plans.size }));
      while (!signal.aborted) {
        line.nextTurn();
        if (Math.abs(clock.now() - clock.monotonic() - ahead) > CLOCK_STEP_MS) replanAll();
        wheel.advance(clock.monotonic(), (slot) => {
          const due = bySlot[slot];
          if (due !== undefined) fall(due, due.nextTick);
        });
        await sleep(clock, WHEEL_STEP_MS, signal);
      }
      line.clear();
      await resumed;
      const grace = new AbortController();
      await Promise.race([Promise.all(underWay), sleep(clock, STOP_WITHIN_MS, grace.signal)]);
      grace.abort();
      for (const known of plans.values()) known.running?.abort();
      await Promise.all(underWay);
      await recording;
    },
  };
}

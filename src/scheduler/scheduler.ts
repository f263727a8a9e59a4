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
import { followActive } from "../store/follow-active.ts";
import type { Followers } from "../store/follow-active.ts";
import type { Store } from "../store/store.ts";
import { latestTickOf, missedBefore, tickAfter } from "./plan.ts";
import type { MissedTicks, Plan } from "./plan.ts";

/** The first run of a tick, on its way to a verdict. */
export interface FirstRun {
  readonly active: ActiveCheck;
  readonly tick: number;
  readonly ranking: readonly Location[];
  /** Undefined where no location of the check's regions is live. */
  readonly answer: Answer | undefined;
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
  readonly planned: () => number;
}

/** More runs at once would only make each other late; what is due beyond waits its turn. */
const MOST_RUNS_AT_ONCE = 1000;
/** How long runs may go on after the stop was asked for; their ticks are run again at the next start. */
const STOP_WITHIN_MS = 3000;
/** A wall clock that moved by more than this was set: every plan is made anew. */
const CLOCK_STEP_MS = 1000;

export function createScheduler(deps: Deps): Scheduler {
  const { store, bus, dispatch, settle, clock, log, meter } = deps;
  const plans = new Map<number, Plan>();
  const bySlot: (Plan | undefined)[] = [];
  const freeSlots: number[] = [];
  const wheel = createTimerWheel(clock.monotonic());
  const waiting: { readonly plan: Plan; readonly tick: number }[] = [];
  const underWay = new Set<Promise<void>>();
  let ahead = clock.now() - clock.monotonic();

  const plan = (active: ActiveCheck): Plan => {
    const slot = freeSlots.pop() ?? bySlot.length;
    const made: Plan = { active, slot, lastTick: undefined, nextTick: 0, running: undefined };
    plans.set(active.check.no, made);
    bySlot[slot] = made;
    return made;
  };

  const unplan = (checkNo: number): void => {
    const known = plans.get(checkNo);
    if (known === undefined) return;
    known.running?.abort();
    wheel.cancel(known.slot);
    plans.delete(checkNo);
    bySlot[known.slot] = undefined;
    freeSlots.push(known.slot);
  };

  const armNext = (due: Plan): void => {
    due.nextTick = tickAfter(due.active, Math.max(clock.now(), due.lastTick ?? 0));
    wheel.set(due.slot, due.nextTick - ahead);
  };

  /** Runs the tick, and arms the next. A check that is still at its last one misses this one. */
  const fall = (due: Plan, tick: number): void => {
    const missed = missedBefore(due, tick);
    if (missed !== undefined) miss(due, missed);
    due.lastTick = tick;
    armNext(due);
    if (due.running !== undefined) {
      log.warn("scheduler.still_running", { check: due.active.check.id });
      miss(due, { firstTick: tick, lastTick: tick, ticks: 1, reason: "still_running" });
      return;
    }
    if (underWay.size >= MOST_RUNS_AT_ONCE) waiting.push({ plan: due, tick });
    else start(due, tick);
  };

  const miss = (due: Plan, gap: MissedTicks): void => {
    const { check } = due.active;
    meter.count("scheduler.tick_missed", { reason: gap.reason }, gap.ticks);
    const message =
      gap.reason === "still_running"
        ? "the run before was not over yet"
        : "the service was not running";
    void store
      .write((tx) => tx.states.recordGap(check.no, { kind: "missed", message, ...gap }))
      .catch((error: unknown) =>
        log.error("scheduler.not_recorded", { check: check.id, error: messageOf(error) }),
      );
  };

  const start = (due: Plan, tick: number): void => {
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
        startNextWaiting();
      });
    underWay.add(run);
  };

  const startNextWaiting = (): void => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      if (bySlot[next.plan.slot] !== next.plan || next.plan.running !== undefined) continue;
      start(next.plan, next.tick);
      return;
    }
  };

  const carryOut = async ({ active }: Plan, tick: number, signal: AbortSignal): Promise<void> => {
    const ranking = rankLocations(active.check.id, active.regions, bus.presence.live());
    const [first] = ranking;
    const answer =
      first && (await unlessAborted(dispatch(first.code, jobOf(active.check, tick, 1)), signal));
    if (signal.aborted) return;
    await settle({ active, tick, ranking, answer, signal });
  };

  /** Whatever tick has no result yet is run now, and those before it are recorded as missed. */
  const resume = async (active: ActiveCheck): Promise<void> => {
    const last = await store.results.last(active.check.no);
    const planned = plan(active);
    const lastTick = Math.max(last?.tick ?? 0, active.trouble?.lastTick ?? 0);
    if (lastTick < active.activeSince) {
      fall(planned, clock.now());
      return;
    }
    planned.lastTick = lastTick;
    const latest = latestTickOf(active, clock.now());
    if (latest > lastTick) fall(planned, latest);
    else armNext(planned);
  };

  const replanAll = (): void => {
    const byMs = clock.now() - clock.monotonic() - ahead;
    log.warn("scheduler.clock_set", { byMs });
    ahead += byMs;
    for (const known of plans.values()) {
      // Set forward, as after a sleep: the ticks in between are missed. Set back: they come once more.
      if (byMs < 0) known.lastTick = undefined;
      armNext(known);
    }
  };

  return {
    planned: () => plans.size,
    async run(signal) {
      const failed = (error: unknown): void =>
        log.error("scheduler.follow_failed", { error: messageOf(error) });
      const followers: Followers = {
        wants: ({ check }) => checkTypeOf(check.type)?.driver === "probe",
        resume,
        // A check that was made, enabled or changed runs at once, under its new configuration alone.
        restart: (active) => fall(plan(active), clock.now()),
        stop: unplan,
      };
      const resumed = followActive(
        { checks: store.checks, changes: bus.changes, failed },
        followers,
        signal,
      ).then(() => log.info("scheduler.ready", { checks: plans.size }));
      while (!signal.aborted) {
        if (Math.abs(clock.now() - clock.monotonic() - ahead) > CLOCK_STEP_MS) replanAll();
        wheel.advance(clock.monotonic(), (slot) => {
          const due = bySlot[slot];
          if (due !== undefined) fall(due, due.nextTick);
        });
        await sleep(clock, WHEEL_STEP_MS, signal);
      }
      waiting.length = 0;
      await resumed;
      const grace = new AbortController();
      await Promise.race([Promise.all(underWay), sleep(clock, STOP_WITHIN_MS, grace.signal)]);
      grace.abort();
      for (const known of plans.values()) known.running?.abort();
      await Promise.all(underWay);
    },
  };
}

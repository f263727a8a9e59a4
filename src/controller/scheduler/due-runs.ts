import type { DueTick } from "../../tracking/due-tick.ts";
import { sleep, waitAtMost, type Clock } from "../../kit/clock.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import { createSlab } from "../../kit/slab.ts";
import { createRunSlots, type RunSlot } from "./run-slots.ts";
import { createRunQueue } from "./run-queue.ts";
import { runShareOf, type RunShare } from "./run-share.ts";
import type { ScheduledCheck } from "./scheduled-check.ts";
import type { HostLimits } from "../../kit/concurrency/host-limiter.ts";

interface Deps {
  /** Runs a tick to its verdict; false if it has none. */
  readonly runTick: (due: DueTick) => Promise<boolean>;
  /** Called when a run ended without a verdict, unless it was removed. */
  readonly undecided: (check: ScheduledCheck) => void;
  /** Called afterwards, however the run ended. */
  readonly ended: (check: ScheduledCheck) => void;
  readonly hostLimits: HostLimits;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
}

/** Runs of checks with a due tick: some are in progress, the others wait in order. */
export interface DueRuns {
  /** Returns the waiting tick that this one replaces: only the latest is run. */
  readonly add: (check: ScheduledCheck, tick: number) => number | undefined;
  /** Ends the check's run, or its wait for one. */
  readonly remove: (check: ScheduledCheck) => void;
  /** Starts further runs, at most `most` if given; called once per turn of the event loop. */
  readonly nextTurn: (most?: number) => void;
  /** Stops starting runs, and resolves when those in progress have ended; they are aborted after a while. */
  readonly stop: () => Promise<void>;
}

interface InFlight {
  readonly run: Promise<void>;
  readonly controller: AbortController;
  /** Whether it holds a slot; between two attempts it may have none. */
  readonly hasSlot: () => boolean;
}

/** Half of each lets a single account run 10,000 one-minute checks that all time out three times, 5 s each. */
const MAX_RUNNING = 3000;
const MAX_SLOW = 3000;
/** 4,000 begin within a second at most. */
const MAX_STARTS_PER_TURN = 200;
/** Controllers that are kept for other runs: each costs 1 µs and 1 KB to make, with its list of listeners. */
const MAX_UNUSED = 256;
/** Time that runs get to finish after a stop request; ticks of unfinished runs are run again at the next start. */
const STOP_WITHIN_MS = 3000;

export function createDueRuns(deps: Deps): DueRuns {
  const { runTick, undecided, ended, hostLimits, clock, log, meter } = deps;
  const running = createSlab<InFlight>();
  /** Unused controllers of finished runs, for reuse. */
  const unused: AbortController[] = [];

  const rests = createRestingRuns<ScheduledCheck>(clock);

  const start = (check: ScheduledCheck, tick: number, firstSlot: RunSlot): void => {
    let runSlot: RunSlot | undefined = firstSlot;
    const leavePlace = (): void => {
      if (runSlot !== undefined) queue.finished(runSlot);
      runSlot = undefined;
    };
    const controller = unused.pop() ?? new AbortController();
    check.running = controller;
    if (!check.isRetry) meter.observe("scheduler.lateness", Math.max(0, clock.now() - tick));
    const end = (hasVerdict: boolean): void => {
      running.take(slot);
      if (check.running === controller) check.running = undefined;
      leavePlace();
      const { aborted } = controller.signal;
      if (!aborted && unused.length < MAX_UNUSED) unused.push(controller);
      if (!hasVerdict && !aborted) undecided(check);
      ended(check);
    };
    const run = runTick({
      active: check.active,
      tick,
      known: check,
      consumeMissedFlag() {
        const { hasMissedTicks } = check;
        check.hasMissedTicks = false;
        return hasMissedTicks;
      },
      async rest(ms) {
        const { signal } = controller;
        leavePlace();
        runSlot = await rests.rest(check, { ms, signal, ask: () => queue.add(check, tick) });
      },
      signal: controller.signal,
    }).then(end, (error: unknown) => {
      logFailure(check, error, log);
      end(false);
    });
    const slot = running.add({ run, controller, hasSlot: () => runSlot !== undefined });
  };
  const queue = createRunQueue<ScheduledCheck>({
    slots: createRunSlots({ ...hostLimits, maxRunning: MAX_RUNNING, maxSlow: MAX_SLOW }, clock),
    maxStartsPerTurn: MAX_STARTS_PER_TURN,
    shareOf: (check) => shareOf(check, rests.isResting(check)),
    begin(check, tick, runSlot) {
      if (!rests.resume(check, runSlot)) start(check, tick, runSlot);
    },
    held: (reason) => meter.count("scheduler.run_delayed", { reason }),
  });

  return {
    add: queue.add,
    remove(check) {
      check.running?.abort();
      queue.remove(check);
    },
    nextTurn: queue.nextTurn,
    async stop() {
      queue.clear();
      const runs = running.items();
      for (const { controller, hasSlot } of runs) if (!hasSlot()) controller.abort();
      const allOver = Promise.all(runs.map(({ run }) => run));
      await waitAtMost(allOver, STOP_WITHIN_MS, clock);
      for (const { controller } of runs) controller.abort();
      await allOver;
    },
  };
}

/** The budget of a type counts ticks: a run that rested has its part already. */
function shareOf({ active }: ScheduledCheck, isResting: boolean): RunShare {
  const share = runShareOf(active);
  return isResting ? { ...share, maxPerMinute: undefined } : share;
}

function logFailure({ active }: ScheduledCheck, error: unknown, log: Log): void {
  const reason = messageOf(error);
  log.error("scheduler.run_failed", { check: active.check.id, error: reason }, reason);
}

interface Rest {
  readonly ms: number;
  readonly signal: AbortSignal;
  /** Asks for a new slot, which `resume` brings. */
  readonly ask: () => void;
}

/** Runs that gave up their slot until their next attempt. */
interface RestingRuns<Item> {
  /** Resolves with a new slot after the rest; undefined once the signal aborts. */
  readonly rest: (item: Item, rest: Rest) => Promise<RunSlot | undefined>;
  readonly isResting: (item: Item) => boolean;
  /** False where the item does not rest, so the slot is for a new run. */
  readonly resume: (item: Item, runSlot: RunSlot) => boolean;
}

function createRestingRuns<Item>(clock: Clock): RestingRuns<Item> {
  const resting = new Map<Item, (runSlot: RunSlot) => void>();
  return {
    async rest(item, { ms, signal, ask }) {
      await sleep(clock, ms, signal);
      if (signal.aborted) return undefined;
      return new Promise((resolve) => {
        const end = (runSlot: RunSlot | undefined): void => {
          signal.removeEventListener("abort", aborted);
          resting.delete(item);
          resolve(runSlot);
        };
        const aborted = (): void => end(undefined);
        signal.addEventListener("abort", aborted, { once: true });
        resting.set(item, end);
        ask();
      });
    },
    isResting: (item) => resting.has(item),
    resume(item, runSlot) {
      const end = resting.get(item);
      end?.(runSlot);
      return end !== undefined;
    },
  };
}

import { sleep, type Clock } from "../../kit/clock.ts";
import { messageOf } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import type { Meter } from "../../kit/meter.ts";
import type { Store, Transaction } from "../../store/store.ts";
import { mergeMissed, noneMissed, type MissedTicks } from "./missed-ticks.ts";
import type { ScheduledCheck } from "./scheduled-check.ts";

interface Deps {
  readonly store: Pick<Store, "write">;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** False for a check that was removed or changed: its missed ticks are not tried again. */
  readonly isScheduled: (check: ScheduledCheck) => boolean;
}

/**
 * Records missed ticks as gaps while none of the check's runs is in progress. If the process dies during a run, the next owner finds that tick and later ones
 * without result or gap, and continues from there.
 */
export interface MissedTickRecorder {
  readonly add: (check: ScheduledCheck, gap: MissedTicks) => void;
  /** Called when a run of the check has ended. */
  readonly runEnded: (check: ScheduledCheck) => void;
  /** Forgets what is not recorded yet of a check. */
  readonly discard: (check: ScheduledCheck) => void;
  /** Records no more; resolves when what is being written is. */
  readonly stop: () => Promise<void>;
}

const BATCH_CHECKS = 200;
/** A tenth of the time at most is spent on recording: there is least time to spare when ticks are missed. */
const PAUSE_TO_WORK = 9;
const RETRY_AFTER_MS = 5000;
const messages: Readonly<Record<MissedTicks["reason"], string>> = {
  not_running: "the service was not running",
  still_running: "the run before was not over yet",
  overloaded: "too many runs were due",
};

interface Batch {
  readonly check: ScheduledCheck;
  readonly gaps: readonly MissedTicks[];
}

export function createMissedTickRecorder(deps: Deps): MissedTickRecorder {
  const { store, clock, log, meter, isScheduled } = deps;
  const waiting = new Set<ScheduledCheck>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let recording: Promise<void> | undefined;

  const take = (check: ScheduledCheck): Batch => {
    const gaps = check.unrecorded;
    waiting.delete(check);
    check.unrecorded = noneMissed;
    // A result that comes from now on may be stored after the gap, and closes it.
    check.hasMissedTicks = true;
    return { check, gaps };
  };

  const putBack = ({ check, gaps }: Batch): void => {
    check.unrecorded = mergeMissed(gaps, check.unrecorded);
    if (isScheduled(check)) waiting.add(check);
  };

  const isIdle = ({ running }: ScheduledCheck): boolean => running === undefined;

  const nextBatches = (): readonly Batch[] =>
    [...waiting.keys().filter(isIdle).take(BATCH_CHECKS)].map(take);

  const recordAll = async (): Promise<void> => {
    for (;;) {
      const began = clock.monotonic();
      const batches = signal.aborted ? [] : nextBatches();
      if (batches.length === 0) return;
      try {
        await store.write((tx) => recordGaps(tx, batches, clock.now()), {
          checks: batches.map(({ check }) => check.active.check.no),
        });
        await sleep(clock, (clock.monotonic() - began) * PAUSE_TO_WORK, signal);
      } catch (error) {
        log.error("scheduler.missed_save_failed", {
          checks: batches.length,
          error: messageOf(error),
        });
        for (const batch of batches) putBack(batch);
        await sleep(clock, RETRY_AFTER_MS, signal);
      }
    }
  };

  const record = (): void => {
    recording ??= recordAll().finally(() => {
      recording = undefined;
      // A run may have ended between the last look and now.
      if (!signal.aborted && waiting.keys().some(isIdle)) record();
    });
  };

  return {
    add(check, gap) {
      meter.count("scheduler.tick_missed", { reason: gap.reason }, gap.ticks);
      check.unrecorded = mergeMissed(check.unrecorded, [gap]);
      waiting.add(check);
      record();
    },
    runEnded(check) {
      if (waiting.has(check)) record();
    },
    discard: (check) => void waiting.delete(check),
    async stop() {
      stopping.abort();
      await recording;
    },
  };
}

async function recordGaps(tx: Transaction, batches: readonly Batch[], now: number): Promise<void> {
  const checkNoOf = ({ check }: Batch): number => check.active.check.no;
  await tx.states.recordGaps(
    batches.flatMap((batch) =>
      batch.gaps.map((gap) => ({
        ...gap,
        checkNo: checkNoOf(batch),
        kind: "missed",
        message: messages[gap.reason],
      })),
    ),
  );
  // Recorded late, a check may have a newer result already; its next one can be a day away.
  const latest = await tx.results.latest(batches.map(checkNoOf));
  const newer: number[] = [];
  for (const batch of batches) {
    const no = checkNoOf(batch);
    const missed = batch.gaps.at(-1)?.lastTick ?? Infinity;
    if ((latest.get(no)?.tick ?? 0) <= missed) continue;
    const last = await tx.results.last(no, now);
    if (last !== undefined && last.tick > missed) newer.push(no);
  }
  await tx.states.closeGaps(newer);
}

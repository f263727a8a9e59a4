import { Worker } from "node:worker_threads";

import type { Clock } from "../../kit/clock.ts";
import { Unavailable } from "../../kit/errors.ts";
import type { Purge } from "./purge.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { HousekeepingTask, HousekeepingTaskDone } from "./housekeeping-worker.ts";
import { dayOf } from "./results.ts";
import type { Results } from "./results.ts";

export interface Housekeeping {
  readonly runOnce: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Deps {
  readonly path: string;
  readonly clock: Clock;
  readonly results: Results;
  readonly eraser: Purge;
  readonly commits: GroupCommit;
  readonly logBytes: () => number;
}

const DAY_MS = 86_400_000;
/** A month of minutes and one more day, so that the longest month is whole. */
const KEPT_DAYS = 31;
const FOLD_AT_RESULTS = 50_000;
const FOLD_AFTER_MS = 600_000;
/** A month of minutes of one check takes 112 pieces, a piece about a millisecond. */
const ERASED_PIECES_A_ROUND = 200;
export const MAX_WAL_BYTES = 16 * 1024 * 1024;

/** Keeps the database small and its log short, without ever making the main thread wait for the disk. */
export function createHousekeeping(deps: Deps): Housekeeping {
  const { path, clock, results, eraser, commits, logBytes } = deps;
  let worker: Worker | undefined;
  let foldedAt = clock.monotonic();
  /** Checks that were gone a round ago: since then, runs of them that were under way have come to their end. */
  let gone: readonly number[] = [];
  /** Those of them whose every result is in the table of its day. */
  let erasable: readonly number[] = [];

  const carryOut = (chore: HousekeepingTask): Promise<void> =>
    new Promise((resolve, reject) => {
      worker ??= new Worker(new URL("housekeeping-worker.ts", import.meta.url), {
        workerData: path,
      });
      const end = (error: Error | undefined): void => {
        worker?.removeListener("message", finished).removeListener("error", end);
        worker?.unref();
        if (error === undefined) resolve();
        else reject(new Unavailable(`database upkeep failed: ${error.message}`, { cause: error }));
      };
      const finished = ({ error }: HousekeepingTaskDone): void =>
        end(error === undefined ? undefined : new Error(error));
      worker.on("message", finished).on("error", end);
      worker.ref();
      worker.postMessage(chore);
    });

  const fold = async (): Promise<void> => {
    const isDue =
      results.uncompacted() >= FOLD_AT_RESULTS || clock.monotonic() - foldedAt >= FOLD_AFTER_MS;
    if (!isDue) return;
    foldedAt = clock.monotonic();
    for (const { write, committed } of results.beginCompaction()) await commit(write, committed);
    erasable = gone;
  };

  const commit = (write: () => void, committed: () => void = () => {}): Promise<void> =>
    new Promise((resolve, reject) => {
      commits.add({ run: async () => write(), results: [], committed, resolve, reject });
    });

  const erase = async (): Promise<void> => {
    let pieces = 0;
    /** False where the pieces of this round did not suffice. */
    const eraseAll = async (erasePiece: () => boolean): Promise<boolean> => {
      let done = false;
      while (!done && pieces < ERASED_PIECES_A_ROUND) {
        await commit(() => {
          done = erasePiece();
        });
        pieces += 1;
      }
      return done;
    };
    const tooOld = oldestKept();
    if (eraser.hasEvidence(tooOld)) await eraseAll(() => eraser.purgeEvidence(tooOld));
    if (eraser.hasAccounts()) await eraseAll(eraser.purgeAccounts);
    let erased = 0;
    for (const checkNo of erasable) {
      if (!(await eraseAll(() => eraser.purgeCheck(checkNo)))) break;
      erased += 1;
    }
    erasable = erasable.slice(erased);
    gone = eraser.checks();
  };

  const oldestKept = (): number => clock.now() - KEPT_DAYS * DAY_MS;

  const dropOldDays = async (): Promise<void> => {
    const oldest = dayOf(oldestKept());
    for (const day of results.days().filter((kept) => kept < oldest)) {
      results.dropDay(day);
      await commits.whilePaused(() => carryOut({ kind: "drop", table: `results_${day}` }));
    }
  };

  const restartLog = async (): Promise<void> => {
    if (logBytes() < MAX_WAL_BYTES) return;
    await carryOut({ kind: "write-back" });
    await commits.whilePaused(() => carryOut({ kind: "restart-log" }));
  };

  return {
    async runOnce() {
      await fold();
      await dropOldDays();
      await erase();
      await restartLog();
    },
    async close() {
      await worker?.terminate();
    },
  };
}

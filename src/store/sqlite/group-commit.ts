import type { DatabaseSync } from "node:sqlite";

import type { Result } from "../../domain/result.ts";
import { codeOf, messageOf, Unavailable } from "../../kit/errors.ts";

/** Work for the next commit. */
export interface PendingUnit {
  /** Runs under a savepoint of its own; undefined where there is nothing but results. */
  readonly run: (() => Promise<void>) | undefined;
  /** Results to be kept with it. */
  readonly results: readonly Result[];
  /** Called in the same turn as the commit, before anybody else can look. */
  readonly committed?: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommit {
  readonly add: (item: PendingUnit) => void;
  /** Runs something while no commit is under way and none begins; what arrives meanwhile waits. */
  readonly whilePaused: (task: () => Promise<void>) => Promise<void>;
  readonly writeError: () => string | undefined;
  /** Resolves once everything added so far is settled. */
  readonly drained: () => Promise<void>;
}

interface Deps {
  readonly database: DatabaseSync;
  /** Makes what was committed durable; a rejection is final, for nobody knows what the disk then holds. */
  readonly sync: () => Promise<void>;
  /** Called last in each transaction, with the results of all units that stayed. */
  readonly keep: (results: readonly Result[]) => void;
  /** Called in the same turn as the commit. */
  readonly kept: (results: readonly Result[]) => void;
}

/** One commit and one sync for all that wait: what arrives during a sync shares the next. */
export function createGroupCommit({ database, sync, keep, kept }: Deps): GroupCommit {
  let queue: PendingUnit[] = [];
  let trouble: string | undefined;
  let lost = false;
  let turn: Promise<void> = Promise.resolve();
  let scheduled = false;

  const inTurn = (task: () => Promise<void>): Promise<void> => {
    const mine = turn.then(task);
    turn = mine.catch(() => {});
    return mine;
  };

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    // The next turn of the loop, so that every request read in this one is in the batch.
    setImmediate(() => {
      void inTurn(async () => {
        scheduled = false;
        const batch = queue;
        queue = [];
        await commit(batch);
      });
    });
  };

  const commit = async (batch: readonly PendingUnit[]): Promise<void> => {
    const stayed: PendingUnit[] = [];
    try {
      if (lost) throw new Error(trouble);
      database.exec("BEGIN IMMEDIATE");
      for (const item of batch) {
        if (item.run === undefined || (await runUnderSavepoint(item.run, item.reject)))
          stayed.push(item);
      }
      const results = stayed.flatMap((item) => item.results);
      if (results.length > 0) keep(results);
      database.exec("COMMIT");
      kept(results);
      for (const item of stayed) item.committed?.();
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      trouble = messageOf(error);
      refuse(batch, error);
      return;
    }
    try {
      await sync();
    } catch (error) {
      lost = true;
      trouble = `the disk did not confirm a write, restart to see what it kept: ${messageOf(error)}`;
      refuse(stayed, error);
      return;
    }
    trouble = undefined;
    for (const item of stayed) item.resolve();
  };

  /** False where the unit threw; it has been rejected then. */
  const runUnderSavepoint = async (
    run: () => Promise<void>,
    reject: (error: unknown) => void,
  ): Promise<boolean> => {
    database.exec("SAVEPOINT unit");
    try {
      await run();
      database.exec("RELEASE unit");
      return true;
    } catch (error) {
      // A full or failing disk ends the whole transaction, not this unit alone.
      if (!database.isTransaction) throw error;
      database.exec("ROLLBACK TO unit");
      database.exec("RELEASE unit");
      if (isOfTheDisk(error)) throw error;
      reject(error);
      return false;
    }
  };

  return {
    add(item) {
      queue.push(item);
      schedule();
    },
    whilePaused: inTurn,
    writeError: () => trouble,
    async drained() {
      while (queue.length > 0 || scheduled) {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        await turn;
      }
      await turn;
    },
  };
}

function refuse(items: readonly PendingUnit[], cause: unknown): void {
  const error = new Unavailable(`cannot store anything now: ${messageOf(cause)}`, { cause });
  for (const item of items) item.reject(error);
}

/** Primary result codes (https://www.sqlite.org/rescode.html) that speak of the disk, not of the statement. */
const DISK_CODES = new Set([
  8 /* READONLY */, 10 /* IOERR */, 11 /* CORRUPT */, 13 /* FULL */, 14 /* CANTOPEN */,
]);

function isOfTheDisk(error: unknown): boolean {
  if (
    codeOf(error) !== "ERR_SQLITE_ERROR" ||
    typeof error !== "object" ||
    error === null ||
    !("errcode" in error)
  )
    return false;
  return typeof error.errcode === "number" && DISK_CODES.has(error.errcode & 0xff);
}

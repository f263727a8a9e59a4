import type { DatabaseSync } from "node:sqlite";

import type { Result } from "../../domain/run/result.ts";
import { codeOf, messageOf, Unavailable } from "../../kit/errors.ts";

/** Work for the next commit. */
export interface PendingUnit {
  /** Runs under a savepoint of its own; undefined where there is nothing but results. */
  readonly run: (() => Promise<void>) | undefined;
  /** Results to be stored with it. */
  readonly results: readonly Result[];
  /** Called in the same turn as the commit, before any other code can read. */
  readonly committed?: () => void;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface GroupCommit {
  readonly add: (item: PendingUnit) => void;
  /** Runs something while no commit is under way and none begins; units that arrive meanwhile wait. */
  readonly whilePaused: (task: () => Promise<void>) => Promise<void>;
  /** Results of the commit under way, by units that were not rolled back so far. */
  readonly uncommitted: () => readonly Result[];
  readonly writeError: () => string | undefined;
  /** Resolves once everything added so far is settled. */
  readonly drained: () => Promise<void>;
}

interface Deps {
  readonly database: DatabaseSync;
  /** Makes what was committed durable; a rejection is final, for what the disk then holds is unknown. */
  readonly sync: () => Promise<void>;
  /** Called last in each transaction, with the results of all units that were not rolled back. */
  readonly writeResults: (results: readonly Result[]) => void;
  /** Called in the same turn as the commit. */
  readonly committed: (results: readonly Result[]) => void;
  /** Called once a commit of units that ran something is durable, before they resolve. */
  readonly durable: () => void;
}

/** One commit and one sync for all that wait: what arrives during a sync shares the next. */
export function createGroupCommit(deps: Deps): GroupCommit {
  let queue: PendingUnit[] = [];
  let scheduled = false;
  const turns = createTurns();
  const commits = createCommits(deps);

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    // The next turn of the loop, so that every request read in this one is in the batch.
    setImmediate(() => {
      void turns.take(async () => {
        scheduled = false;
        const batch = queue;
        queue = [];
        await commits.commit(batch);
      });
    });
  };

  return {
    add(unit) {
      queue.push(unit);
      schedule();
    },
    whilePaused: turns.take,
    uncommitted: commits.uncommitted,
    writeError: commits.writeError,
    async drained() {
      while (queue.length > 0 || scheduled) {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        await turns.ended();
      }
      await turns.ended();
    },
  };
}

/** Tasks that run one after the other. */
function createTurns(): {
  readonly take: (task: () => Promise<void>) => Promise<void>;
  readonly ended: () => Promise<void>;
} {
  let last: Promise<void> = Promise.resolve();
  return {
    take(task) {
      const mine = last.then(task);
      last = mine.catch(() => {});
      return mine;
    },
    ended: () => last,
  };
}

function createCommits({ database, sync, writeResults, committed, durable }: Deps): {
  readonly commit: (batch: readonly PendingUnit[]) => Promise<void>;
  readonly uncommitted: () => readonly Result[];
  readonly writeError: () => string | undefined;
} {
  let error: string | undefined;
  let lost = false;
  /** Units of the commit under way, the one that runs last; none that was rolled back. */
  let done: PendingUnit[] = [];

  const write = async (batch: readonly PendingUnit[]): Promise<readonly Result[]> => {
    if (lost) throw new Error(error);
    database.exec("BEGIN IMMEDIATE");
    for (const unit of batch) {
      done.push(unit);
      if (unit.run !== undefined && !(await runUnderSavepoint(database, unit))) done.pop();
    }
    const results = done.flatMap((unit) => unit.results);
    if (results.length > 0) writeResults(results);
    database.exec("COMMIT");
    return results;
  };

  return {
    async commit(batch) {
      done = [];
      try {
        committed(await write(batch));
        for (const unit of done) unit.committed?.();
      } catch (thrown) {
        if (database.isTransaction) database.exec("ROLLBACK");
        error = messageOf(thrown);
        refuse(batch, thrown);
        done = [];
        return;
      }
      const units = done;
      done = [];
      try {
        await sync();
      } catch (thrown) {
        lost = true;
        error = `the disk did not confirm a write, restart to see what it kept: ${messageOf(thrown)}`;
        refuse(units, thrown);
        return;
      }
      error = undefined;
      // Most commits have nothing but results, which change no configuration.
      if (units.some(({ run }) => run !== undefined)) durable();
      for (const unit of units) unit.resolve();
    },
    uncommitted: () => done.flatMap((unit) => unit.results),
    writeError: () => error,
  };
}

/** False where the unit threw; it has been rejected then. */
async function runUnderSavepoint(
  database: DatabaseSync,
  { run, reject }: PendingUnit,
): Promise<boolean> {
  database.exec("SAVEPOINT unit");
  try {
    await run?.();
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
}

function refuse(items: readonly PendingUnit[], cause: unknown): void {
  const error = new Unavailable(`cannot store anything now: ${messageOf(cause)}`, { cause });
  for (const item of items) item.reject(error);
}

/** Primary result codes (https://www.sqlite.org/rescode.html) that are about the disk, not the statement. */
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

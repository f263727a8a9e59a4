import type { Result } from "../../domain/run/result.ts";
import type { Clock } from "../../kit/clock.ts";
import { codeOf, messageOf, Unavailable } from "../../kit/errors.ts";
import type { Interruptions } from "../../kit/interruptions.ts";
import { FILES_GONE } from "./disk/data-files.ts";
import { isDiskFull } from "./disk/reserve.ts";
import type { DiskShortage } from "./disk/shortage.ts";
import { createCommitWatch, type CommitWatch } from "./thread/commit-watch.ts";
import { MAY_BE_STORED, NOT_STORED, type PendingWrite } from "./thread/pending-write.ts";
import type { Statement } from "./thread/protocol.ts";
import type { CommitEnd, WriteConnection } from "./thread/write-connection.ts";

export type GroupCommit = ReturnType<typeof createGroupCommit>;

interface Deps {
  readonly connection: WriteConnection;
  /** Number of requests that the database has answered. */
  readonly answered: () => number;
  /** The last statement of a transaction, with the results of all units that were not rolled back. */
  readonly storeResults: (results: readonly Result[]) => Statement;
  /** Closes the gaps of checks. */
  readonly closeGaps: (checkNos: readonly number[]) => Statement;
  /** Called once results are durable, with the ID of their row. */
  readonly committed: (results: readonly Result[], rowId: number) => void;
  /** Called once a commit of transactions with work is durable, before they resolve. */
  readonly durable: () => void;
  /** Called if only the database knows what was committed. */
  readonly reconcile: () => void;
  readonly shortage: Pick<DiskShortage, "isShort" | "begin" | "dropped">;
  readonly clock: Pick<Clock, "monotonic" | "setTimer">;
  readonly interruptions: Pick<Interruptions, "begin"> | undefined;
}

/** One commit and one sync for all that wait: what arrives during a sync shares the next. */
export function createGroupCommit(deps: Deps) {
  const { answered, connection, clock, interruptions } = deps;
  let scheduled = false;
  const watch = createCommitWatch({
    answered,
    abandon: connection.abandon,
    clock,
    interruptions,
  });
  const turns = createTurns(watch);
  const commits = createCommits(deps, watch);

  const schedule = (): void => {
    if (scheduled) return;
    scheduled = true;
    // The next turn of the loop, so that every request read in this one is in the batch.
    setImmediate(() => {
      void turns.take(async () => {
        scheduled = false;
        await commits.commit(watch.takeWaiting());
        if (watch.waiting() > 0) schedule();
      });
    });
  };

  return {
    add(unit: PendingWrite): void {
      watch.add(unit);
      schedule();
    },
    /** Runs a task while no commit is in progress and none starts; new transactions wait. */
    whilePaused: turns.take,
    /** Results of the commit in progress, from transactions that were not rolled back. */
    uncommitted: commits.uncommitted,
    /** Results among them that are already committed, because readers of other committed data must see them too. */
    visible: commits.visible,
    writeError: watch.writeError,
    /** Name of a missing database file; undefined if all exist. */
    filesGone: commits.filesGone,
    /** Wait of the oldest pending commit; 0 if there is none. */
    oldestWaitMs: watch.oldestWaitMs,
    /** Resolves when everything added so far is settled and the database has responded. */
    async drained(): Promise<void> {
      while (watch.waiting() > 0 || scheduled) {
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
        await turns.ended();
      }
      await turns.ended();
    },
    /** Stops looking at how long units wait. */
    close: watch.close,
  };
}

/** How long a commit takes on units that accounts share, so that what waits for the next waits no longer for it. */
const MAX_SHARED_MS = 20;

/** Tasks that run one after the other. */
function createTurns({ turnBegan, turnEnded }: CommitWatch): {
  readonly take: (task: () => Promise<void>) => Promise<void>;
  readonly ended: () => Promise<void>;
} {
  let last: Promise<void> = Promise.resolve();
  return {
    take(task) {
      const mine = last.then(() => {
        turnBegan();
        return task();
      });
      last = mine.catch(() => {}).then(turnEnded);
      return mine;
    },
    ended: () => last,
  };
}

function createCommits(
  deps: Deps,
  watch: CommitWatch,
): {
  readonly commit: (batch: readonly PendingWrite[]) => Promise<void>;
  readonly filesGone: () => string | undefined;
  readonly uncommitted: () => readonly Result[];
  readonly visible: () => readonly Result[];
} {
  const { connection, storeResults, committed, durable, reconcile, shortage, clock } = deps;
  let [lost, gone]: (string | undefined)[] = [];
  const units = createUnitRuns(deps);

  /** Limited to what fits on a full disk. */
  const resultsToStore = (): readonly Result[] =>
    resultsOf(
      shortage.isShort() ? units.done().filter(({ isBulk }) => isBulk !== true) : units.done(),
    );
  const write = async (batch: PendingWrite[]): Promise<CommitEnd> => {
    units.clear();
    const refused = await begin(batch, { connection, watch, lost });
    if (refused !== undefined) return refused;
    try {
      for (const unit of batch) {
        const running = units.run(unit);
        if (running !== undefined) await running;
      }
      await runShared({ units, watch, clock }, batch);
      await units.closeGaps();
    } catch (error) {
      return { kind: "refused", error };
    }
    const results = resultsToStore();
    watch.commitBegan();
    return connection.commit(results.length > 0 ? storeResults(results) : undefined);
  };
  const succeed = (rowId: number): void => {
    const stored = units.done();
    const results = resultsToStore();
    shortage.dropped(resultsOf(stored).length - results.length);
    units.clear();
    if (results.length > 0) committed(results, rowId);
    for (const unit of stored) unit.committed?.();
    watch.commitEnded(undefined);
    // Most commits have nothing but results, which change no configuration.
    if (stored.some(({ run }) => run !== undefined)) durable();
    for (const unit of stored) unit.resolve();
  };
  const fail = (batch: readonly PendingWrite[], end: Exclude<CommitEnd, { kind: "durable" }>) => {
    units.clear();
    const because = messageOf(end.error);
    if (codeOf(end.error) === FILES_GONE) gone = lost = because;
    else if (end.kind === "unsynced")
      lost = `the disk did not confirm a write, restart to see what it kept: ${because}`;
    watch.commitEnded(lost ?? because);
    if (end.kind === "unknown") reconcile();
    const known = end.kind === "refused" ? NOT_STORED : MAY_BE_STORED;
    for (const unit of batch)
      unit.reject(new Unavailable(`${known}: ${because}`, { cause: end.error }));
  };

  return {
    async commit(first) {
      const batch = [...first];
      let end = await write(batch);
      while (end.kind !== "durable") {
        await connection.rollback();
        /* guard: a reserve for a full disk = then */ if (!(await madeRoom(deps, end))) {
          fail(batch, end);
          return;
        }
        end = await write(batch);
      }
      succeed(end.lastInsertRowid);
    },
    filesGone: () => gone,
    uncommitted: resultsToStore,
    visible: () => (connection.isVisible() ? resultsToStore() : []),
  };
}

function resultsOf(units: readonly PendingWrite[]): readonly Result[] {
  return units.flatMap(({ results }) => results);
}

interface Beginning extends Pick<Deps, "connection"> {
  readonly watch: Pick<CommitWatch, "takeShared">;
  /** Reason why nothing is written any more. */
  readonly lost: string | undefined;
}

/** Begins a transaction. Where that fails, adds to the batch all that accounts share, because that has its turn only once one has begun. */
async function begin(
  batch: PendingWrite[],
  { connection, watch, lost }: Beginning,
): Promise<Extract<CommitEnd, { kind: "refused" }> | undefined> {
  try {
    // guard: no writes after a lost sync
    if (lost !== undefined) throw new Error(lost);
    await connection.begin();
    return undefined;
  } catch (error) {
    for (let unit = watch.takeShared(); unit !== undefined; unit = watch.takeShared())
      batch.push(unit);
    return { kind: "refused", error };
  }
}

/** Adds to the batch what accounts share, until that has taken its time. */
async function runShared(
  {
    units,
    watch,
    clock,
  }: Pick<Deps, "clock"> & { readonly units: UnitRuns; readonly watch: CommitWatch },
  batch: PendingWrite[],
): Promise<void> {
  const until = clock.monotonic() + MAX_SHARED_MS;
  while (clock.monotonic() < until) {
    const unit = watch.takeShared();
    if (unit === undefined) return;
    const began = clock.monotonic();
    batch.push(unit);
    await units.run(unit);
    watch.used(unit, clock.monotonic() - began);
  }
}

/** Returns whether the same units can be tried again, with a part of the reserve to use. */
async function madeRoom(
  { connection, shortage }: Pick<Deps, "connection" | "shortage">,
  end: CommitEnd,
): Promise<boolean> {
  if (end.kind !== "refused" || !isDiskFull(end.error)) return false;
  if (!(await connection.makeRoom())) return false;
  shortage.begin();
  return true;
}

/** The units of a commit. */
type UnitRuns = ReturnType<typeof createUnitRuns>;

function createUnitRuns({ connection, closeGaps }: Pick<Deps, "connection" | "closeGaps">) {
  let done: PendingWrite[] = [];
  let closing: number[] = [];
  const close = async (): Promise<void> => {
    if (closing.length === 0) return;
    const statement = closeGaps(closing);
    closing = [];
    await connection.execute(statement);
  };
  const runBeside = async (unit: PendingWrite, work: () => Promise<void>): Promise<void> => {
    await close();
    done.push(unit);
    if (!(await runUnderSavepoint(connection, unit, work))) done.pop();
  };
  return {
    /** Undefined for a unit that runs nothing, as nearly all are. */
    run(unit: PendingWrite): Promise<void> | undefined {
      if (unit.run !== undefined) return runBeside(unit, unit.run);
      done.push(unit);
      if (unit.closesGapOf !== undefined) closing.push(unit.closesGapOf);
      return undefined;
    },
    /** Closes what is left of the gaps that units close which run nothing: in one statement before the next that runs something. */
    closeGaps: close,
    /** Transactions of the commit in progress that have run, without those rolled back. */
    done: (): readonly PendingWrite[] => done,
    clear(): void {
      done = [];
      closing = [];
    },
  };
}

/** False if the transaction threw, which rejects it. */
async function runUnderSavepoint(
  connection: WriteConnection,
  { reject }: PendingWrite,
  work: () => Promise<void>,
): Promise<boolean> {
  connection.beginUnit();
  try {
    await work();
    connection.endUnit();
    return true;
  } catch (error) {
    // A full or failing disk ends the whole transaction, not this unit alone.
    /* guard: a full disk refuses the batch */ if (!connection.isOpen() || isOfTheDisk(error))
      throw error;
    /* guard: a savepoint of each unit */ connection.undoUnit();
    reject(error);
    return false;
  }
}

/** Primary result codes (https://www.sqlite.org/rescode.html) that are about the disk, not the statement. */
const DISK_CODES = new Set([
  5 /* BUSY */, 8 /* READONLY */, 10 /* IOERR */, 11 /* CORRUPT */, 13 /* FULL */,
  14 /* CANTOPEN */,
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

import { closeSync, fsyncSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";

import { defaultLimits, type AccountLimits } from "../../domain/account/limits.ts";
import type { Result } from "../../domain/run/result.ts";
import { systemClock, type Clock } from "../../kit/clock.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import { Unavailable } from "../../kit/errors.ts";
import type { Interruptions } from "../../kit/interruptions.ts";
import type { Log } from "../../kit/log.ts";
import { noMeter, type Meter } from "../../kit/meter.ts";
import { createEventLoopBudget } from "../../kit/time/event-loop-budget.ts";
import { refuseUnfinishedCopy } from "../copy/copy-progress.ts";
import { withCaches } from "../caches.ts";
import { createPurge } from "../retention/purge.ts";
import { createReads, createUnitQueries } from "../tables/queries.ts";
import { HISTORY_KEPT_DAYS, SUMMARIES_KEPT_DAYS, type SummaryDays } from "../retention.ts";
import type { Store, Transaction } from "../store.ts";
import { appendUnder } from "../transactions/result-condition.ts";
import { createBackgroundWorker, type BackgroundWorker } from "./background-worker.ts";
import { createSqliteChangeFeed } from "./change-feed.ts";
import { kyselyOver, kyselyOverThread } from "./dialect.ts";
import { createDamageWatch } from "./damage.ts";
import { prepareReserve, withReserve } from "./disk/reserve.ts";
import { createDiskShortage, type DiskShortage } from "./disk/shortage.ts";
import { createSqliteEngine } from "./engine.ts";
import { createGroupCommit, type GroupCommit } from "./group-commit.ts";
import { createHousekeeping } from "./housekeeping.ts";
import {
  createAliveNote,
  expireLeases,
  lockFolder,
  openDatabase,
  openReader,
  prepareDatabase,
} from "./open-database.ts";
import { createRejectedResults } from "./retention/rejected-results.ts";
import { createSqlitePacking } from "./retention/result-packing.ts";
import { createResultPurge } from "./retention/result-purge.ts";
import { createResultStorage } from "./result-storage.ts";
import { createResults, type Results } from "./results.ts";
import { createDatabaseThread, type DatabaseThread } from "./thread/database-thread.ts";
import { createWriteConnection } from "./thread/write-connection.ts";

interface Options {
  readonly directory: string;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly log: Log;
  /** Called while commits fail. */
  readonly interruptions?: Pick<Interruptions, "begin" | "lost">;
  /** How long everything is kept that people look back at, but results. */
  readonly historyDays?: number;
  readonly summaryDays?: SummaryDays;
  /** Limits of an account; the store itself bounds only data that no request adds. */
  readonly limits?: AccountLimits;
  readonly meter?: Meter;
  /** Space that is kept for alarms when the disk is full. */
  readonly reserveBytes?: number;
  /** Opens the connection that writes. */
  readonly openThread?: (path: string) => DatabaseThread;
}

/**
 * Opens the embedded database of a data folder, makes it if need be, and keeps every other process out of it.
 *
 * Once it is open only the database thread writes, and syncs its log once for all units that wait: a unit resolves after that, so
 * what was acknowledged survives `kill -9` and a power cut just as with `synchronous = FULL`. The main thread reads.
 */
export async function openSqliteStore(options: Options): Promise<Store> {
  const { clock, sealer, log, historyDays = HISTORY_KEPT_DAYS } = options;
  const { meter = noMeter, limits = defaultLimits, summaryDays = SUMMARIES_KEPT_DAYS } = options;
  const shortage = createDiskShortage({ log, meter });
  const { path, lock, preparing, alive, reserve } = await prepareFolder(options, shortage);
  const reader = openReader(path);
  const feed = createSqliteChangeFeed(reader, log);
  preparing.close();

  const { thread, connection, results, commits } = createWriting(options, {
    path,
    reserve,
    shortage,
    reader,
    durable: feed.passOn,
    reconciled() {
      cached.clear();
      feed.passOn();
    },
  });
  const worker = createBackgroundWorker({ path, reserve, clock: waitClock });
  const writes = kyselyOverThread(connection.execute);
  const storage = createResultStorage({
    results,
    commits,
    rejected: createRejectedResults(writes, { clock, log, meter }),
    gapClosed: () => cached.clear(),
    clock,
  });
  const engine = createSqliteEngine(clock);
  const queryDeps = { engine, sealer, maxEvidenceBytes: limits.evidence };
  const latest: Transaction["results"]["latest"] = (checkNos) =>
    results.with(commits.uncommitted()).latest(checkNos);
  const unitQueries = createUnitQueries(writes, { ...queryDeps, latestResults: latest });
  const damage = createDamageWatch();
  const readDb = kyselyOver(reader, createEventLoopBudget(clock), damage);
  const reads = createReads(readDb, { ...queryDeps, latestResults: storage.latest });
  const cached = withCaches({ ...reads, changes: feed, results: storage }, { feed, clock });
  const inTx = createTransactions(commits, cached.clear);
  const purge = createPurge({
    access: { db: readDb, inTx: (work) => inTx([], () => work(writes)), engine },
    ofEngine: createResultPurge(results.days),
    clock,
    log,
    historyDays,
    summaryDays,
  });
  const packing = createSqlitePacking({ results, worker, db: writes, commits, clock, log, meter });
  const write = writeWith({ unitQueries, results, latest, commits, inTx });
  return {
    ...cached.reads,
    write,
    append: (result, also = {}) =>
      also.condition === undefined
        ? storage.append(result, also)
        : write((tx) => appendUnder(tx, result, also)),
    writeError: commits.writeError,
    readError: damage.found,
    oldestWaitMs: commits.oldestWaitMs,
    housekeepingError: worker.trouble,
    receptionBefore: () => alive.before,
    shortage: shortage.reason,
    filesGone: commits.filesGone,
    probeWrite: () => inTx([], () => alive.write(connection)),
    runHousekeeping: createHousekeeping({
      results: storage,
      purge,
      packing,
      commits,
      worker,
      shortage,
      walBytes: () => statSync(`${path}-wal`).size,
    }).runOnce,
    close: () => endWithin(CLOSE_MS, closeAll({ commits, worker, reader, thread, lock, log })),
  };
}

/** Brings the database of the folder into order, and keeps every other process out of it. */
async function prepareFolder(
  { directory, sealer, clock, log, interruptions, reserveBytes }: Options,
  shortage: Pick<DiskShortage, "begin">,
) {
  const path = join(directory, "watchpost.db");
  const use = { directory, bytes: reserveBytes ?? 0, released: shortage.begin };
  const lock = lockFolder(directory);
  const preparing = withReserve(use, () => openDatabase(path));
  try {
    withReserve(use, () => prepareDatabase(preparing, { path, directory, sealer }));
    await refuseUnfinishedCopy(kyselyOver(preparing));
    withReserve(use, () => expireLeases(preparing));
    const reserve = prepareReserve(directory, reserveBytes);
    if (reserveBytes !== undefined && reserve < reserveBytes)
      log.warn("store.reserve_small", { bytes: reserve, wanted: reserveBytes });
    syncFolder(directory);
    return {
      path,
      lock,
      preparing,
      alive: createAliveNote(preparing, clock, interruptions),
      reserve,
    };
  } catch (error) {
    preparing.close();
    lock.close();
    throw error;
  }
}

/** Hangs are measured in real time, whatever time the rest uses. */
const waitClock = systemClock;
const CLOSE_MS = 10_000;

interface Database {
  readonly path: string;
  readonly reserve: number;
  readonly shortage: DiskShortage;
  readonly reader: DatabaseSync;
  readonly durable: () => void;
  /** Called if something may have been committed without a notification. */
  readonly reconciled: () => void;
}

/** The database thread, and what it writes for units and their results. */
function createWriting(
  { clock, log, meter = noMeter, interruptions, sealer, openThread }: Options,
  { path, reserve, shortage, reader, durable, reconciled }: Database,
) {
  const thread =
    openThread?.(path) ?? createDatabaseThread({ path, reserve, clock: waitClock, log });
  const connection = createWriteConnection(thread, createEventLoopBudget(clock));
  const results = createResults({ writer: connection, reader, sealer, log, meter });
  const commits = createGroupCommit({
    connection,
    answered: thread.answered,
    storeResults: results.storeResults,
    closeGaps: (checkNos) => ({
      sql: "UPDATE gaps SET is_open = 0 WHERE is_open = 1 AND check_no IN (SELECT value FROM json_each(?))",
      parameters: [JSON.stringify(checkNos)],
    }),
    committed: results.addCommitted,
    durable,
    reconcile() {
      results.reconcile();
      reconciled();
    },
    shortage,
    clock: waitClock,
    interruptions,
  });
  return { thread, connection, results, commits };
}

interface Parts {
  readonly commits: Pick<GroupCommit, "drained" | "close" | "filesGone">;
  readonly worker: Pick<BackgroundWorker, "close">;
  readonly reader: DatabaseSync;
  readonly thread: Pick<DatabaseThread, "close">;
  readonly lock: DatabaseSync;
  readonly log: Log;
}

async function closeAll({ commits, worker, reader, thread, lock, log }: Parts): Promise<void> {
  await commits.drained();
  commits.close();
  await worker.close();
  // The last connection to close deletes the log at its path, which may belong to another database by now.
  if (commits.filesGone() !== undefined) return;
  reader.close();
  await thread.close();
  lock.close();
  log.info("store.closed");
}

async function endWithin(ms: number, ending: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = waitClock.setTimer(
    () => late.reject(new Unavailable(`the disk did not answer within ${ms / 1000} s`)),
    ms,
  );
  await Promise.race([ending, late.promise]);
  timer.cancel();
}

type InTransaction = <Value>(
  results: readonly Result[],
  run: () => Promise<Value>,
  accountId?: string,
) => Promise<Value>;

/** Runs work in the next commit, under its own savepoint. */
function createTransactions(commits: GroupCommit, committed: () => void): InTransaction {
  return async <Value>(
    results: readonly Result[],
    run: () => Promise<Value>,
    accountId?: string,
  ): Promise<Value> => {
    let returned: { readonly value: Value } | undefined;
    await new Promise<void>((resolve, reject) => {
      commits.add({
        run: async () => {
          returned = { value: await run() };
        },
        accountId,
        results,
        committed,
        resolve,
        reject,
      });
    });
    if (returned === undefined) throw new Unavailable("the unit did not run");
    return returned.value;
  };
}

interface Writing {
  readonly unitQueries: Omit<Transaction, "results">;
  readonly results: Results;
  readonly latest: Transaction["results"]["latest"];
  readonly commits: GroupCommit;
  readonly inTx: InTransaction;
}

/** Units run one after the other, so the checks that one names need no lock. */
function writeWith({ unitQueries, results, latest, commits, inTx }: Writing): Store["write"] {
  return (unit, { accountId } = {}) => {
    const appended: Result[] = [];
    const run = () =>
      unit({
        ...unitQueries,
        results: {
          append: (result) => Promise.resolve(void appended.push(result)),
          last: (checkNo, by) => results.with(commits.uncommitted()).last(checkNo, by),
          recent: (query) => results.with(commits.uncommitted()).recent(query),
          latest,
        },
      });
    return inTx(appended, run, accountId);
  };
}

/** A file whose name is not on disk is not there after a power cut, however well it was synced itself. */
function syncFolder(directory: string): void {
  const folder = openSync(directory, "r");
  fsyncSync(folder);
  closeSync(folder);
}

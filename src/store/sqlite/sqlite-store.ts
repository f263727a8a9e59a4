import { closeSync, fdatasync, fstatSync, fsyncSync, openSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { Result } from "../../domain/run/result.ts";
import type { Clock } from "../../kit/clock.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import { Unavailable } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import { noMeter } from "../../kit/meter.ts";
import type { Meter } from "../../kit/meter.ts";
import { withCaches } from "../queries/caches.ts";
import { createPurge } from "../queries/retention/purge.ts";
import { createQueries } from "../queries/queries.ts";
import { HISTORY_KEPT_DAYS } from "../retention.ts";
import type { Store, Transaction } from "../store.ts";
import { createBackgroundWorker } from "./background-worker.ts";
import { createChangeFeed } from "./change-feed.ts";
import { kyselyOver } from "./dialect.ts";
import { createSqliteEngine } from "./engine.ts";
import { createGroupCommit } from "./group-commit.ts";
import type { GroupCommit } from "./group-commit.ts";
import { createHousekeeping } from "./housekeeping.ts";
import { lockFolder, openDatabase, prepareDatabase } from "./open-database.ts";
import { createRejectedResults } from "./retention/rejected-results.ts";
import { createResultPurge } from "./retention/result-purge.ts";
import { createResultStorage } from "./result-storage.ts";
import { createResults } from "./results.ts";
import type { Results } from "./results.ts";

interface Options {
  readonly directory: string;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly log: Log;
  /** How long everything is kept that people look back at, but results. */
  readonly historyDays?: number;
  readonly meter?: Meter;
}

/**
 * Opens the embedded database of a data folder, makes it if need be, and keeps every other process out of it.
 *
 * The log is synced by us, off the main thread, once for all units that wait; SQLite itself only writes. A unit resolves after
 * that sync, so what was acknowledged survives `kill -9` and a power cut just as with `synchronous = FULL`.
 */
export function openSqliteStore(options: Options): Promise<Store> {
  const { directory, clock, sealer, log, historyDays = HISTORY_KEPT_DAYS } = options;
  const { meter = noMeter } = options;
  const path = join(directory, "watchpost.db");
  const lock = lockFolder(directory);
  const writer = openDatabase(path);
  prepareDatabase(writer, { path, directory, sealer });
  const logFile = openSync(`${path}-wal`, "r+");
  syncFolder(directory);
  const reader = new DatabaseSync(path, { readOnly: true });

  const results = createResults({ writer, reader });
  const feed = createChangeFeed(reader, log);
  const commits = createGroupCommit({
    database: writer,
    sync: () => syncFile(logFile),
    writeResults: results.writeJournal,
    committed: results.addCommitted,
    durable: feed.passOn,
  });
  const worker = createBackgroundWorker(path);
  const writes = kyselyOver(writer);
  const storage = createResultStorage({
    results,
    commits,
    rejected: createRejectedResults(writes, { clock, log, meter }),
    clock,
  });
  const engine = createSqliteEngine(clock);
  const unitQueries = createQueries(writes, {
    engine,
    sealer,
    lastTicks: async (checkNos) =>
      new Map([...results.lastTicks(checkNos), ...ticksOf(commits.uncommitted())]),
  });
  const readDb = kyselyOver(reader);
  const reads = createQueries(readDb, { engine, sealer, lastTicks: storage.lastTicks });
  const cached = withCaches({ ...reads, changes: feed, results: storage }, { feed, clock });
  const inUnit = createUnits(commits, cached.clear);
  const purge = createPurge({
    access: { db: readDb, inUnit: (work) => inUnit([], () => work(writes)), engine },
    ofEngine: createResultPurge(results.days),
    clock,
    log,
    historyDays,
  });
  const housekeeping = createHousekeeping({
    results: storage,
    purge,
    commits,
    worker,
    walBytes: () => fstatSync(logFile).size,
  });

  return Promise.resolve({
    ...cached.reads,
    write: writeWith({ unitQueries, results, commits, inUnit }),
    append: storage.append,
    writeError: commits.writeError,
    runHousekeeping: housekeeping.runOnce,
    async close() {
      await commits.drained();
      await worker.close();
      closeSync(logFile);
      reader.close();
      writer.close();
      lock.close();
      log.info("store.closed");
    },
  });
}

type InUnit = <Value>(results: readonly Result[], run: () => Promise<Value>) => Promise<Value>;

/** Runs work in the next commit, under a savepoint of its own. */
function createUnits(commits: GroupCommit, committed: () => void): InUnit {
  return async <Value>(results: readonly Result[], run: () => Promise<Value>): Promise<Value> => {
    let returned: { readonly value: Value } | undefined;
    await new Promise<void>((resolve, reject) => {
      commits.add({
        run: async () => {
          returned = { value: await run() };
        },
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
  readonly commits: GroupCommit;
  readonly inUnit: InUnit;
}

/** Units run one after the other, so the checks that one names need no lock. */
function writeWith({ unitQueries, results, commits, inUnit }: Writing): Store["write"] {
  return (unit) => {
    const appended: Result[] = [];
    return inUnit(appended, () =>
      unit({
        ...unitQueries,
        results: {
          append: (result) => Promise.resolve(void appended.push(result)),
          last: (checkNo) => Promise.resolve(results.lastWith(checkNo, commits.uncommitted())),
        },
      }),
    );
  };
}

function ticksOf(results: readonly Result[]): readonly (readonly [number, number])[] {
  return results.map(({ checkNo, tick }) => [checkNo, tick]);
}

function syncFile(file: number): Promise<void> {
  return new Promise((resolve, reject) => {
    fdatasync(file, (error) => (error === null ? resolve() : reject(error)));
  });
}

/** A file whose name is not on disk is not there after a power cut, however well it was synced itself. */
function syncFolder(directory: string): void {
  const folder = openSync(directory, "r");
  fsyncSync(folder);
  closeSync(folder);
}

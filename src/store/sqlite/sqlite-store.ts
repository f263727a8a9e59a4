import { closeSync, fdatasync, fstatSync, fsyncSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { Account } from "../../domain/account.ts";
import type { Result } from "../../domain/result.ts";
import type { Clock } from "../../kit/clock.ts";
import { AppError, Conflict, messageOf, Unavailable } from "../../kit/errors.ts";
import { makePrivateFolder } from "../../kit/private-folder.ts";
import type { Log } from "../../kit/log.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import type { CheckRecord } from "../checks.ts";
import type { Store, Transaction } from "../store.ts";
import { createAccounts } from "../queries/accounts.ts";
import { createAlerts } from "../queries/alerts.ts";
import { createChecks } from "../queries/checks.ts";
import { createContacts } from "../queries/contacts.ts";
import { createDeliveries } from "../queries/deliveries.ts";
import { createDiagnostics } from "../queries/diagnostics.ts";
import { kyselyOver } from "./dialect.ts";
import { createPurge } from "./purge.ts";
import { createEvidence } from "../queries/evidence.ts";
import { createGroupCommit } from "./group-commit.ts";
import { createGroups } from "../queries/groups.ts";
import { createSystemMails } from "../queries/system-mails.ts";
import { createMaintenances } from "../queries/maintenances.ts";
import { createReadCache } from "./read-cache.ts";
import { migrate } from "./migrate.ts";
import { createProfiles } from "../queries/profiles.ts";
import { createResults } from "./results.ts";
import { createSchedules } from "../queries/schedules.ts";
import { createStates } from "../queries/states.ts";
import { createTokens } from "../queries/tokens.ts";
import { createHousekeeping, MAX_WAL_BYTES } from "./housekeeping.ts";

interface Options {
  readonly directory: string;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly log: Log;
}

/**
 * Opens the embedded database of a data folder, makes it if need be, and keeps every other process out of it.
 *
 * The log is synced by us, off the main thread, once for all units that wait; SQLite itself only writes. A unit resolves after
 * that sync, so what was acknowledged survives `kill -9` and a power cut just as with `synchronous = FULL`.
 */
export function openSqliteStore({ directory, clock, sealer, log }: Options): Promise<Store> {
  const path = join(directory, "watchpost.db");
  const lock = lockFolder(directory);
  const writer = openDatabase(path);
  takeOver(writer, { path, directory, sealer });
  const logFile = openSync(`${path}-wal`, "r+");
  syncFolder(directory);
  const reader = new DatabaseSync(path, { readOnly: true });

  const results = createResults({ writer, reader });
  const commits = createGroupCommit({
    database: writer,
    sync: () =>
      new Promise((resolve, reject) => {
        fdatasync(logFile, (error) => (error === null ? resolve() : reject(error)));
      }),
    keep: results.journal,
    kept: results.addCommitted,
  });
  const upkeep = createHousekeeping({
    path,
    clock,
    results,
    eraser: createPurge({ writer, reader, results }),
    commits,
    logBytes: () => fstatSync(logFile).size,
  });

  const aggregates = (database: DatabaseSync) => {
    const queries = kyselyOver(database);
    return {
      accounts: createAccounts(queries),
      contacts: createContacts(queries, { sealer }),
      groups: createGroups(queries),
      profiles: createProfiles(queries),
      schedules: createSchedules(queries),
      checks: createChecks(queries, { sealer, lastResult: results.last }),
      maintenances: createMaintenances(queries),
      states: createStates(queries),
      alerts: createAlerts(queries, { sealer }),
      deliveries: createDeliveries(queries),
      systemMails: createSystemMails(queries, { sealer }),
      diagnostics: createDiagnostics(queries),
      evidence: createEvidence(queries),
      tokens: createTokens(queries),
    };
  };
  const writes = aggregates(writer);
  const reads = aggregates(reader);

  const callers = createReadCache<Account>();
  const records = createReadCache<CheckRecord>();
  const committed = (): void => {
    callers.clear();
    records.clear();
  };
  const enqueue = (kept: readonly Result[], run?: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      commits.add({
        run,
        results: kept,
        ...(run === undefined ? {} : { committed }),
        resolve,
        reject,
      });
    });

  return Promise.resolve({
    ...reads,
    accounts: {
      ...reads.accounts,
      findByToken: (digest: string) =>
        callers.read(digest, () => reads.accounts.findByToken(digest)),
    },
    checks: {
      ...reads.checks,
      find: (accountId: string, id: string) =>
        records.read(`${accountId} ${id}`, () => reads.checks.find(accountId, id)),
    },
    results: { last: results.last, page: results.page },
    async write<Value>(unit: (tx: Transaction) => Promise<Value>): Promise<Value> {
      const added: Result[] = [];
      const append = (result: Result): Promise<void> => Promise.resolve(void added.push(result));
      let value: { readonly of: Value } | undefined;
      await enqueue(added, async () => {
        value = { of: await unit({ ...writes, results: { append, last: results.last } }) };
      });
      if (value === undefined) throw new Unavailable("the unit did not run");
      return value.of;
    },
    append: (result: Result) => enqueue([result]),
    writeError: commits.writeError,
    runHousekeeping: upkeep.runOnce,
    async close() {
      await commits.drained();
      await upkeep.close();
      closeSync(logFile);
      reader.close();
      writer.close();
      lock.close();
      log.info("store.closed");
    },
  });
}

/** Two processes on one database would each run every check. The lock goes with the process, however it ends. */
function lockFolder(directory: string): DatabaseSync {
  try {
    makePrivateFolder(directory);
    const lock = new DatabaseSync(join(directory, "lock"));
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    if (messageOf(error).includes("locked")) {
      throw new Conflict(
        `another watchpost is running on the data folder ${JSON.stringify(directory)}`,
        { cause: error },
      );
    }
    throw new Unavailable(
      `the data folder ${JSON.stringify(directory)} cannot be written: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

function openDatabase(path: string): DatabaseSync {
  try {
    const database = new DatabaseSync(path);
    database.exec(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA foreign_keys = ON",
    );
    return database;
  } catch (error) {
    throw new Unavailable(
      `the database ${JSON.stringify(path)} cannot be opened: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** Brings what an earlier process left into order. */
function takeOver(
  database: DatabaseSync,
  { path, directory, sealer }: Pick<Options, "directory" | "sealer"> & { readonly path: string },
): void {
  try {
    shortenLog(database, path);
    migrate(database);
    database.exec(
      "INSERT INTO meta VALUES ('opens', '1') ON CONFLICT DO UPDATE SET value = value + 1",
    );
    checkKey(database, sealer, directory);
    // Whoever held these alerts is gone, for the folder is ours alone; nobody knows how far their attempts came.
    database.exec("UPDATE alerts SET lease_until = 0 WHERE lease_until IS NOT NULL");
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new Unavailable(
      `the database ${JSON.stringify(path)} cannot be written: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** Whoever is killed again and again before the upkeep comes round would fill the disk with the log. */
function shortenLog(database: DatabaseSync, path: string): void {
  const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes >= MAX_WAL_BYTES) database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

/** With another key no check could be read again, so it is better not to start. */
function checkKey(database: DatabaseSync, sealer: Sealer, directory: string): void {
  const known = database.prepare("SELECT value FROM meta WHERE key = 'sealed'").get()?.value;
  if (known === undefined) {
    const sealed = Buffer.from(sealer.seal("watchpost")).toString("hex");
    database.prepare("INSERT INTO meta VALUES ('sealed', ?)").run(sealed);
    return;
  }
  try {
    sealer.open(Buffer.from(String(known), "hex"));
  } catch (error) {
    const message = `the data folder ${JSON.stringify(directory)} was written with another instance key`;
    throw new Conflict(message, { cause: error });
  }
}

/** A file whose name is not on disk is not there after a power cut, however well it was synced itself. */
function syncFolder(directory: string): void {
  const folder = openSync(directory, "r");
  fsyncSync(folder);
  closeSync(folder);
}

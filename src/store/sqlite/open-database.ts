import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { Clock } from "../../kit/clock.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import { AppError, InUse, messageOf, Unavailable } from "../../kit/errors.ts";
import type { Interruptions } from "../../kit/interruptions.ts";
import { createPrivateFolder } from "../../kit/private-folder.ts";
import { lostBefore, receptionToKeep, type EarlierReception } from "../heartbeat-reception.ts";
import { KEY_CHECK, createKeyCheck, verifyKeyCheck } from "../sealed-word.ts";
import { damagedSentence, isDamage } from "./damage.ts";
import { openConnection } from "./thread/connection.ts";
import type { Statements } from "./thread/write-connection.ts";
import { MAX_WAL_BYTES } from "./housekeeping.ts";
import { migrate } from "./migrate.ts";

interface DataFolder {
  readonly path: string;
  readonly directory: string;
  readonly sealer: Sealer;
}

/** Two processes on one database would each run every check. The lock goes with the process, however it ends. */
export function lockFolder(directory: string): DatabaseSync {
  try {
    createPrivateFolder(directory);
    const lock = new DatabaseSync(join(directory, "lock"));
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF");
    // Locking an empty file writes a page, for which a full disk has no room.
    if (lock.prepare("PRAGMA page_count").get()?.["page_count"] === 0)
      lock.exec("PRAGMA user_version = 1");
    // guard: one process on a data folder
    lock.exec("BEGIN EXCLUSIVE");
    return lock;
  } catch (error) {
    if (messageOf(error).includes("locked")) {
      throw new InUse(
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

export function openDatabase(path: string): DatabaseSync {
  try {
    return openConnection(path);
  } catch (error) {
    const why = isDamage(error) ? damagedSentence(error) : messageOf(error);
    throw new Unavailable(`${JSON.stringify(path)} cannot be opened: ${why}`, { cause: error });
  }
}

/** Only for reads, which the main thread may do: they never wait for a write. */
export function openReader(path: string): DatabaseSync {
  const reader = new DatabaseSync(path, { readOnly: true });
  reader.exec("PRAGMA temp_store = MEMORY");
  return reader;
}

/** Brings what an earlier process left into order. */
export function prepareDatabase(
  database: DatabaseSync,
  { path, directory, sealer }: DataFolder,
): void {
  try {
    shortenLog(database, path);
    migrate(database);
    // Statistics of an ANALYZE on a nearly empty table would make SQLite scan all rows from then on.
    database.exec("DROP TABLE IF EXISTS sqlite_stat1; DROP TABLE IF EXISTS sqlite_stat4");
    database.exec(
      "INSERT INTO meta VALUES ('opens', '1') ON CONFLICT DO UPDATE SET value = value + 1",
    );
    checkKey(database, sealer, directory);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new Unavailable(
      `the database ${JSON.stringify(path)} cannot be written: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** The process that claimed these alerts is gone, for only one uses the folder; how far its attempts came is unknown. */
export function expireLeases(database: DatabaseSync): void {
  database.exec("UPDATE alerts SET lease_until = 0 WHERE lease_until IS NOT NULL");
}

/** A process that is killed again and again before its first housekeeping would fill the disk with the log. */
function shortenLog(database: DatabaseSync, path: string): void {
  const bytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (bytes >= MAX_WAL_BYTES) database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
}

function checkKey(database: DatabaseSync, sealer: Sealer, directory: string): void {
  const known = database.prepare("SELECT value FROM meta WHERE key = ?").get(KEY_CHECK)?.value;
  if (known === undefined) {
    database.prepare("INSERT INTO meta VALUES (?, ?)").run(KEY_CHECK, createKeyCheck(sealer));
    return;
  }
  const said = `the data folder ${JSON.stringify(directory)} was written with another instance key`;
  verifyKeyCheck(sealer, String(known), said);
}

/** Key in `meta`: until when a process had the database open, and when it could not receive heartbeats. */
const ALIVE = "alive";

/** Keeps when this process has the database open, and says until when another had. */
export function createAliveNote(
  database: DatabaseSync,
  clock: Pick<Clock, "now" | "monotonic">,
  interruptions: Pick<Interruptions, "lost"> | undefined,
) {
  const row = database.prepare("SELECT value FROM meta WHERE key = ?").get(ALIVE);
  const before: EarlierReception | undefined = row && JSON.parse(String(row.value));
  const earlier = lostBefore(clock, before);
  return {
    /** Undefined if unknown. */
    before,
    /** Writes one page of the log. */
    write: async ({ execute }: Pick<Statements, "execute">): Promise<void> => {
      const kept = receptionToKeep(clock, [...earlier, ...(interruptions?.lost() ?? [])]);
      await execute({
        sql: "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
        parameters: [ALIVE, JSON.stringify(kept)],
      });
    },
  };
}

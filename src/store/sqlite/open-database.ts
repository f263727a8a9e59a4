import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import type { Clock } from "../../kit/clock.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import { AppError, Conflict, messageOf, Unavailable } from "../../kit/errors.ts";
import { makePrivateFolder } from "../../kit/private-folder.ts";
import { SEALED_WORD, sealWord, verifyWord } from "../identity/sealed-word.ts";
import { damagedSentence, isDamage } from "./damage/damage.ts";
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
    // Whoever ran ANALYZE on it: of a table that was nearly empty then, all rows would be read ever after.
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
  const known = database.prepare("SELECT value FROM meta WHERE key = ?").get(SEALED_WORD)?.value;
  if (known === undefined) {
    database.prepare("INSERT INTO meta VALUES (?, ?)").run(SEALED_WORD, sealWord(sealer));
    return;
  }
  const said = `the data folder ${JSON.stringify(directory)} was written with another instance key`;
  verifyWord(sealer, String(known), said);
}

/** When a process last had the database open, and since when, in `meta`. */
const [ALIVE_AT, ALIVE_SINCE] = ["alive_at", "alive_since"];
/** One that had it open for less than that may be one of many that were started and ended. */
const LONG_ENOUGH_MS = 3_600_000;

/** Keeps when this process has the database open, and says until when another had. */
export interface AliveNote {
  /** Undefined where that is not known, and where it had not been open for long. */
  readonly before: number | undefined;
  /** Writes one page of the log. */
  readonly write: (statements: Pick<Statements, "execute">) => Promise<void>;
}

export function createAliveNote(database: DatabaseSync, { now }: Pick<Clock, "now">): AliveNote {
  const row = database
    .prepare(
      "SELECT (SELECT value FROM meta WHERE key = ?) AS at, (SELECT value FROM meta WHERE key = ?) AS since",
    )
    .get(ALIVE_AT, ALIVE_SINCE);
  const [at, since] = [row?.at, row?.since].map((value) => Number(value ?? Number.NaN));
  const beganAt = now();
  return {
    before:
      at !== undefined && since !== undefined && at - since >= LONG_ENOUGH_MS ? at : undefined,
    write: async ({ execute }) =>
      void (await execute({
        sql: `INSERT INTO meta VALUES ('${ALIVE_AT}', ?), ('${ALIVE_SINCE}', ?) ON CONFLICT DO UPDATE SET value = excluded.value`,
        parameters: [String(now()), String(beganAt)],
      })),
  };
}

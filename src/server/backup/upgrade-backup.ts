import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";

import manifest from "../../../package.json" with { type: "json" };
import { codeOf, messageOf, Unavailable } from "../../kit/errors.ts";
import type { Log } from "../../kit/log.ts";
import { pendingMigrations } from "../../store/sqlite/migrate.ts";
import { lockFolder } from "../../store/sqlite/open-database.ts";
import type { Config } from "../../settings/config.ts";
import { removeFolder } from "./backup-files.ts";
import type { BackupSettings } from "./make-backup.ts";
import { DATABASE_FILE, MANIFEST_FILE } from "./manifest.ts";

type UpgradeSettings = BackupSettings & Partial<Pick<Config, "WATCHPOST_UPGRADE_BACKUP">>;

/** Backups kept of completed or attempted upgrades. Each is as large as the database was. */
const KEPT = 2;
const UPGRADE_FOLDER = /^before-\d{4}-[a-z0-9-]+$/;

/**
 * Backs the embedded database up before this program changes its tables, for then an older one may not read it any more. Throws Conflict
 * where this program is the older one, and Unavailable where there can be no backup.
 */
export async function backUpBeforeUpgrade(
  settings: UpgradeSettings,
  log: Pick<Log, "info">,
): Promise<void> {
  const { WATCHPOST_DATA: directory, WATCHPOST_UPGRADE_BACKUP: isWanted = true } = settings;
  const path = join(directory, DATABASE_FILE);
  if (!isWanted || !existsSync(path)) return;
  // No other process changes anything meanwhile.
  using _lock = lockFolder(directory);
  const pending = readPending(path);
  if (pending === undefined) return;
  const folder = join(directory, `before-${pending.migration}`);
  // A start that failed and is tried again and again makes one.
  if (
    existsSync(join(folder, MANIFEST_FILE)) &&
    opensOf(join(folder, DATABASE_FILE)) === pending.opens
  )
    return;
  removeFolder(folder);
  try {
    const { createBackup } = await import("./make-backup.ts");
    await createBackup(settings, folder, {
      version: manifest.version,
      progress() {},
      interrupted: new AbortController().signal,
      serviceFollows: true,
    });
  } catch (error) {
    throw new Unavailable(
      `the tables cannot be brought up to date before they are backed up, so everything stays as it is: ${messageOf(error)}. Where you have a backup of your own, WATCHPOST_UPGRADE_BACKUP=off does without this one`,
      { cause: error },
    );
  }
  removeOlder(directory);
  log.info("app.upgrade_backup_made", { folder });
}

interface Pending {
  /** The first that this program would apply. */
  readonly migration: string;
  /** How often programs have opened the database: it is unchanged while this is. */
  readonly opens: string;
}

/** Undefined if the tables do not change, are still empty, or cannot be read, as the start will report. */
function readPending(path: string): Pending | undefined {
  try {
    using database = new DatabaseSync(path, { readOnly: true });
    const [first] = pendingMigrations(database);
    const isEmpty = database.prepare("SELECT 1 FROM accounts LIMIT 1").get() === undefined;
    if (first === undefined || isEmpty) return undefined;
    const number = String(first.number).padStart(4, "0");
    return { migration: `${number}-${first.name}`, opens: readOpens(database) };
  } catch (error) {
    if (codeOf(error) === "conflict") throw error;
    return undefined;
  }
}

function readOpens(database: DatabaseSync): string {
  return String(database.prepare("SELECT value FROM meta WHERE key = 'opens'").get()?.["value"]);
}

/** Returns the key check of a backup; undefined if it cannot be read. */
function opensOf(path: string): string | undefined {
  try {
    const url = pathToFileURL(path);
    url.searchParams.set("immutable", "1");
    using database = new DatabaseSync(url, { readOnly: true });
    return readOpens(database);
  } catch {
    return undefined;
  }
}

function removeOlder(directory: string): void {
  const folders = readdirSync(directory).filter((name) => UPGRADE_FOLDER.test(name));
  for (const name of folders.toSorted().slice(0, -KEPT)) removeFolder(join(directory, name));
}

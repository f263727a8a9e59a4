import { existsSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Its time of modification is when the latest backup was finished. */
export const LAST_BACKUP_FILE = "last-backup";

/** Notes in the data folder that a backup was finished now; with PostgreSQL there may be no such folder. */
export function recordBackup(dataFolder: string): void {
  if (existsSync(dataFolder))
    writeFileSync(join(dataFolder, LAST_BACKUP_FILE), "", { mode: 0o600 });
}

/** Returns the completion time of the latest backup, in ms since the epoch; undefined if unknown. */
export function readLastBackup(dataFolder: string): number | undefined {
  return statSync(join(dataFolder, LAST_BACKUP_FILE), { throwIfNoEntry: false })?.mtimeMs;
}

import { DatabaseSync } from "node:sqlite";

/** How long a connection waits for another one of this process that writes. */
export const BUSY_MS = 5000;

/** A connection that may write. Nothing but the database thread and housekeeping uses one while the service runs. */
export function openConnection(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: BUSY_MS });
  // Temporary tables are in memory, because files need descriptors, which may be exhausted.
  database.exec(
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 0; PRAGMA foreign_keys = ON; PRAGMA temp_store = MEMORY",
  );
  return database;
}

/**
 * Called after a commit. The first reader after a commit records in shared memory, which is a file, how far it reads: done here, so that the main thread never
 * waits for the disk.
 */
export function recordCommit(database: DatabaseSync): void {
  database.prepare("SELECT 1 FROM meta LIMIT 1").all();
}

import { dirname } from "node:path";
import { parentPort, workerData } from "node:worker_threads";

import { messageOf } from "../../kit/errors.ts";
import { restoreReserve, withReserve } from "./disk/reserve.ts";
import { packPiece, type PackedPiece, type PackTask } from "./retention/pack-piece.ts";
import { BUSY_MS, recordCommit, openConnection } from "./thread/connection.ts";

/** Tasks run off the main thread: checkpoints, which wait for the disk, and packing, which takes long. */
export type HousekeepingTask =
  | { readonly kind: "write-back" }
  /** Without `keepsSpace` the space of the log is free afterwards. */
  | { readonly kind: "restart-log"; readonly keepsSpace: boolean }
  | { readonly kind: "restore-reserve" }
  | PackTask;
export type HousekeepingTaskDone =
  | { readonly error: string }
  | {
      readonly error: undefined;
      readonly piece: PackedPiece | undefined;
      readonly isDone: boolean;
    };

export interface HousekeepingData {
  readonly path: string;
  /** Bytes of the complete reserve. */
  readonly reserve: number;
}

/** Longer than any read of the service itself. */
const READERS_WITHIN_MS = 200;

const { path, reserve }: HousekeepingData = workerData;
const directory = dirname(path);
const database = openConnection(path);

function carryOut(chore: Exclude<HousekeepingTask, PackTask>): boolean {
  if (chore.kind === "restore-reserve") return restoreReserve(directory, reserve);
  if (chore.kind === "write-back") {
    // The database grows.
    withReserve({ directory, bytes: reserve }, () =>
      database.exec("PRAGMA wal_checkpoint(PASSIVE)"),
    );
    return true;
  }
  if (!restartLog(chore.keepsSpace)) return false;
  // SQLite syncs the header at the first frame of a new log; here nothing waits for that.
  database.exec(
    "INSERT INTO meta VALUES ('log_restarts', '1') ON CONFLICT DO UPDATE SET value = value + 1",
  );
  return true;
}

/** Commits are paused meanwhile; during a long read, such as a backup, the log is restarted another time. */
function restartLog(keepsSpace: boolean): boolean {
  database.exec(`PRAGMA busy_timeout = ${READERS_WITHIN_MS}`);
  const row = database
    .prepare(`PRAGMA wal_checkpoint(${keepsSpace ? "RESTART" : "TRUNCATE"})`)
    .get();
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  return row?.["busy"] === 0;
}

function answer(chore: HousekeepingTask): HousekeepingTaskDone {
  try {
    const piece = chore.kind === "pack" ? packPiece(database, chore) : undefined;
    const isDone = chore.kind === "pack" || carryOut(chore);
    recordCommit(database);
    return { error: undefined, piece, isDone };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

parentPort?.on("message", (chore: HousekeepingTask) => parentPort?.postMessage(answer(chore)));

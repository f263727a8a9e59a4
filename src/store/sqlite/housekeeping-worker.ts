import { parentPort, workerData } from "node:worker_threads";

import { messageOf } from "../../kit/errors.ts";
import { packPiece } from "./retention/pack-piece.ts";
import type { PackedPiece, PackTask } from "./retention/pack-piece.ts";
import { BUSY_MS, noteCommit, openConnection } from "./thread/connection.ts";

/** What is done off the main thread: writing the log back to the database, which waits for the disk, and packing, which takes long. */
export type HousekeepingTask =
  | { readonly kind: "write-back" }
  | { readonly kind: "restart-log" }
  | PackTask;
export type HousekeepingTaskDone =
  | { readonly error: string }
  | { readonly error: undefined; readonly piece: PackedPiece | undefined };

/** Longer than any read of the service itself. */
const READERS_WITHIN_MS = 200;

const database = openConnection(String(workerData));

function carryOut(chore: HousekeepingTask): PackedPiece | undefined {
  switch (chore.kind) {
    case "pack":
      return packPiece(database, chore);
    case "write-back":
      database.exec("PRAGMA wal_checkpoint(PASSIVE)");
      break;
    case "restart-log":
      if (!restartLog()) break;
      // The first frame of a new log makes SQLite sync its header; here that wait is nobody's.
      database.exec(
        "INSERT INTO meta VALUES ('log_restarts', '1') ON CONFLICT DO UPDATE SET value = value + 1",
      );
  }
  return undefined;
}

/** Commits are paused meanwhile: where somebody reads for long, such as a backup, the log is restarted another time. */
function restartLog(): boolean {
  database.exec(`PRAGMA busy_timeout = ${READERS_WITHIN_MS}`);
  const row = database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
  database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  return row?.["busy"] === 0;
}

function answer(chore: HousekeepingTask): HousekeepingTaskDone {
  try {
    const piece = carryOut(chore);
    noteCommit(database);
    return { error: undefined, piece };
  } catch (error) {
    return { error: messageOf(error) };
  }
}

parentPort?.on("message", (chore: HousekeepingTask) => parentPort?.postMessage(answer(chore)));

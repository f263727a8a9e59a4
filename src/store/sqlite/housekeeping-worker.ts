import { parentPort, workerData } from "node:worker_threads";

import { messageOf } from "../../kit/errors.ts";
import { packPiece } from "./retention/pack-piece.ts";
import type { PackedPiece, PackTask } from "./retention/pack-piece.ts";
import { noteCommit, openConnection } from "./thread/connection.ts";

/** What is done off the main thread: writing the log back to the database, which waits for the disk, and packing, which takes long. */
export type HousekeepingTask =
  | { readonly kind: "write-back" }
  | { readonly kind: "restart-log" }
  | PackTask;
export type HousekeepingTaskDone =
  | { readonly error: string }
  | { readonly error: undefined; readonly piece: PackedPiece | undefined };

const database = openConnection(String(workerData));

function carryOut(chore: HousekeepingTask): PackedPiece | undefined {
  switch (chore.kind) {
    case "pack":
      return packPiece(database, chore);
    case "write-back":
      database.exec("PRAGMA wal_checkpoint(PASSIVE)");
      break;
    case "restart-log":
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      // The first frame of a new log makes SQLite sync its header; here that wait is nobody's.
      database.exec(
        "INSERT INTO meta VALUES ('log_restarts', '1') ON CONFLICT DO UPDATE SET value = value + 1",
      );
  }
  return undefined;
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

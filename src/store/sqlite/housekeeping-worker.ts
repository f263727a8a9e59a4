import { parentPort, workerData } from "node:worker_threads";

import { messageOf } from "../../kit/errors.ts";
import { noteCommit, openConnection } from "./thread/connection.ts";

/** What is done off the main thread, for it waits for the disk: writing the log back to the database. */
export type HousekeepingTask = { readonly kind: "write-back" } | { readonly kind: "restart-log" };
export type HousekeepingTaskDone = { readonly error: string | undefined };

const database = openConnection(String(workerData));

function carryOut(chore: HousekeepingTask): void {
  switch (chore.kind) {
    case "write-back":
      database.exec("PRAGMA wal_checkpoint(PASSIVE)");
      return;
    case "restart-log":
      database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
      // The first frame of a new log makes SQLite sync its header; here that wait is nobody's.
      database.exec(
        "INSERT INTO meta VALUES ('log_restarts', '1') ON CONFLICT DO UPDATE SET value = value + 1",
      );
  }
}

parentPort?.on("message", (chore: HousekeepingTask) => {
  let error: string | undefined;
  try {
    carryOut(chore);
    noteCommit(database);
  } catch (thrown) {
    error = messageOf(thrown);
  }
  parentPort?.postMessage({ error } satisfies HousekeepingTaskDone);
});

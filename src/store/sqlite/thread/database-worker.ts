import { fdatasyncSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { receiveMessageOnPort, workerData } from "node:worker_threads";

import { watchDataFiles } from "../disk/data-files.ts";
import { extendLog, isQuotaUsedUp, MEGABYTE, releaseReserve } from "../disk/reserve.ts";
import { openConnection } from "./connection.ts";
import { createRequestExecutor } from "./execute-request.ts";
import {
  ANSWERS,
  COMMITS,
  REQUESTS,
  type ThreadAnswer,
  type Request,
  type DatabaseThreadData,
} from "./protocol.ts";

/** How often it looks for the next statement of a transaction before it sleeps, some 30 µs. */
const LOOKS = 300;

/** The index of the log and the checkpoint need space of their own. */
const LEFT_FREE = MEGABYTE / 4;

/** Answers requests in sequence until closed. */
function serve({ path, reserve, port, counters }: DatabaseThreadData): void {
  const database = openConnection(path);
  const log = openSync(`${path}-wal`, "r+");
  const assertFiles = watchDataFiles(path, log);
  const sync = (): void => {
    fdatasyncSync(log);
    // guard: files of the database that are gone
    assertFiles();
  };
  const execute = createRequestExecutor(database, {
    committed: () => void Atomics.add(counters, COMMITS, 1),
    sync,
    makeRoom() {
      const released = releaseReserve(dirname(path), reserve);
      extendLog(log, Math.max(0, released - LEFT_FREE));
      return released > 0;
    },
    isQuotaUsedUp: (error) => isQuotaUsedUp(error, dirname(path)),
  });
  const answer = (message: ThreadAnswer): void => {
    port.postMessage(message);
    Atomics.add(counters, ANSWERS, 1);
    Atomics.notify(counters, ANSWERS);
  };
  // Commits of a previous thread may not be on disk.
  sync();
  answer({ kind: "ready" });
  for (;;) {
    const request = nextRequest({ port, counters }, database.isTransaction);
    if (request.kind === "close") break;
    answer(execute(request));
  }
  database.close();
}

/** Waits as long as it takes; within a transaction the next request is near, and falling asleep would cost more than looking for it. */
function nextRequest(
  { port, counters }: Pick<DatabaseThreadData, "port" | "counters">,
  isNear: boolean,
): Request {
  for (;;) {
    const seen = Atomics.load(counters, REQUESTS);
    const received: { readonly message: Request } | undefined = receiveMessageOnPort(port);
    if (received !== undefined) return received.message;
    let looks = isNear ? LOOKS : 0;
    while (looks > 0 && Atomics.load(counters, REQUESTS) === seen) looks -= 1;
    Atomics.wait(counters, REQUESTS, seen);
  }
}

serve(workerData);

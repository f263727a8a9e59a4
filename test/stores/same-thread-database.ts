import { setImmediate } from "node:timers/promises";

import { openConnection } from "../../src/store/sqlite/thread/connection.ts";
import {
  DatabaseError,
  type DatabaseThread,
} from "../../src/store/sqlite/thread/database-thread.ts";
import { createRequestExecutor } from "../../src/store/sqlite/thread/execute-request.ts";

/** Executes what the database thread would, without a thread, whose start takes longer than most tests, and without a sync. */
export function createSameThreadDatabase(path: string): DatabaseThread {
  const database = openConnection(path);
  database.exec("PRAGMA synchronous = OFF");
  let commits = 0;
  let answered = 0;
  const execute = createRequestExecutor(database, {
    committed: () => void (commits += 1),
    sync() {},
    makeRoom: () => false,
    isQuotaUsedUp: () => false,
  });
  return {
    connect: () =>
      Promise.resolve({
        commits: () => commits,
        async call(request) {
          // As the thread's, a commit takes a turn of the event loop, in which others may join the next one.
          if (request.kind === "commit") await setImmediate();
          if (request.kind === "close") throw new Error("only the store closes its connection");
          const answer = execute(request);
          answered += 1;
          if (answer.kind === "failed") throw new DatabaseError(answer);
          if (answer.kind === "ready") throw new Error("a request was answered with ready");
          return answer.result;
        },
      }),
    answered: () => answered,
    close() {
      database.close();
      return Promise.resolve();
    },
  };
}

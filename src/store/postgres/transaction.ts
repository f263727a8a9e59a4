import type { Kysely } from "kysely";

import { codeOf } from "../../kit/errors.ts";
import { lockChecks } from "../queries/engine.ts";
import type { Database } from "../queries/tables.ts";
import { postgresEngine } from "./engine.ts";

type Db = Kysely<Database>;

/** Serialization failure, deadlock, lock not available: the same unit may do better the next time. */
const RUN_AGAIN = new Set(["40001", "40P01", "55P03"]);

/** Locks the checks first, in a statement of its own: what the unit reads after it is what their last units left. */
export async function inTransaction<Value>(
  db: Db,
  checks: readonly number[],
  work: (connection: Db) => Promise<Value>,
): Promise<Value> {
  for (;;) {
    try {
      return await db
        .transaction()
        .setIsolationLevel("read committed")
        .execute(async (connection) => {
          if (checks.length > 0) await lockChecks(connection, postgresEngine, checks);
          return work(connection);
        });
    } catch (error) {
      if (!RUN_AGAIN.has(String(codeOf(error)))) throw error;
    }
  }
}

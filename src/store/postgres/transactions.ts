import type { Kysely, PostgresPool } from "kysely";

import type { Clock } from "../../kit/clock.ts";
import { codeOf, Unavailable } from "../../kit/errors.ts";
import { settleAll } from "../../kit/settle-all.ts";
import { lockChecks } from "../tables/engine.ts";
import type { Database } from "../tables/database.ts";
import { pipelined } from "./dialect.ts";
import { postgresEngine } from "./engine.ts";
import { lockController } from "./leases/controller-rows.ts";
import { Fenced } from "./leases/fenced.ts";
import type { PartitionedDays } from "./partitions/result-days.ts";

type Db = Kysely<Database>;

/** Serialization failure, deadlock, lock not available, statement too slow, as behind many locks: the same unit may do better the next time. */
const RETRYABLE_CODES = new Set(["40001", "40P01", "55P03", "57014"]);
/** Time for which a transaction with repeated conflicts is retried. */
const RETRY_FOR_MS = 10_000;

interface Deps {
  readonly db: Db;
  /** Pool used by `db`. */
  readonly pool: PostgresPool;
  readonly clock: Pick<Clock, "monotonic">;
  readonly days: Pick<PartitionedDays, "again">;
}

export interface Transactions {
  /**
   * Locks the controller and the checks first, each in a separate statement, so that later reads see the latest commits. Throws Fenced if the controller no
   * longer exists.
   */
  readonly run: <Value>(
    checks: readonly number[],
    work: (connection: Db) => Promise<Value>,
    controllerId?: string,
  ) => Promise<Value>;
}

export function createTransactions({ db, pool, clock, days }: Deps): Transactions {
  return {
    async run(checks, work, controllerId) {
      const endsAt = clock.monotonic() + RETRY_FOR_MS;
      for (;;) {
        try {
          return await days.again(() =>
            db.transaction().execute(async (transaction) => {
              const connection = await pipelined(transaction, pool);
              const [isController] = await settleAll(
                controllerId === undefined || lockController(connection, controllerId),
                checks.length > 0 && lockChecks(connection, postgresEngine, checks),
              );
              // guard: the fence of a controller
              if (!isController) throw new Fenced();
              return work(connection);
            }),
          );
        } catch (error) {
          if (!RETRYABLE_CODES.has(String(codeOf(error)))) throw error;
          if (clock.monotonic() > endsAt)
            throw new Unavailable("other units have kept what this one needs", { cause: error });
        }
      }
    },
  };
}

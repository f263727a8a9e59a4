import {
  CompiledQuery,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  PostgresQueryCompiler,
  type BinaryOperationNode,
  type DatabaseConnection,
  type Driver,
  type PostgresPool,
  type QueryCompiler,
  type Transaction,
} from "kysely";

import type { Reason } from "../../domain/run/outcome.ts";
import { emptyListComparison } from "../tables/empty-lists.ts";
import type { NumericBoolean } from "../tables/columns.ts";
import type { Database } from "../tables/database.ts";

/** Tables that only this engine has. A type instead of an interface, because an interface is not a record. */
// A type, for an interface is no record.
export type PostgresTables = {
  readonly lanes: LaneTable;
  readonly results: ResultTable;
  readonly stray_results: ResultTable;
  readonly all_results: ResultTable;
};

export interface ResultTable {
  readonly check_no: number;
  readonly started_at: number;
  readonly ended_at: number;
  readonly tick: number;
  readonly revision: number;
  readonly passed: NumericBoolean;
  readonly reason: Reason;
  readonly text: string;
  readonly message: string;
  readonly runtime_ms: number;
  readonly location: string;
  readonly earlier_runs: string;
  readonly timings: string | null;
}

/** One row per address that ever had an alert; locking it claims the alerts to that address. */
export interface LaneTable {
  readonly contact_id: string;
  readonly address_id: string;
  readonly account_id: string;
}

/** Queries over a pool that stays the caller's to open and close. */
export function kyselyOver(pool: PostgresPool): Kysely<Database> {
  return new Kysely<Database>({ dialect: new Dialect(pool) });
}

/** The same transaction, whose statements are sent without waiting for the answers to those before them. The server executes them in the order in which they were sent. */
export async function pipelined(
  transaction: Transaction<Database>,
  pool: PostgresPool,
): Promise<Kysely<Database>> {
  const executor = transaction.getExecutor();
  const connection = await executor.provideConnection((given) => Promise.resolve(given));
  const dialect = new Dialect(pool);
  return new Kysely<Database>({
    config: { dialect },
    dialect,
    driver: dialect.createDriver(),
    executor: executor.withConnectionProvider({
      provideConnection: (consumer) => consumer(connection),
    }),
  });
}

export function withOwnTables(db: Kysely<Database>): Kysely<Database & PostgresTables> {
  return db.$extendTables<PostgresTables>();
}

/**
 * A suspended process would keep its locks, so the server ends its session. Set in each transaction because a pooler assigns another session to the next one.
 * The statement limit exceeds the lock limit, so that a lock timeout is reported as such and the transaction is retried.
 */
const BEGIN = CompiledQuery.raw(
  "begin isolation level read committed; set local idle_in_transaction_session_timeout = 1000; set local statement_timeout = 3000; set local lock_timeout = 2000",
);

class UnitDriver extends PostgresDriver {
  readonly #beginnings = new WeakMap<DatabaseConnection, Promise<unknown>>();

  /** Sends BEGIN without waiting for its answer, which the commit awaits. Only a lost connection makes BEGIN fail, and the first statement with it. */
  override beginTransaction(connection: DatabaseConnection): Promise<void> {
    const begun = connection.executeQuery(BEGIN);
    this.#beginnings.set(connection, begun);
    begun.catch(() => {});
    return Promise.resolve();
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#beginnings.get(connection);
    return super.commitTransaction(connection);
  }
}

class Dialect extends PostgresDialect {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): Driver {
    return new UnitDriver({ pool: this.#pool });
  }

  override createQueryCompiler(): QueryCompiler {
    return new Compiler();
  }
}

class Compiler extends PostgresQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const comparison = emptyListComparison(node);
    if (comparison === undefined) super.visitBinaryOperation(node);
    else this.append(comparison);
  }
}

const BIGINT = 20;

/** Parsers of the driver but for `bigint`, which it would give as text: the store's are all below 2^53. */
export function parsersWithNumbers<Parser>(defaults: {
  readonly getTypeParser: (type: number, format?: "text" | "binary") => Parser;
}): {
  readonly getTypeParser: (type: number, format?: "text" | "binary") => Parser | typeof Number;
} {
  return {
    getTypeParser: (type, format) =>
      type === BIGINT ? Number : defaults.getTypeParser(type, format),
  };
}

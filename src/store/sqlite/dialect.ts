import type { DatabaseSync, SQLInputValue } from "node:sqlite";

import {
  Kysely,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type BinaryOperationNode,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryCompiler,
  type QueryResult,
  type SqliteDialectConfig,
  type SqliteStatement,
} from "kysely";

import type { EventLoopBudget } from "../../kit/time/event-loop-budget.ts";
import { emptyListComparison } from "../tables/empty-lists.ts";
import type { Database } from "../tables/database.ts";
import { createDamageWatch, type DamageWatch } from "./damage.ts";
import { statementCache } from "./thread/statement-cache.ts";
import type { Statement, StatementResult } from "./thread/protocol.ts";

/** Creates queries over a connection that the caller opens and closes; with a time budget if one is given, for reads in a loop. */
export function kyselyOver(
  database: DatabaseSync,
  budget?: EventLoopBudget,
  { guard }: Pick<DamageWatch, "guard"> = createDamageWatch(),
): Kysely<Database> {
  const prepare = statementCache((sql) => guard(() => prepared(database, sql, guard)));
  const config = { database: { prepare, close: () => database.close() } };
  return new Kysely<Database>({ dialect: new Dialect(config, budget) });
}

/** Queries of units, which the database thread executes; transactions are begun and ended by the group commit. */
export function kyselyOverThread(
  execute: (statement: Statement) => Promise<StatementResult>,
): Kysely<Database> {
  const connection: DatabaseConnection = {
    executeQuery: async <Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> =>
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- kysely has checked the parameters
      queryResult(await execute({ sql, parameters: parameters as readonly SQLInputValue[] })),
    streamQuery: refuse,
  };
  const driver: Driver = {
    init: () => Promise.resolve(),
    acquireConnection: () => Promise.resolve(connection),
    beginTransaction: refuse,
    commitTransaction: refuse,
    rollbackTransaction: refuse,
    releaseConnection: () => Promise.resolve(),
    destroy: () => Promise.resolve(),
  };
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new Compiler(),
    },
  });
}

function refuse(): never {
  throw new Error("a unit executes single statements, and reads their rows at once");
}

function queryResult<Row>({
  columns,
  rows,
  changes,
  lastInsertRowid,
}: StatementResult): QueryResult<Row> {
  if (columns === undefined)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  const objects = rows.map((row) =>
    Object.fromEntries(columns.map((column, index) => [column, row[index]])),
  );
  return { rows: objects as readonly object[] as Row[] }; // oxlint-disable-line typescript/no-unsafe-type-assertion -- the columns are those of the query
}

class Dialect extends SqliteDialect {
  readonly #config: SqliteDialectConfig;
  readonly #budget: EventLoopBudget | undefined;

  constructor(config: SqliteDialectConfig, budget: EventLoopBudget | undefined) {
    super(config);
    this.#config = config;
    this.#budget = budget;
  }

  override createDriver(): Driver {
    return this.#budget === undefined
      ? super.createDriver()
      : new DriverInTurns(this.#config, this.#budget);
  }

  override createQueryCompiler(): QueryCompiler {
    return new Compiler();
  }
}

class DriverInTurns extends SqliteDriver {
  readonly #budget: EventLoopBudget;
  #connection: DatabaseConnection | undefined;

  constructor(config: SqliteDialectConfig, budget: EventLoopBudget) {
    super(config);
    this.#budget = budget;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    this.#connection ??= inTurns(await super.acquireConnection(), this.#budget);
    return this.#connection;
  }
}

function inTurns(connection: DatabaseConnection, { wait }: EventLoopBudget): DatabaseConnection {
  return {
    async executeQuery(query) {
      const turn = wait();
      if (turn !== undefined) await turn;
      return connection.executeQuery(query);
    },
    streamQuery: refuse,
  };
}

class Compiler extends SqliteQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const comparison = emptyListComparison(node);
    if (comparison === undefined) super.visitBinaryOperation(node);
    else this.append(comparison);
  }
}

function prepared(
  database: DatabaseSync,
  sql: string,
  guard: DamageWatch["guard"],
): SqliteStatement {
  const statement = database.prepare(sql);
  return {
    reader: statement.columns().length > 0,
    all: (parameters: readonly SQLInputValue[]) => guard(() => statement.all(...parameters)),
    run: (parameters: readonly SQLInputValue[]) => guard(() => statement.run(...parameters)),
    iterate: (parameters: readonly SQLInputValue[]) => statement.iterate(...parameters),
  };
}

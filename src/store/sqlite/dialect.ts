import type { DatabaseSync, SQLInputValue } from "node:sqlite";

import { Kysely, SqliteDialect, SqliteQueryCompiler } from "kysely";
import type { BinaryOperationNode, QueryCompiler, SqliteStatement } from "kysely";

import { emptyListComparison } from "../queries/empty-lists.ts";
import type { Database } from "../queries/tables.ts";

/** Queries over a connection that stays the caller's to open and close. */
export function kyselyOver(database: DatabaseSync): Kysely<Database> {
  const prepare = cached((sql) => prepared(database, sql));
  return new Kysely<Database>({
    dialect: new Dialect({ database: { prepare, close: () => database.close() } }),
  });
}

class Dialect extends SqliteDialect {
  override createQueryCompiler(): QueryCompiler {
    return new Compiler();
  }
}

class Compiler extends SqliteQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const comparison = emptyListComparison(node);
    if (comparison === undefined) super.visitBinaryOperation(node);
    else this.append(comparison);
  }
}

function prepared(database: DatabaseSync, sql: string): SqliteStatement {
  const statement = database.prepare(sql);
  return {
    reader: statement.columns().length > 0,
    all: (parameters: readonly SQLInputValue[]) => statement.all(...parameters),
    run: (parameters: readonly SQLInputValue[]) => statement.run(...parameters),
    iterate: (parameters: readonly SQLInputValue[]) => statement.iterate(...parameters),
  };
}

const MOST_STATEMENTS = 500;

/** Keeps what was used last, for a list of parameters makes a statement of its own per length. */
function cached<Value>(make: (key: string) => Value): (key: string) => Value {
  const values = new Map<string, Value>();
  return (key) => {
    const value = values.get(key) ?? make(key);
    values.delete(key);
    values.set(key, value);
    if (values.size > MOST_STATEMENTS) values.delete(values.keys().next().value ?? key);
    return value;
  };
}

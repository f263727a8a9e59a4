import type { DatabaseSync, StatementSync } from "node:sqlite";

import { codeOf, messageOf } from "../../../kit/errors.ts";
import { recordCommit } from "./connection.ts";
import { statementCache } from "./statement-cache.ts";
import type {
  ThreadAnswer,
  Request,
  ColumnValues,
  Statement,
  StatementResult,
  ThreadError,
} from "./protocol.ts";

type Executable = Exclude<Request, { kind: "close" }>;

interface Prepared {
  readonly statement: StatementSync;
  /** Undefined if the statement returns no rows. */
  readonly columns: readonly string[] | undefined;
}

const nothing: StatementResult = { columns: undefined, rows: [], changes: 0, lastInsertRowid: 0 };

interface Committing {
  /** Called once others can read the commit. */
  readonly committed: () => void;
  /** Makes it durable. */
  readonly sync: () => void;
  /** Releases part of the reserve; false if none is left. */
  readonly makeRoom: () => boolean;
  /** Whether SQLite failed because a disk quota is used up. */
  readonly isQuotaUsedUp: (error: unknown) => boolean;
}

/** Executes requests on a connection. */
export function createRequestExecutor(
  database: DatabaseSync,
  { committed, sync, makeRoom, isQuotaUsedUp }: Committing,
): (request: Executable) => ThreadAnswer {
  const prepare = statementCache((sql): Prepared => {
    const statement = database.prepare(sql);
    const columns = statement.columns().map(({ name }) => name);
    statement.setReturnArrays(true);
    return { statement, columns: columns.length > 0 ? columns : undefined };
  });
  const execute = ({ sql, parameters }: Statement): StatementResult => {
    const { statement, columns } = prepare(sql);
    if (columns !== undefined)
      return { ...nothing, columns, rows: arraysOf(statement.all(...parameters)) };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { ...nothing, changes: Number(changes), lastInsertRowid: Number(lastInsertRowid) };
  };
  let isCommitted = false;
  const executeAll = (request: Executable): StatementResult => {
    if (request.kind === "rollback") {
      if (database.isTransaction) database.exec("ROLLBACK");
      return nothing;
    }
    if (request.kind === "make-room") return { ...nothing, changes: makeRoom() ? 1 : 0 };
    for (const sql of request.before) prepare(sql).statement.run();
    if (request.kind === "execute") return execute(request.statement);
    if (request.kind === "execute-many") {
      const { statement } = prepare(request.sql);
      for (const row of request.rows) statement.run(...row);
      return nothing;
    }
    const result = request.last === undefined ? nothing : execute(request.last);
    prepare("COMMIT").statement.run();
    isCommitted = true;
    committed();
    recordCommit(database);
    // guard: a sync before the answer
    sync();
    return result;
  };

  return (request) => {
    isCommitted = false;
    try {
      return { kind: "done", result: executeAll(request) };
    } catch (error) {
      const { isTransaction } = database;
      const said = isQuotaUsedUp(error) ? { ...described(error), ...diskFull } : described(error);
      return { kind: "failed", error: { ...said, isTransaction, isCommitted } };
    }
  };
}

/** The error of SQLite for a disk without room, which is the same to everybody who waits for it. */
const diskFull = { message: "database or disk is full", errcode: 13 };

function described(error: unknown): Pick<ThreadError, "message" | "code" | "errcode"> {
  const errcode =
    typeof error === "object" && error !== null && "errcode" in error
      ? Number(error.errcode)
      : undefined;
  return { message: messageOf(error), code: codeOf(error), errcode };
}

/** `setReturnArrays` is not in the types. */
function arraysOf(rows: unknown): readonly ColumnValues[] {
  return rows as readonly ColumnValues[]; // oxlint-disable-line typescript/no-unsafe-type-assertion -- the statement returns arrays
}

import type { SQLInputValue } from "node:sqlite";

import { Unavailable } from "../../../kit/errors.ts";
import type { EventLoopBudget } from "../../../kit/time/event-loop-budget.ts";
import { DatabaseError, type DatabaseThread, type ThreadConnection } from "./database-thread.ts";
import type { Statement, StatementResult } from "./protocol.ts";

/** How a commit ended. */
export type CommitEnd =
  | { readonly kind: "durable"; readonly lastInsertRowid: number }
  /** Nothing was stored. */
  | { readonly kind: "refused"; readonly error: unknown }
  /** The disk did not confirm it, so its state is unknown. */
  | { readonly kind: "unsynced"; readonly error: unknown }
  /** The thread ended before it answered: whether it was committed shows in the database. */
  | { readonly kind: "unknown"; readonly error: unknown };

export interface Statements {
  readonly execute: (statement: Statement) => Promise<StatementResult>;
  readonly executeMany: (sql: string, rows: readonly (readonly SQLInputValue[])[]) => Promise<void>;
}

/** One transaction at a time in the database thread, with a savepoint for each unit. Beginnings and ends travel with the next statement. */
export interface WriteConnection extends Statements {
  readonly begin: () => Promise<void>;
  /** False once the database ended the transaction by itself. */
  readonly isOpen: () => boolean;
  readonly beginUnit: () => void;
  readonly endUnit: () => void;
  readonly undoUnit: () => void;
  /** Every statement fails from now on, until the next transaction. */
  readonly abandon: () => void;
  readonly commit: (last: Statement | undefined) => Promise<CommitEnd>;
  /** Whether others can read the commit in progress, which may not be durable yet. */
  readonly isVisible: () => boolean;
  readonly rollback: () => Promise<void>;
  /** Releases part of the reserve after a rollback for lack of space. False if none is left, or transactions were refused meanwhile. */
  readonly makeRoom: () => Promise<boolean>;
}

const SAVEPOINT = "SAVEPOINT unit";

/** Its statements are answered before the event loop turns, as long as the budget has time for them. */
export function createWriteConnection(
  { connect }: Pick<DatabaseThread, "connect">,
  budget: EventLoopBudget,
): WriteConnection {
  let connection: ThreadConnection | undefined;
  let before: string[] = [];
  let isOpen = false;
  let isAbandoned = false;
  let commitsBefore = 0;

  /** Takes what is to be executed before the next statement. */
  const takeBefore = (): readonly string[] => {
    const taken = before;
    before = [];
    return taken;
  };
  const call: ThreadConnection["call"] = async (request) => {
    const turn = budget.wait();
    if (turn !== undefined) await turn;
    if (connection === undefined || isAbandoned)
      throw new Unavailable("the transaction was abandoned, for the disk does not answer");
    try {
      return await connection.call(request);
    } catch (error) {
      isOpen = error instanceof DatabaseError && error.isTransaction;
      throw error;
    }
  };

  return {
    async begin() {
      isAbandoned = false;
      connection = await connect();
      commitsBefore = connection.commits();
      before = ["BEGIN IMMEDIATE"];
      isOpen = true;
    },
    isOpen: () => isOpen,
    beginUnit: () => void before.push(SAVEPOINT),
    endUnit: () => endUnit(before, ["RELEASE unit"]),
    undoUnit: () => endUnit(before, ["ROLLBACK TO unit", "RELEASE unit"]),
    abandon: () => void (isAbandoned = true),
    execute: (statement) => call({ kind: "execute", before: takeBefore(), statement }),
    async executeMany(sql, rows) {
      await call({ kind: "execute-many", before: takeBefore(), sql, rows });
    },
    async commit(last) {
      // Nothing was executed.
      if (last === undefined && before[0] === "BEGIN IMMEDIATE")
        return { kind: "durable", lastInsertRowid: 0 };
      try {
        const { lastInsertRowid } = await call({ kind: "commit", before: takeBefore(), last });
        return { kind: "durable", lastInsertRowid };
      } catch (error) {
        return endOf(error, isAbandoned);
      }
    },
    isVisible: () => connection !== undefined && connection.commits() > commitsBefore,
    async rollback() {
      before = [];
      try {
        await connection?.call({ kind: "rollback" });
      } catch (error) {
        // Its transaction ended with the thread.
        if (error instanceof DatabaseError) throw error;
      }
      connection = undefined;
    },
    async makeRoom() {
      if (isAbandoned) return false;
      try {
        const { changes } = await (await connect()).call({ kind: "make-room" });
        return changes > 0 && !isAbandoned;
      } catch {
        return false;
      }
    },
  };
}

/** Ends a transaction with these statements, or does nothing if it executed none. */
function endUnit(before: string[], end: readonly string[]): void {
  if (before.at(-1) === SAVEPOINT) before.pop();
  else before.push(...end);
}

/** How a commit ended that failed. */
function endOf(error: unknown, isAbandoned: boolean): CommitEnd {
  if (error instanceof DatabaseError)
    return { kind: error.isCommitted ? "unsynced" : "refused", error };
  return { kind: isAbandoned ? "refused" : "unknown", error };
}

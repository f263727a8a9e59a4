import type { SQLInputValue, SQLOutputValue } from "node:sqlite";
import type { MessagePort } from "node:worker_threads";

/** Data passed to the database thread when it starts. */
export interface DatabaseThreadData {
  readonly path: string;
  /** Bytes of the complete reserve. */
  readonly reserve: number;
  readonly port: MessagePort;
  /** Counters that both sides can read and wait for: of requests, of answers, and of commits. */
  readonly counters: Int32Array<SharedArrayBuffer>;
}

export const REQUESTS = 0;
export const ANSWERS = 1;
export const COMMITS = 2;

export type ColumnValues = readonly SQLOutputValue[];

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly SQLInputValue[];
}

/** One message to the thread. `before` is executed first: the beginnings and ends of transactions that led here. */
export type Request =
  | { readonly kind: "execute"; readonly before: readonly string[]; readonly statement: Statement }
  | {
      readonly kind: "execute-many";
      readonly before: readonly string[];
      readonly sql: string;
      readonly rows: readonly (readonly SQLInputValue[])[];
    }
  /** Ends the transaction, after one last statement, and syncs the log. */
  | {
      readonly kind: "commit";
      readonly before: readonly string[];
      readonly last: Statement | undefined;
    }
  | { readonly kind: "rollback" }
  /** Releases part of the reserve for the log; unchanged if none is left. */
  | { readonly kind: "make-room" }
  /** Closes the connection, and ends the thread. */
  | { readonly kind: "close" };

export interface StatementResult {
  /** Undefined if the statement returns no rows. */
  readonly columns: readonly string[] | undefined;
  readonly rows: readonly ColumnValues[];
  readonly changes: number;
  readonly lastInsertRowid: number;
}

export interface ThreadError {
  readonly message: string;
  readonly code: string | undefined;
  readonly errcode: number | undefined;
  /** Whether the transaction is still open. */
  readonly isTransaction: boolean;
  /** Whether it was committed, and only the sync failed. */
  readonly isCommitted: boolean;
}

export type ThreadAnswer =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly result: StatementResult }
  | { readonly kind: "failed"; readonly error: ThreadError };

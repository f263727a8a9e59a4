import type { Result } from "../domain/run/result.ts";
import type { ChangeReads } from "./changes.ts";
import type { EarlierReception } from "./heartbeat-reception.ts";
import type { ProcessReports } from "./process-reports.ts";
import type { createReads, createUnitQueries } from "./tables/queries.ts";
import type {
  AppendEnd,
  ResultCondition,
  ResultReads,
  ResultStorage,
  ResultWrites,
} from "./results.ts";

export interface Reads extends Readonly<ReturnType<typeof createReads>> {
  readonly changes: ChangeReads;
  readonly results: ResultReads;
}

/** View of a transaction, which includes its own writes. */
export interface Transaction extends Readonly<ReturnType<typeof createUnitQueries>> {
  readonly results: ResultWrites & Pick<ResultStorage, "latest">;
}

/** Writes that only the controller of the affected checks may perform. */
export type ControllerWrites = Pick<Store, "append" | "write">;

export interface TransactionOptions {
  /** Numbers of the checks that the unit is about: until it ends no other unit about one of them runs. */
  readonly checks?: readonly number[];
  /** Primary account of the transaction, because accounts share commit time. Undefined if others wait for it. */
  readonly accountId?: string;
}

export interface AlsoWithResult {
  readonly closesGap?: boolean;
  /** Whether it may wait to share a commit with results: only its run waits for it. */
  readonly mayWait?: boolean;
  /** Without one a result is stored whatever others stored. */
  readonly condition?: ResultCondition;
}

export interface Store extends Reads {
  /**
   * Runs a unit atomically and resolves once it is durable. One that throws leaves nothing behind and affects no other. Rejects
   * with Unavailable where the store cannot commit, or does not within some seconds; then nothing was stored, unless the message
   * says that this is not known. A unit reads and awaits nothing but its transaction, and has no effect but its writes: it may run
   * more than once before it is committed.
   */
  readonly write: <Value>(
    unit: (tx: Transaction) => Promise<Value>,
    options?: TransactionOptions,
  ) => Promise<Value>;
  /** The cheap unit of one result, and of the end of its check's gap where there may be one. */
  readonly append: (result: Result, also?: AlsoWithResult) => Promise<AppendEnd>;
  /** Error of the last commit, or the fact that one hangs; undefined while the store can commit. */
  readonly writeError: () => string | undefined;
  /** Data that the store drops for lack of space; undefined if none. */
  readonly shortage?: () => string | undefined;
  /** Name of a missing database file, which prevents storing until a restart; undefined if all exist. */
  readonly filesGone?: () => string | undefined;
  /** Error of a read that will fail again because the database is damaged. Undefined if there is none. */
  readonly readError?: () => string | undefined;
  /** Wait of the oldest pending commit in ms; 0 if there is none. */
  readonly oldestWaitMs: () => number;
  /** Housekeeping task that does not end; undefined if none. */
  readonly housekeepingError: () => string | undefined;
  /** Days ahead for which results have a table; undefined if tables are created on demand. */
  readonly partitionsAhead?: () => number;
  /** Median of the latest round trips to the database, in ms; undefined before the first, and where the database is in this process. */
  readonly roundTripMs?: () => number | undefined;
  /** Only where an installation may have several processes. */
  readonly processReports?: ProcessReports;
  /** Reception recorded by the process that last had this store open; undefined if there was none. Only if a single process may use the store. */
  readonly receptionBefore?: () => EarlierReception | undefined;
  /** Performs a write, so that `writeError` is accurate even without other writers. */
  readonly probeWrite: () => Promise<void>;
  /** One round: results are compacted, and what was deleted or is too old is purged. Never delays the caller's event loop. */
  readonly runHousekeeping: () => Promise<void>;
  readonly close: () => Promise<void>;
}

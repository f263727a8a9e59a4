import type { Result } from "../domain/run/result.ts";
import type { ChangeReads } from "./changes.ts";
import type { EarlierReception } from "./hearing.ts";
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

/** What a unit of work sees: its own writes included. */
export interface Transaction extends Readonly<ReturnType<typeof createUnitQueries>> {
  readonly results: ResultWrites & Pick<ResultStorage, "latest">;
}

/** What only the controller of the checks that it is about may write. */
export type ControllerWrites = Pick<Store, "append" | "write">;

export interface UnitOptions {
  /** Numbers of the checks that the unit is about: until it ends no other unit about one of them runs. */
  readonly checks?: readonly number[];
  /** The primary account whose unit it is: these share the time of commits. A unit that others wait for has none. */
  readonly accountId?: string;
}

export interface AlsoWithResult {
  readonly closesGap?: boolean;
  /** Whether it waits for results that can share its commit: nobody waits for it but its run. */
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
    options?: UnitOptions,
  ) => Promise<Value>;
  /** The cheap unit of one result, and of the end of its check's gap where there may be one. */
  readonly append: (result: Result, also?: AlsoWithResult) => Promise<AppendEnd>;
  /** Why the last commit failed, or that one hangs; undefined while the store can commit. */
  readonly writeError: () => string | undefined;
  /** What the store drops for want of space; undefined where it drops nothing. */
  readonly shortage?: () => string | undefined;
  /** Which file of the database is no longer there, so that nothing can be stored until a restart; undefined where all are. */
  readonly filesGone?: () => string | undefined;
  /** Why a read failed that will fail again: the database is damaged. Undefined where none did. */
  readonly readError?: () => string | undefined;
  /** How long the oldest commit that waits has waited, in ms; 0 where none does. */
  readonly oldestWaitMs: () => number;
  /** Which part of housekeeping does not end; undefined where it does. */
  readonly housekeepingError: () => string | undefined;
  /** For how many days to come results have a table; undefined where one is made when it is needed. */
  readonly partitionsAhead?: () => number;
  /** Median of the latest round trips to the database, in ms; undefined before the first, and where the database is in this process. */
  readonly roundTripMs?: () => number | undefined;
  /** Only where an installation may have several processes. */
  readonly processReports?: ProcessReports;
  /** What the process that last had this store open left behind; undefined where there was none. Only where one alone may. */
  readonly receptionBefore?: () => EarlierReception | undefined;
  /** Writes something, so that `writeError` is true also where nobody else writes. */
  readonly probeWrite: () => Promise<void>;
  /** One round: results are compacted, and what was deleted or is too old is purged. Never delays the caller's event loop. */
  readonly runHousekeeping: () => Promise<void>;
  readonly close: () => Promise<void>;
}

import type { Maintenance } from "../domain/maintenance.ts";

export type MaintenanceKey = Pick<Maintenance, "accountId" | "id">;

export interface MaintenanceReads {
  readonly find: (accountId: string, id: string) => Promise<Maintenance | undefined>;
  /** Oldest first. */
  readonly list: (accountId: string) => Promise<readonly Maintenance[]>;
  /** Those of all accounts that are to begin or to end by then. */
  readonly listDue: (now: number) => Promise<readonly MaintenanceKey[]>;
}

/** A check that one holds is off, whatever its own switches say, until the last that holds it lets go. */
export interface MaintenanceWrites {
  readonly insert: (maintenance: Maintenance) => Promise<void>;
  readonly update: (maintenance: Maintenance) => Promise<void>;
  /** Lets go of what it holds. */
  readonly remove: (accountId: string, id: string, at: number) => Promise<boolean>;
  /** Holds those of the checks that are switched on, and gives their ids. */
  readonly pauseChecks: (
    key: MaintenanceKey,
    checkIds: readonly string[],
    at: number,
  ) => Promise<readonly string[]>;
  readonly resumeChecks: (
    key: MaintenanceKey,
    checkIds: readonly string[],
    at: number,
  ) => Promise<void>;
}

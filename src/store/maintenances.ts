import type { Maintenance } from "../domain/maintenance.ts";

export type MaintenanceKey = Pick<Maintenance, "accountId" | "id">;

export interface MaintenanceReads {
  readonly find: (accountId: string, id: string) => Promise<Maintenance | undefined>;
  /** Oldest first. */
  readonly list: (accountId: string) => Promise<readonly Maintenance[]>;
  /** Those of all accounts that are to begin or to end by now, by the store's clock. */
  readonly listDue: () => Promise<readonly MaintenanceKey[]>;
}

/** A check that a maintenance has paused does not run, whatever its own switches say, until the last that paused it resumes it. */
export interface MaintenanceWrites {
  readonly insert: (maintenance: Maintenance) => Promise<void>;
  readonly update: (maintenance: Maintenance) => Promise<void>;
  /** Resumes what it has paused. */
  readonly remove: (accountId: string, id: string, at: number) => Promise<boolean>;
  /** Takes one that is due, with the time it is by the store's clock, until the unit ends; undefined where it is not due, or another unit has taken it. */
  readonly claim: (
    key: MaintenanceKey,
  ) => Promise<{ readonly maintenance: Maintenance; readonly now: number } | undefined>;
  /** Pauses those of the checks that are switched on, and gives their ids. */
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

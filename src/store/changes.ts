import type { Change, Invalidation } from "../domain/change.ts";

export interface ChangeReads {
  /** Calls `receive` for each change that was committed, by this process or by another, soon after; once for everything after a time whose changes are not kept any more. */
  readonly subscribe: (receive: (change: Invalidation) => void) => void;
  /** Whether every change is known that was committed some seconds ago; where not, what was cached may be outdated. */
  readonly isCurrent: () => boolean;
  /** For how long what others commit may not have been read, in ms. */
  readonly lagMs: () => number;
}

export interface ChangeWrites {
  /** Records what a unit changed of an account's configuration, for whoever caches or runs it. */
  readonly record: (change: Change) => Promise<void>;
}

import type { Invalidation, LoggedChange } from "../domain/change.ts";

export interface ChangeReads {
  /** Calls `receive` for each change of the configuration that was committed, by this process or by another, soon after; once for everything after a time whose changes are not kept any more. */
  readonly subscribe: (receive: (change: Invalidation) => void) => void;
  /** The same for all that is logged. */
  readonly subscribeAll: (receive: (change: LoggedChange | "everything") => void) => void;
  /** Up to where changes were passed on to all who subscribed: for `since`, in any process. */
  readonly position: () => string;
  /** What was logged of an account after a position; undefined where that is not kept any more, is not known, or is more than so much. */
  readonly since: (
    accountId: string,
    position: string,
    most: number,
  ) => Promise<readonly LoggedChange[] | undefined>;
  /** Whether every change is known that was committed some seconds ago; where not, what was cached may be outdated. */
  readonly isCurrent: () => boolean;
  /** For how long what others commit may not have been read, in ms. */
  readonly lagMs: () => number;
}

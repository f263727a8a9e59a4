import type { Invalidation, LoggedChange } from "../domain/change.ts";

export interface ChangeReads {
  /** Calls `receive` for each change of the configuration that was committed, by this process or by another, soon after; once for everything after a time whose changes are not kept any more. */
  readonly subscribe: (receive: (change: Invalidation) => void) => void;
  /** The same for all that is logged. */
  readonly subscribeAll: (receive: (change: LoggedChange | "everything") => void) => void;
  /** Up to where changes were passed on to all who subscribed: for `since`, in any process. */
  readonly position: () => string;
  /** Changes of an account logged after a position; undefined if they are no longer kept, the position is unknown, or there are too many. */
  readonly since: (
    accountId: string,
    position: string,
    most: number,
  ) => Promise<readonly LoggedChange[] | undefined>;
  /** Whether every change is known that was committed some seconds ago; where not, what was cached may be outdated. */
  readonly isCurrent: () => boolean;
  /** Maximum ms for which commits of other processes may be unread. */
  readonly lagMs: () => number;
}

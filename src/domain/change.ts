/** A change of an account's configuration that concerns one of its checks, or all of them. */
export interface Change {
  readonly accountId: string;
  /** Undefined where the account itself changed, with all that is its own. */
  readonly checkNo: number | undefined;
  /** Whether nothing changed, and the check is only to run now. */
  readonly isRun?: true;
}

/** What whoever caches or runs the configuration has to read again: where changes may have been missed, all of it. */
export type Invalidation = Change | "everything";

/** What the log of changes has: the configuration, that a check is to run now, or what happened to a check under it. */
export const changeKinds = ["configuration", "run", "state", "acknowledgement", "alert"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** A change as it is logged, for whoever shows it. */
export interface LoggedChange extends Change {
  readonly kind: ChangeKind;
  /** The id of a check that was removed, for nothing else has it any more. */
  readonly removedId: string | undefined;
}

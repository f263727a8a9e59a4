/** A change of an account's configuration that concerns one of its checks, or all of them. */
export interface Change {
  readonly accountId: string;
  /** Undefined if the account itself changed, with everything in it. */
  readonly checkNo: number | undefined;
  /** Whether nothing changed, and the check is only to run now. */
  readonly isRun?: true;
}

/** Parts of the configuration that caches and runners must reload; everything if changes may have been missed. */
export type Invalidation = Change | "everything";

/** Kinds of logged changes: the configuration, a requested run, or an event that affects a check. */
export const changeKinds = ["configuration", "run", "state", "acknowledgement", "alert"] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** Logged change with the details that viewers show. */
export interface LoggedChange extends Change {
  readonly kind: ChangeKind;
  /** The id of a check that was removed, for nothing else has it any more. */
  readonly removedId: string | undefined;
}

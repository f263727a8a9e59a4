/** A change of an account's configuration that concerns one of its checks, or all of them. */
export interface Change {
  readonly accountId: string;
  /** Undefined where the account itself changed, with all that is its own. */
  readonly checkNo: number | undefined;
}

/** What whoever caches or runs the configuration has to read again: where changes may have been missed, all of it. */
export type Invalidation = Change | "everything";

/** A change of an account's configuration that concerns one of its checks, or all of them. */
export interface Change {
  readonly accountId: string;
  /** Undefined where the account itself changed, with all that is its own. */
  readonly checkNo: number | undefined;
}

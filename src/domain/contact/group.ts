/** Recipients under one name. */
export interface ContactGroup {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Ids of contacts and of addresses, as they were sent. */
  readonly members: readonly string[];
}

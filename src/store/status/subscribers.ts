export interface SubscriberCounts {
  readonly pending: number;
  readonly confirmed: number;
  /** Of those that are confirmed. */
  readonly webhooks: number;
}

export interface PageKey {
  readonly accountId: string;
  readonly pageId: string;
}

import type { Subscription } from "../check.ts";

/** Subscriptions under one name. */
export interface NotificationProfile {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** Subscriptions to contacts, addresses, and groups. */
  readonly subscriptions: readonly Subscription[];
}

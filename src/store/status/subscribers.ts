import type { Subscriber } from "../../domain/status/subscriber.ts";

export interface SubscriberCounts {
  readonly pending: number;
  readonly confirmed: number;
  /** Of those that are confirmed. */
  readonly webhooks: number;
}

export interface SubscriberReads {
  /** Of any account: whoever asks has proven that the id was sent to them. */
  readonly find: (id: string) => Promise<Subscriber | undefined>;
  readonly findOf: (accountId: string, id: string) => Promise<Subscriber | undefined>;
  /** Those that have not ended, the oldest first, from the one after `after` on. */
  readonly list: (
    page: PageKey,
    range: { readonly after: string | undefined; readonly limit: number },
  ) => Promise<readonly Subscriber[]>;
  readonly counts: (page: PageKey) => Promise<SubscriberCounts>;
}

export interface PageKey {
  readonly accountId: string;
  readonly pageId: string;
}

export interface SubscriberWrites {
  /** Stores it, unless its page has one with that address or had one lately: gives the one that is there then. A mailbox is the same whatever its case or tag. */
  readonly insert: (subscriber: Subscriber & { readonly address: string }) => Promise<Subscriber>;
  /** False where it is not pending any more. */
  readonly confirm: (id: string, at: number) => Promise<boolean>;
  /** Forgets the address and what was to be sent there, and keeps a hash until that instant. */
  readonly end: (id: string, keptUntil: number) => Promise<void>;
  /** Subscribes one that has ended again, where that is its address. */
  readonly resume: (
    id: string,
    renewed: { readonly address: string; readonly at: number },
  ) => Promise<boolean>;
  /** Nothing is kept of it. */
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}

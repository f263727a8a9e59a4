/** How a subscriber of a status page is notified of what is posted there. */
export const subscriberKinds = ["email", "webhook"] as const;
export type SubscriberKind = (typeof subscriberKinds)[number];

/** `pending` was asked to confirm; of `ended` only a hash is kept, so that the address is not asked again. */
export type SubscriberState = "pending" | "confirmed" | "ended";

export interface Subscriber {
  readonly id: string;
  readonly accountId: string;
  readonly pageId: string;
  readonly kind: SubscriberKind;
  /** The mailbox or the URL; undefined of one that has ended. */
  readonly address: string | undefined;
  readonly state: SubscriberState;
  readonly createdAt: number;
  readonly confirmedAt: number | undefined;
  /** Expiry of a pending subscription, or of the record of an ended one. */
  readonly endsAt: number | undefined;
}

const DAY_MS = 86_400_000;
/** Time allowed for confirmation. */
export const pendingMs = 2 * DAY_MS;
/** Time during which an address that did not confirm is not asked again. */
export const unansweredMs = 30 * DAY_MS;
/** Time during which an address that refused mails is not asked again. */
export const refusedMs = 365 * DAY_MS;

/** Bounds of one page. */
export const maxSubscribers = 10_000;
export const maxWebhooks = 100;

/** How long a post waits for more about the same incident, to be sent with it. */
export const postWaitMs = 60_000;

/** Message to one subscriber. */
export interface PageMessage {
  readonly seq: number;
  readonly subscriberId: string;
  readonly kind: SubscriberKind;
  readonly accountId: string;
  /** The account whose share of sending it takes. */
  readonly primaryId: string;
  /** Posted update; undefined for a confirmation request. */
  readonly post: PagePost | undefined;
  readonly createdAt: number;
  readonly attempts: number;
}

/** Updates of an incident on one page that are sent together. */
export interface PagePost {
  readonly id: string;
  readonly pageId: string;
  readonly incidentId: string;
  /** First update of the incident to include; the range ends before the one that `to` names. */
  readonly from: number;
  readonly to: number;
}

/** The same on every attempt, so that a mail that arrives twice is shown once. */
export function messageIdOf({
  post,
  subscriberId,
}: Pick<PageMessage, "post" | "subscriberId">): string {
  return `${post?.id ?? "confirm"}.${subscriberId}`;
}

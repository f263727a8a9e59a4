/** How a subscriber of a status page is notified of what is posted there. */
export const subscriberKinds = ["email", "webhook"] as const;
export type SubscriberKind = (typeof subscriberKinds)[number];

/** One that is pending was asked to confirm; of one that has ended nothing is kept but a hash, so that nobody is asked again unasked. */
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
  /** When one that is pending ends, and when one that has ended is forgotten. */
  readonly endsAt: number | undefined;
}

const DAY_MS = 86_400_000;
/** How long somebody has to confirm. */
export const pendingMs = 2 * DAY_MS;
/** For so long, whoever did not confirm is not asked again. */
export const unansweredMs = 30 * DAY_MS;
/** For so long, whoever wanted no mails is not asked again. */
export const refusedMs = 365 * DAY_MS;

/** Bounds of one page. */
export const mostSubscribers = 10_000;
export const mostWebhooks = 100;

/** How long a post waits for more about the same incident, to be sent with it. */
export const postWaitMs = 60_000;

/** What is to be sent to one subscriber. */
export interface PageMessage {
  readonly seq: number;
  readonly subscriberId: string;
  readonly kind: SubscriberKind;
  readonly accountId: string;
  /** The account whose share of sending it takes. */
  readonly primaryId: string;
  /** What was posted; undefined of a request to confirm. */
  readonly post: PagePost | undefined;
  readonly createdAt: number;
  readonly attempts: number;
}

/** Updates of an incident on one page that are sent together. */
export interface PagePost {
  readonly id: string;
  readonly pageId: string;
  readonly incidentId: string;
  /** Of the updates of the incident, from this one to the one before that. */
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

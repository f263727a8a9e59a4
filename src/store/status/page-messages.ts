import type { Incident, IncidentUpdate } from "../../domain/status/incident.ts";
import type { PageMessage, Subscriber, SubscriberKind } from "../../domain/status/subscriber.ts";

export interface PageMessageReads {
  /** The primary accounts that have posts of which not all is sent. */
  readonly sendingAccounts: () => Promise<readonly string[]>;
  /** Whether there is anything that could be done now, by the store's clock. */
  readonly isDue: () => Promise<boolean>;
}

export interface PageMessageWrites {
  /** Has the subscribers of each page that shows the incident notified of its last updates. What was posted within a minute before goes with them. */
  readonly announce: (incident: Incident, posted: readonly IncidentUpdate[]) => Promise<void>;
  /** Has a subscriber asked to confirm. */
  readonly request: (subscriber: Subscriber) => Promise<void>;
  /** Makes the messages of a post that is due to so many subscribers; false where there is no such post. */
  readonly spread: (limit: number) => Promise<boolean>;
  /**
   * Takes the message of that kind that has been due longest, for this attempt alone: until the lease ends nobody else can claim it.
   * Of a primary account, or a request to confirm where there is none.
   */
  readonly claim: (wanted: {
    readonly kind: SubscriberKind;
    readonly primaryId: string | undefined;
    readonly leaseMs: number;
  }) => Promise<PageMessage | undefined>;
  /** Does nothing where it is gone, or was claimed for a later attempt. */
  readonly postpone: (
    message: Pick<PageMessage, "seq" | "attempts">,
    nextAttemptAt: number,
  ) => Promise<void>;
  /** The same for an attempt that was not made, and does not count. */
  readonly giveBack: (
    message: Pick<PageMessage, "seq" | "attempts">,
    nextAttemptAt: number,
  ) => Promise<void>;
  readonly remove: (seq: number) => Promise<void>;
  /** Forgets posts of which all is sent. */
  readonly removeSentPosts: () => Promise<void>;
  /** Moves all next attempts, as the clock was set by so many ms. */
  readonly shiftTimes: (byMs: number) => Promise<void>;
}

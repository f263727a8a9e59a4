import type {
  Alert,
  AlertInMessage,
  AlertKind,
  AlertStatus,
  DropReason,
  EarlierAlert,
  Notice,
  WaitReason,
} from "../domain/alert/alert.ts";
import type { KindGrouping } from "../domain/alert/alert-grouping.ts";
import type { AddressRef } from "../domain/contact/recipients.ts";

/** One attempt to send an alert. */
export interface Delivery {
  readonly alertId: string;
  readonly attempt: number;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly accepted: boolean;
  /** The receiver's response, or the error on the way to it. */
  readonly response: string;
}

export interface NewDelivery extends Delivery {
  /** The recipient, which may have changed since the message was rendered. */
  readonly to?: string;
}

/** An alert as the account sees it: what was sent to an address, or why nothing was. */
export interface Notification {
  readonly alertId: string;
  readonly accountId: string;
  readonly checkId: string;
  readonly kind: AlertKind;
  readonly contactId: string;
  readonly addressId: string;
  readonly status: AlertStatus;
  readonly reason: string | undefined;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly body: string;
  readonly network: string;
  readonly createdAt: number;
  readonly dueAt: number;
  /** When its last attempt ended, or it was dropped; before that, when it was created. */
  readonly at: number;
  readonly attempts: number;
  /** Only while it waits. */
  readonly nextAttemptAt: number | undefined;
  readonly response: string | undefined;
  /** The message it was sent in, where that held other alerts too. */
  readonly bundle: string | undefined;
}

export interface NotificationQuery {
  readonly accountIds: readonly string[];
  readonly checkId: string | undefined;
  /** Of `at`. */
  readonly from: number;
  readonly limit: number;
  /** Also those that were never tried: they wait, are held, or were dropped. */
  readonly dropped: boolean;
  /** Up to that `at`, with it. */
  readonly to?: number | undefined;
  readonly contactId?: string | undefined;
  readonly network?: string | undefined;
  readonly kind?: AlertKind | undefined;
  readonly status?: AlertStatus | undefined;
  /** The alert after which the list goes on; one that is gone has none after it. */
  readonly after?: string | undefined;
}

/** The alerts of an account to one destination. */
export type AlertQueueKey = Pick<Alert, "accountId" | "destination">;

/** As much of an alert as it takes to decide whether to claim it. */
export type QueuedAlert = Pick<
  Alert,
  | "id"
  | "kind"
  | "outage"
  | "accountId"
  | "primaryId"
  | "destination"
  | "checkNo"
  | "contactId"
  | "addressId"
  | "bundle"
  | "dueAt"
  | "retryUntil"
  | "attempts"
>;

/** Alerts of one destination that are overdue. */
export interface AlertBacklog {
  /** The kind of address, and for a URL the hash of its host. */
  readonly destination: string;
  /** Counted up to a thousand over all destinations. */
  readonly alerts: number;
  /** Time in ms since the oldest of them was due. */
  readonly oldestMs: number;
  /** Whether an attempt to send any of them was made. */
  readonly isAttempted: boolean;
}

/** The kind of the addresses of a destination. */
export function channelOfBacklog({ destination }: Pick<AlertBacklog, "destination">): string {
  return destination.split(" ", 1)[0] ?? "";
}

export interface AlertReads {
  /** What has been due for at least so many ms, and waits for nothing but its delivery; by destination. */
  readonly listBacklog: (overdueMs: number) => Promise<readonly AlertBacklog[]>;
  /** Of an outage's beginning, downs and failing firsts; with `address`, those to it only. */
  readonly listByOutage: (outage: string, address?: AddressRef) => Promise<readonly EarlierAlert[]>;
  /** The same with the messages that they were sent in. */
  readonly listInMessages: (outage: string) => Promise<readonly AlertInMessage[]>;
  /** What those alerts say; undefined where there are none. */
  readonly findNotice: (outage: string) => Promise<Notice | undefined>;
  /** How often the outage was acknowledged before, as far as anybody was alerted of that. */
  readonly countAcknowledgements: (outage: string) => Promise<number>;
  /** How long until the next alert can be claimed, by the store's clock, 0 or less where one can be now; undefined where none waits. */
  readonly msUntilDue: () => Promise<number | undefined>;
  /** How many of an account are due and not sent yet, counted up to a thousand. */
  readonly countDue: (accountId: string) => Promise<number>;
  /** Alerts that could be claimed now, oldest first: for the time in which no claim can be stored. With `ids`, of these and of their bundles only. */
  readonly listDue: (limit: number, ids?: readonly string[]) => Promise<readonly Alert[]>;
  /** What could be claimed now, oldest first. */
  readonly listQueued: (limit: number) => Promise<readonly QueuedAlert[]>;
  /** The oldest alert of each of the next `limit` queues that is due, and where to go on; `after` is undefined at the end. */
  readonly walkQueues: (walk: {
    readonly after?: AlertQueueKey | undefined;
    readonly limit: number;
  }) => Promise<{
    readonly due: readonly QueuedAlert[];
    readonly after: AlertQueueKey | undefined;
  }>;
  readonly findBundle: (id: string) => Promise<Bundle | undefined>;
  /** By alert what it was rendered to, of those that are open and were rendered on their own. */
  readonly findRendered: (
    alertIds: readonly string[],
  ) => Promise<ReadonlyMap<string, RenderedMessage>>;
  /** Newest first, by `at`. */
  readonly listNotifications: (query: NotificationQuery) => Promise<readonly Notification[]>;
  /** The same some at a time, for a long list; what is attempted meanwhile may be left out. */
  readonly pageNotifications: (query: NotificationQuery) => AsyncIterable<readonly Notification[]>;
}

/** How an attempt, or the decision against one, leaves an alert. */
export type AttemptEnd =
  | { readonly status: "delivered"; readonly at: number }
  | {
      readonly status: "failed";
      readonly at: number;
      readonly reason: string;
      readonly possiblySent: boolean;
      /** The receiver could not be reached until then. */
      readonly unreached?: boolean;
    }
  | { readonly status: "dropped"; readonly at: number; readonly reason: DropReason }
  | {
      readonly status: "waiting";
      readonly nextAttemptAt: number;
      readonly possiblySent: boolean;
      /** Where it waits for something else than a retry: the time of its retries begins then. */
      readonly reason?: WaitReason | undefined;
      /** Because an attempt failed. */
      readonly unreached?: boolean;
    };

/** What is sent to an address. It is stored before the first attempt, and every later one sends the same. */
export interface RenderedMessage {
  readonly kind: AlertKind;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly body: string;
  readonly network: string;
  /** All else that is sent, as whoever rendered it wrote it down; undefined of an alert in a bundle. Forgotten once the alert has ended. */
  readonly details?: string | undefined;
}

/** Alerts that are sent as one message, which no retry changes. */
export interface Bundle {
  readonly id: string;
  /** How many alerts it holds. */
  readonly size: number;
  /** Serialized by the notifier. */
  readonly message: string;
}

/** An alert and the attempt that a notifier claimed it for. */
export interface ClaimedAlert {
  readonly alertId: string;
  readonly attempt: number;
}

export interface NewBundle extends Omit<Bundle, "size"> {
  readonly accountId: string;
  readonly members: readonly (ClaimedAlert & { readonly wording: RenderedMessage })[];
}

/** The kinds of address for which alerts are grouped. */
export type Grouping = ReadonlyMap<string, KindGrouping>;

/** An alert as it is inserted. */
export type AlertRecord = Omit<
  Alert,
  | "attempts"
  | "possiblySent"
  | "judged"
  | "checkId"
  | "bundle"
  | "retryUntil"
  | "destination"
  | "primaryId"
>;

export interface AlertWrites {
  readonly insert: (...alerts: readonly AlertRecord[]) => Promise<void>;
  /**
   * Claims due alerts for `leaseMs`, by the store's clock. An alert is not claimable while an earlier one of the same check and
   * address is open, nor while it is claimed. A claimed one counts as possibly sent until the end of the attempt is known. The
   * alerts of a bundle are claimed together, and so are those that may share a message, up to `maxGrouped` beyond the limit. With
   * `ids`, these and what is sent with them; otherwise what has been due longest.
   */
  readonly claim: (claim: {
    readonly leaseMs: number;
    readonly limit: number;
    readonly ids?: readonly string[];
    readonly grouping?: Grouping;
    readonly maxGrouped?: number;
  }) => Promise<readonly Alert[]>;
  /** Lets unclaimed alerts wait for so long, by the store's clock, because their receiver is away. Those that wait together are due at one instant. */
  readonly awaitReceiver: (alertIds: readonly string[], forMs: number) => Promise<void>;
  /** Counts the attempt no longer that an alert was claimed for, as it was not made. */
  readonly uncountAttempt: (alert: ClaimedAlert) => Promise<void>;
  /** Stores the one message of several alerts; they leave their earlier bundles. Throws Conflict where one was claimed meanwhile. */
  readonly bundle: (bundle: NewBundle) => Promise<void>;
  /** Takes alerts that were not claimed meanwhile out of their bundles: each is sent on its own. */
  readonly unbundle: (members: readonly ClaimedAlert[]) => Promise<void>;
  /**
   * Ends an attempt, or the decision against one; false where the alert had its end already. One that would wait is dropped or
   * held where its check or its account says so by now. One that was dropped or held because of its check while an attempt
   * without a claim was under way still gets the outcome of that attempt. Where it was claimed for a later attempt than `tried`,
   * only an acceptance counts. An end that a reminder follows inserts that.
   */
  readonly finishAttempt: (
    alertId: string,
    end: AttemptEnd,
    tried?: Pick<Alert, "attempts" | "possiblySent">,
  ) => Promise<boolean>;
  /** Stores the message of an alert that is sent on its own, unless a later attempt has claimed it. */
  readonly setRendered: (
    alertId: string,
    rendered: RenderedMessage,
    attempt?: number,
  ) => Promise<void>;
  readonly addDelivery: (delivery: NewDelivery) => Promise<void>;
  /** Drops those that are held, or were surely not sent. */
  readonly drop: (alertIds: readonly string[], reason: DropReason, at: number) => Promise<void>;
  /** Drops a first alert that says that the check is up, where it is held, or not due by then. */
  readonly dropEarlyFirst: (checkNo: number, reason: DropReason, at: number) => Promise<void>;
  /** The outage is over: drops its reminders, and what is said of its acknowledgement, unless a notifier has claimed them: also those that may have arrived. */
  readonly dropReminders: (outage: string, at: number) => Promise<void>;
  /** The outage is acknowledged: drops its reminders, the alerts of its beginning whose delay is not over, and what was to be said of an earlier acknowledgement. */
  readonly stopEscalation: (outage: string, at: number) => Promise<void>;
  /** The acknowledgement is withdrawn: what was dropped for it waits again, and is due at the earliest now. */
  readonly resumeEscalation: (outage: string, at: number) => Promise<void>;
  /** Lets what was held of an outage go on: those that were surely not sent are judged again, at the earliest now. */
  readonly release: (outage: string, at: number) => Promise<void>;
  /** The clock that the store goes by was set: all instants that open alerts and groups go by move with it. */
  readonly shiftTimes: (byMs: number) => Promise<void>;
  /**
   * Says that alerts are being sent, while any wait. Where nobody did for a while, those that were due are tried so much longer; where the store's clock
   * is behind the last time, their instants move back with it.
   */
  readonly noteAlive: () => Promise<void>;
}

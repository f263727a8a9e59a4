import type { Generated, GeneratedAlways } from "kysely";

import type { KindGrouping } from "../../domain/alert/alert-grouping.ts";
import type {
  Alert,
  AlertKind,
  AlertStatus,
  DropReason,
  WaitReason,
} from "../../domain/alert/alert.ts";
import type { NumericBoolean } from "./columns.ts";

declare module "./database.ts" {
  interface Database {
    readonly alerts: AlertTable;
    readonly notices: NoticeTable;
    readonly bundles: BundleTable;
    readonly recent_sends: RecentSendTable;
    readonly deliveries: DeliveryTable;
  }
}

export interface AlertTable {
  /** Creation order, which is the delivery order of alerts of one check and address. */
  readonly seq: Generated<number>;
  readonly id: string;
  readonly flip_id: string;
  readonly account_id: string;
  readonly check_no: number;
  readonly check_id: string;
  readonly outage: string | null;
  readonly kind: AlertKind;
  /** Number of a reminder. */
  readonly number: Generated<number>;
  /** Interval of the reminders that follow, and the number of the last; null if none do. */
  readonly repeat_minutes: number | null;
  readonly repeat_last: number | null;
  readonly contact_id: string;
  readonly address_id: string;
  /** A JSON array of names. */
  readonly schedules: string;
  readonly notice_id: string;
  readonly created_at: number;
  readonly due_at: number;
  readonly status: AlertStatus;
  readonly reason: string | null;
  readonly attempts: number;
  readonly next_attempt_at: number;
  /** It is tried again until then, and once at that very instant. */
  readonly retry_until: number;
  /** Null while no notifier has claimed the alert. */
  readonly lease_until: number | null;
  /** Outcome of earlier attempts, without the one under the lease. */
  readonly possibly_sent: NumericBoolean;
  /** Whether it passed the rules that apply once, before the first attempt. */
  readonly judged: NumericBoolean;
  /** Whether an attempt failed, or none was made in time, for reasons other than a recipient's rule. */
  readonly unreached: Generated<NumericBoolean>;
  readonly sent_kind: AlertKind | null;
  readonly sealed_recipient: Uint8Array | null;
  readonly sent_from: string | null;
  readonly subject: string | null;
  readonly body: string | null;
  readonly network: string | null;
  /** Other parts of the message; null once the alert has ended, and in a bundle. */
  readonly sealed_details: Uint8Array | null;
  readonly last_at: number | null;
  readonly response: string | null;
  readonly bundle: string | null;
  /** Destination of its address at the insert. */
  readonly destination: string;
  /** Hash of the host, the state, and the reason; null if no host is checked. */
  readonly cause: string | null;
  /** Whether no earlier one about the same check to the same address waits; kept by the database. */
  readonly is_first: GeneratedAlways<NumericBoolean>;
  /** Time from which it can be claimed; null if it cannot. */
  readonly claimable_at: GeneratedAlways<number | null>;
}

interface NoticeTable {
  readonly id: string;
  /** JSON. */
  readonly notice: string;
}

interface BundleTable {
  readonly id: string;
  readonly account_id: string;
  readonly size: number;
  readonly message: string;
}

export interface RecentSendTable {
  readonly contact_id: string;
  readonly address_id: string;
  readonly at: number;
  /** How many messages of a burst this was. */
  readonly messages: number;
  /** How long what follows waits, and at most. */
  readonly wait_ms: number;
  readonly longest_ms: number;
  /** Null if the message was about several checks. */
  readonly check_no: number | null;
  /** JSON: those of the alerts in the messages of the burst, the latest of them. */
  readonly causes: string;
}

interface DeliveryTable {
  readonly seq: Generated<number>;
  readonly alert_id: string;
  readonly attempt: number;
  readonly started_at: number;
  readonly ended_at: number;
  readonly accepted: NumericBoolean;
  readonly response: string;
}

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
  /** Time at which its last attempt ended or it was dropped; before that, its creation. */
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
  /** Start of the range of `at`. */
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
  /** Alert after which the page starts; if it no longer exists, the page is empty. */
  readonly after?: string | undefined;
}

/** The alerts of an account to one destination. */
export type AlertQueueKey = Pick<Alert, "accountId" | "destination">;

/** Fields of an alert needed to decide whether to claim it. */
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
      /** Reason of a wait other than a retry, after which the time of its retries starts. */
      readonly reason?: WaitReason | undefined;
      /** Because an attempt failed. */
      readonly unreached?: boolean;
    };

/** Message rendered for an address. It is stored before the first attempt, and later attempts send the same. */
export interface RenderedMessage {
  readonly kind: AlertKind;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly body: string;
  readonly network: string;
  /** Other parts of the message, encoded by the renderer; undefined for an alert in a bundle. Removed when the alert ends. */
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

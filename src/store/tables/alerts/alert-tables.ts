import type { Generated, GeneratedAlways } from "kysely";

import type { AlertKind, AlertStatus } from "../../../domain/alert/alert.ts";
import type { NumericBoolean } from "../columns.ts";

export interface AlertTable {
  /** Creation order: the line in which the alerts of one check and address stand. */
  readonly seq: Generated<number>;
  readonly id: string;
  readonly flip_id: string;
  readonly account_id: string;
  readonly check_no: number;
  readonly check_id: string;
  readonly outage: string | null;
  readonly kind: AlertKind;
  /** Of a reminder: which it is. */
  readonly number: Generated<number>;
  /** Which reminders follow it, and the number of the last; null where none do. */
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
  /** Of earlier attempts; the one under the lease is not counted yet. */
  readonly possibly_sent: NumericBoolean;
  /** Whether it passed the rules that are asked once, before the first attempt. */
  readonly judged: NumericBoolean;
  /** Whether an attempt failed, or none was made in time, by no rule of its recipient. */
  readonly unreached: Generated<NumericBoolean>;
  readonly sent_kind: AlertKind | null;
  readonly sealed_recipient: Uint8Array | null;
  readonly sent_from: string | null;
  readonly subject: string | null;
  readonly body: string | null;
  readonly network: string | null;
  /** What else is sent of a message; null once the alert has ended, and in a bundle. */
  readonly sealed_details: Uint8Array | null;
  readonly last_at: number | null;
  readonly response: string | null;
  readonly bundle: string | null;
  /** As its address had it at the insert. */
  readonly destination: string;
  /** A hash of the host, the state and the reason; null where no host is checked. */
  readonly cause: string | null;
  /** Whether no earlier one about the same check to the same address waits; kept by the database. */
  readonly is_first: GeneratedAlways<NumericBoolean>;
  /** When it can be claimed; null where it cannot. */
  readonly claimable_at: GeneratedAlways<number | null>;
}

export interface NoticeTable {
  readonly id: string;
  /** JSON. */
  readonly notice: string;
}

export interface BundleTable {
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
  /** Null where the message was about several checks. */
  readonly check_no: number | null;
  /** JSON: those of the alerts in the messages of the burst, the latest of them. */
  readonly causes: string;
}

export interface DeliveryTable {
  readonly seq: Generated<number>;
  readonly alert_id: string;
  readonly attempt: number;
  readonly started_at: number;
  readonly ended_at: number;
  readonly accepted: NumericBoolean;
  readonly response: string;
}

export interface AlertMailTable {
  /** A hash. */
  readonly mailbox: string;
  /** When the first of them was sent. */
  readonly since: number;
  readonly sent: number;
}

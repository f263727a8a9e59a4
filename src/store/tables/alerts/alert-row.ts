import { createHash } from "node:crypto";

import type { Insertable, Selectable, Updateable } from "kysely";

import { maxRetryMs } from "../../../domain/alert/retry.ts";
import {
  lateReasons,
  type Alert,
  type EarlierAlert,
  type Notice,
} from "../../../domain/alert/alert.ts";
import { commonCauseOf } from "../../../domain/alert/alert-grouping.ts";
import type { Sealer } from "../../../kit/crypto/seal.ts";
import type { AlertRecord, Notification, RenderedMessage, AlertTable } from "../alerts.ts";

export function wasPossiblySent({
  possibly_sent,
  lease_until,
}: Pick<AlertTable, "possibly_sent" | "lease_until">): boolean {
  return possibly_sent === 1 || lease_until !== null;
}

/** A row with what it refers to. */
export type AlertRow = Selectable<AlertTable> & {
  readonly notice: string | null;
  readonly primary_id: string | null;
};

export function fromRow(row: AlertRow): Alert {
  const waitedFor = lateReasons.find((reason) => reason === row.reason);
  return {
    id: row.id,
    flipId: row.flip_id,
    accountId: row.account_id,
    primaryId: row.primary_id ?? row.account_id,
    checkNo: row.check_no,
    checkId: row.check_id,
    outage: row.outage ?? undefined,
    kind: row.kind,
    number: row.number,
    reminding: remindingFromRow(row),
    contactId: row.contact_id,
    addressId: row.address_id,
    schedules: JSON.parse(row.schedules),
    dueAt: row.due_at,
    createdAt: row.created_at,
    notice: JSON.parse(row.notice ?? "null"),
    retryUntil: row.retry_until,
    attempts: row.attempts,
    possiblySent: row.possibly_sent === 1,
    judged: row.judged === 1,
    ...(waitedFor !== undefined && { waitedFor }),
    bundle: row.bundle ?? undefined,
    destination: row.destination,
  };
}

export function remindingFromRow({
  repeat_minutes,
  repeat_last,
}: Pick<AlertTable, "repeat_minutes" | "repeat_last">): Alert["reminding"] {
  if (repeat_minutes === null || repeat_last === null) return undefined;
  return { everyMinutes: repeat_minutes, lastNumber: repeat_last };
}

export const earlierColumns = [
  "id",
  "contact_id",
  "address_id",
  "schedules",
  "status",
  "reason",
  "possibly_sent",
  "lease_until",
  "due_at",
  "judged",
  "unreached",
] as const;

/** An alert of an outage's beginning, as a recovery needs it. */
export function earlierFromRow(
  row: Pick<Selectable<AlertTable>, (typeof earlierColumns)[number]>,
): EarlierAlert {
  return {
    id: row.id,
    contactId: row.contact_id,
    addressId: row.address_id,
    schedules: JSON.parse(row.schedules),
    status: row.status,
    reason: row.reason ?? undefined,
    possiblySent: wasPossiblySent(row),
    dueAt: row.due_at,
    judged: row.judged === 1,
    unreached: row.unreached === 1,
  };
}

export function toRow(alert: AlertRecord): Omit<Insertable<AlertTable>, "destination"> {
  return {
    id: alert.id,
    flip_id: alert.flipId,
    account_id: alert.accountId,
    check_no: alert.checkNo,
    check_id: alert.notice.check.id,
    outage: alert.outage ?? null,
    kind: alert.kind,
    number: alert.number ?? 0,
    repeat_minutes: alert.reminding?.everyMinutes ?? null,
    repeat_last: alert.reminding?.lastNumber ?? null,
    contact_id: alert.contactId,
    address_id: alert.addressId,
    schedules: JSON.stringify(alert.schedules),
    notice_id: storedNotice(alert).id,
    created_at: alert.createdAt,
    due_at: alert.dueAt,
    status: "waiting",
    attempts: 0,
    next_attempt_at: alert.dueAt,
    retry_until: alert.dueAt + maxRetryMs,
    possibly_sent: 0,
    judged: 0,
    cause: causeColumn(alert.notice),
  };
}

/** No two of the few causes of a burst are alike in 48 bits. */
const CAUSE_HASH_LENGTH = 8;

function causeColumn(notice: Notice): string | null {
  const cause = commonCauseOf(notice);
  return cause === undefined ? null : hashOf(cause).slice(0, CAUSE_HASH_LENGTH);
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

const NOTICE_HASH_LENGTH = 16;
/** Alerts of one flip share one object, which may be some kilobytes. */
const written = new WeakMap<Notice, { readonly json: string; readonly hash: string }>();

/** Returns the storage of an alert's notice: an outage may have a second one, for recipients added later. */
export function storedNotice({ flipId, notice }: Pick<AlertRecord, "flipId" | "notice">): {
  readonly id: string;
  readonly notice: string;
} {
  const json = written.get(notice)?.json ?? JSON.stringify(notice);
  const hash = written.get(notice)?.hash ?? hashOf(json).slice(0, NOTICE_HASH_LENGTH);
  written.set(notice, { json, hash });
  return { id: `${flipId} ${hash}`, notice: json };
}

/** An alert is rendered once it has passed every stage, and before it is sent. */
export function renderedColumns(
  { kind, to, from, subject, body, network, details }: RenderedMessage,
  sealer: Sealer,
): Updateable<AlertTable> {
  return {
    judged: 1,
    sent_kind: kind,
    sealed_recipient: sealer.seal(to),
    sent_from: from,
    subject,
    body,
    network,
    sealed_details: details === undefined ? null : sealer.seal(details),
  };
}

export function toRendered(row: Selectable<AlertTable>, sealer: Sealer): RenderedMessage {
  const { kind, to, from, subject, body, network } = toNotification(row, sealer);
  const details = row.sealed_details === null ? undefined : sealer.open(row.sealed_details);
  return { kind, to, from, subject, body, network, details };
}

export function toNotification(row: Selectable<AlertTable>, sealer: Sealer): Notification {
  return {
    alertId: row.id,
    accountId: row.account_id,
    checkId: row.check_id,
    kind: row.sent_kind ?? row.kind,
    contactId: row.contact_id,
    addressId: row.address_id,
    status: row.status,
    reason: row.reason ?? undefined,
    to: row.sealed_recipient === null ? "" : sealer.open(row.sealed_recipient),
    from: row.sent_from ?? "",
    subject: row.subject ?? "",
    body: row.body ?? "",
    network: row.network ?? "",
    createdAt: row.created_at,
    dueAt: row.due_at,
    at: row.last_at ?? row.created_at,
    attempts: row.attempts,
    nextAttemptAt: row.status === "waiting" ? row.next_attempt_at : undefined,
    response: row.response ?? undefined,
    bundle: row.bundle ?? undefined,
  };
}

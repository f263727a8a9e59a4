import type { AlertKind, AlertStatus, DropReason } from "./alert.ts";

/** Drops that may be otherwise by the next reminder. */
const passingReasons: ReadonlySet<string> = new Set<DropReason>([
  "account_suppressed",
  "address_muted",
  "address_suppressed",
  "suppressed_down",
  "outside_window",
  "check_muted",
  "dependency_down",
]);

/** Whether a reminder follows an alert that has ended so: one of a Down that was sent, and after that whatever became of the reminder, as long as the next may be sent. */
export function isFollowedByReminder(ended: {
  readonly kind: AlertKind;
  readonly status: AlertStatus;
  readonly reason: string | undefined;
  readonly possiblySent: boolean;
}): boolean {
  const { kind, status, reason } = ended;
  if (kind !== "reminder") return status === "delivered" || ended.possiblySent;
  return status !== "dropped" || (reason !== undefined && passingReasons.has(reason));
}

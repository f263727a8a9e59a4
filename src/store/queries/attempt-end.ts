import type { Kysely, Updateable } from "kysely";

import type { DropReason } from "../../domain/alert.ts";
import type { AttemptEnd } from "../alerts.ts";
import type { AlertTable } from "./alert-tables.ts";
import type { Database } from "./tables.ts";
import { checksInMaintenance } from "./maintenance-checks.ts";

/** Why an alert that has surely not left must not leave any more: what would have dropped it, had nobody held it. */
export async function dropReasonNow(
  db: Kysely<Database>,
  { check_no, kind, outage }: Pick<AlertTable, "check_no" | "kind" | "outage">,
): Promise<DropReason | undefined> {
  const check = await db
    .selectFrom("checks")
    .innerJoin("accounts", "accounts.id", "checks.account_id")
    .innerJoin("check_states", "check_states.check_no", "checks.no")
    .select([
      "checks.enabled",
      "checks.disabled_with_all",
      "accounts.status",
      "check_states.outage",
    ])
    .select((eb) => eb("checks.no", "in", checksInMaintenance(db)).as("is_held"))
    .where("checks.no", "=", check_no)
    .executeTakeFirst();
  if (check === undefined) return "deleted";
  if (check.status === "deleted") return "account_deleted";
  if (check.status === "suspended") return "account_suspended";
  if (check.enabled === 0 || check.disabled_with_all === 1 || check.is_held) return "disabled";
  return kind !== "up" && outage !== null && outage !== check.outage ? "recovered" : undefined;
}

/** Why an alert is dropped although nobody had looked at it. */
const DROPPED_UNSEEN: ReadonlySet<string | null> = new Set<DropReason>([
  "recovered",
  "disabled",
  "deleted",
  "account_deleted",
  "account_suspended",
]);

/** What an attempt changes of an alert that was dropped meanwhile: one that left did leave. */
export function lateOutcome(
  { status, reason }: Pick<AlertTable, "status" | "reason">,
  end: AttemptEnd,
): Updateable<AlertTable> | undefined {
  if (status !== "dropped" || !DROPPED_UNSEEN.has(reason)) return undefined;
  if (end.status === "delivered") return endColumns(end);
  return "possiblySent" in end && end.possiblySent ? {} : undefined;
}

export function endColumns(end: AttemptEnd): Updateable<AlertTable> {
  if (end.status === "waiting") return { next_attempt_at: end.nextAttemptAt };
  const reason = "reason" in end ? end.reason : null;
  return { status: end.status, reason, last_at: end.at, sealed_details: null };
}

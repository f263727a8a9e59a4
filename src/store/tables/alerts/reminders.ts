import type { Kysely } from "kysely";

import { isFollowedByReminder } from "../../../domain/alert/following-reminder.ts";
import { maxRetryMs } from "../../../domain/alert/retry.ts";
import { nextReminder } from "../../../domain/alert/reminder.ts";
import { readClock, type Engine } from "../engine.ts";
import type { Database } from "../database.ts";
import { waiting } from "./alert-line.ts";
import { remindingFromRow, wasPossiblySent } from "./alert-row.ts";
import { presentEndOf } from "./present-end.ts";

/**
 * Inserts the next reminder after an alert that just ended, if the outage continues. While acknowledged, it is inserted as dropped, so that it exists if the
 * acknowledgement is withdrawn.
 */
export async function insertNextReminder(
  { db, engine }: { readonly db: Kysely<Database>; readonly engine: Engine },
  alertId: string,
): Promise<void> {
  const ended = await db
    .selectFrom("alerts")
    .innerJoin("check_states", (join) =>
      join
        .onRef("check_states.check_no", "=", "alerts.check_no")
        .onRef("check_states.outage", "=", "alerts.outage"),
    )
    .selectAll("alerts")
    .select("check_states.acknowledged_at")
    .where("alerts.id", "=", alertId)
    .where("alerts.repeat_minutes", "is not", null)
    .executeTakeFirst();
  const reminding = ended && remindingFromRow(ended);
  if (ended === undefined || reminding === undefined) return;
  const possiblySent = wasPossiblySent(ended);
  if (!isFollowedByReminder({ ...ended, reason: ended.reason ?? undefined, possiblySent })) return;
  const now = await readClock(db, engine);
  const next = nextReminder({ number: ended.number, dueAt: ended.due_at, reminding }, now);
  if (next === undefined) return;
  const id = reminderId(ended, next.number);
  const isAcknowledged = ended.acknowledged_at !== null;
  const row = {
    id,
    flip_id: ended.flip_id,
    account_id: ended.account_id,
    check_no: ended.check_no,
    check_id: ended.check_id,
    outage: ended.outage,
    kind: "reminder" as const,
    number: next.number,
    repeat_minutes: reminding.everyMinutes,
    repeat_last: reminding.lastNumber,
    contact_id: ended.contact_id,
    address_id: ended.address_id,
    schedules: ended.schedules,
    notice_id: ended.notice_id,
    created_at: now,
    due_at: next.dueAt,
    status: isAcknowledged ? ("dropped" as const) : waiting,
    reason: isAcknowledged ? ("acknowledged" as const) : null,
    attempts: 0,
    next_attempt_at: next.dueAt,
    retry_until: next.dueAt + maxRetryMs,
    possibly_sent: 0 as const,
    judged: 0 as const,
    last_at: isAcknowledged ? now : null,
    destination: ended.destination,
  };
  await engine.insertLanes(db, [row]);
  await db
    .insertInto("alerts")
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  if (isAcknowledged) return;
  const present = await presentEndOf({ db, engine }, id, {
    mayHaveArrived: false,
    isPossiblySent: false,
  });
  if (present === undefined) return;
  await db
    .updateTable("alerts")
    .set({ ...present, ...(present.status === "dropped" && { last_at: now }) })
    .where("id", "=", id)
    .where("status", "=", waiting)
    .execute();
}

/** Derived from the ID of the Down, so that no reminder has two. */
function reminderId(
  { id, kind, number }: { readonly id: string; readonly kind: string; readonly number: number },
  next: number,
): string {
  const down = kind === "reminder" ? id.slice(0, -`-${number}`.length) : id;
  return `${down}-${next}`;
}

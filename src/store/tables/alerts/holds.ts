import {
  sql,
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type SqlBool,
  type UpdateQueryBuilder,
  type UpdateResult,
} from "kysely";

import { maxRetryMs } from "../../../domain/alert/retry.ts";
import type { DropReason, HoldReason } from "../../../domain/alert/alert.ts";
import { toFlag } from "../columns.ts";
import type { Database } from "../database.ts";
import { waiting } from "./alert-line.ts";

/** A literal, for a partial index is not found through a parameter. */
export const held = sql.lit("held" as const);

type Choice = (eb: ExpressionBuilder<Database, "alerts">) => Expression<SqlBool>;

export function createHolds(db: Kysely<Database>) {
  return {
    /** Drops those that are held, or were surely not sent. */
    async drop(alertIds: readonly string[], reason: DropReason, at: number): Promise<void> {
      if (alertIds.length === 0) return;
      const chosen: Choice = (eb) => eb("id", "in", alertIds);
      if (reason === "recovered")
        await db
          .updateTable("alerts")
          .set({ unreached: toFlag(true) })
          .where(chosen)
          .where((eb) => wasDueUntried(eb, at))
          .execute();
      await dropUnsent(db, { reason, at }, chosen);
    },
    /** Drops a first alert that says that the check is up, where it is held, or not due by then. */
    async dropEarlyFirst(checkNo: number, reason: DropReason, at: number): Promise<void> {
      await dropUnsent(db, { reason, at }, (eb) =>
        eb.and([
          eb("check_no", "=", checkNo),
          eb("kind", "=", "first"),
          eb("outage", "is", null),
          eb.or([eb("due_at", ">", at), eb("status", "=", held)]),
        ]),
      );
    },
    /** Releases held alerts of an outage: those that were certainly not sent are judged again, at the earliest now. */
    async release(outage: string, at: number): Promise<void> {
      await releaseHeld(db, at).where("outage", "=", outage).where("kind", "!=", "up").execute();
    },
  };
}

/** Whether the alert was due, by its recipient's rules too, and is surely not sent: it waits for its group, its turn, its mailbox or its receiver. */
function wasDueUntried(eb: ExpressionBuilder<Database, "alerts">, at: number): Expression<SqlBool> {
  return eb.and([
    eb("status", "=", waiting),
    eb("lease_until", "is", null),
    eb("possibly_sent", "=", 0),
    eb("due_at", "<=", at),
    eb.or([
      eb("reason", "is", null),
      eb("reason", "=", "mailbox_limit"),
      eb("next_attempt_at", "<=", at),
    ]),
  ]);
}

/** Drops open alerts that are held, not attempted yet, or whose attempts all certainly failed. */
export async function dropUnsent(
  db: Kysely<Database>,
  { reason, at }: { readonly reason: DropReason; readonly at: number },
  chosen: Choice,
): Promise<void> {
  const dropped = db
    .updateTable("alerts")
    .set({ status: "dropped", reason, last_at: at, sealed_details: null })
    .where(chosen);
  await dropped.where("status", "=", held).execute();
  await dropped
    .where("status", "=", waiting)
    .where("lease_until", "is", null)
    .where("possibly_sent", "=", 0)
    .execute();
}

/**
 * Holds open alerts. Of a check that does not run, those that were surely not sent, but no Up: that the outage ended is a fact.
 * Of a suspended account, all that no notifier has claimed.
 */
export async function holdUnsent(
  db: Kysely<Database>,
  reason: HoldReason,
  chosen: Choice,
): Promise<void> {
  const unclaimed = db
    .updateTable("alerts")
    .set({ status: held, reason })
    .where("status", "=", waiting)
    .where("lease_until", "is", null)
    .where(chosen);
  await (
    reason === "account_suspended"
      ? unclaimed
      : unclaimed.where("kind", "!=", "up").where("possibly_sent", "=", 0)
  ).execute();
}

/** Returns whether the alert reports a first result that is up and the check has flipped since: it would arrive after the later alert. */
export function isOutdatedFirst(eb: ExpressionBuilder<Database, "alerts">): Expression<SqlBool> {
  return eb.and([
    eb("kind", "=", "first"),
    eb("outage", "is", null),
    eb.exists(
      eb
        .selectFrom("alerts as later")
        .select("later.seq")
        .whereRef("later.check_no", "=", "alerts.check_no")
        .whereRef("later.seq", ">", "alerts.seq")
        .where("later.kind", "!=", "first"),
    ),
  ]);
}

/** Releases held alerts. */
export function releaseHeld(
  db: Kysely<Database>,
  at: number,
): UpdateQueryBuilder<Database, "alerts", "alerts", UpdateResult> {
  return resumeWaiting(db, at).where("status", "=", held);
}

/** An alert that was surely not sent is judged again at once, whatever it waited for before, and is late from now on only. */
export function resumeWaiting(
  db: Kysely<Database>,
  at: number,
): UpdateQueryBuilder<Database, "alerts", "alerts", UpdateResult> {
  return db.updateTable("alerts").set((eb) => {
    const noEarlier = (column: "due_at" | "next_attempt_at") =>
      eb.case().when(column, "<", at).then(eb.val(at)).else(eb.ref(column)).end();
    const isPossiblySent = eb("possibly_sent", "=", 1);
    return {
      status: waiting,
      reason: null,
      judged: eb.case().when(isPossiblySent).then(eb.ref("judged")).else(toFlag(false)).end(),
      due_at: noEarlier("due_at"),
      next_attempt_at: eb
        .case()
        .when(isPossiblySent)
        .then(noEarlier("next_attempt_at"))
        .else(noEarlier("due_at"))
        .end(),
      retry_until: eb
        .case()
        .when("retry_until", "<", at + maxRetryMs)
        .then(eb.val(at + maxRetryMs))
        .else(eb.ref("retry_until"))
        .end(),
    };
  });
}

/** Returns whether the alert's outage is still in progress. */
export function isOfPresentOutage(eb: ExpressionBuilder<Database, "alerts">): Expression<SqlBool> {
  return eb.exists(
    eb
      .selectFrom("check_states")
      .select("check_states.check_no")
      .whereRef("check_states.check_no", "=", "alerts.check_no")
      .whereRef("check_states.outage", "=", "alerts.outage"),
  );
}

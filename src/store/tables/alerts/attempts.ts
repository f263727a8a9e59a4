import type { Expression, ExpressionBuilder, Kysely, SqlBool } from "kysely";

import { maxRetryMs } from "../../../domain/alert/retry.ts";
import type { DropReason, Alert } from "../../../domain/alert/alert.ts";
import type { Sealer } from "../../../kit/crypto/seal.ts";
import { settleAll } from "../../../kit/settle-all.ts";
import type { AttemptEnd, RenderedMessage, ClaimedAlert, NewDelivery } from "../alerts.ts";
import { logChange } from "../changes.ts";
import { toFlag } from "../columns.ts";
import { readClock, type Engine } from "../engine.ts";
import type { Database } from "../database.ts";
import { waiting } from "./alert-line.ts";
import { renderedColumns } from "./alert-row.ts";
import { held } from "./holds.ts";
import { presentEndOf } from "./present-end.ts";
import { insertNextReminder } from "./reminders.ts";

export function createAttempts(
  db: Kysely<Database>,
  { engine, sealer }: { readonly engine: Engine; readonly sealer: Sealer },
) {
  return {
    /** Delays unclaimed alerts by the store's clock because their receiver is unreachable. Alerts delayed together are due at one instant. */
    async awaitReceiver(alertIds: readonly string[], forMs: number): Promise<void> {
      const probeAt = (await readClock(db, engine)) + forMs;
      await db
        .updateTable("alerts")
        .set({
          next_attempt_at: Math.ceil(probeAt / TOGETHER_MS) * TOGETHER_MS,
          unreached: toFlag(true),
        })
        .where("id", "in", alertIds)
        .where("status", "=", waiting)
        .where("lease_until", "is", null)
        .where("next_attempt_at", "<=", engine.now())
        .execute();
    },
    /**
     * Ends an attempt, or a decision against one; false if the alert had already ended. A waiting alert is dropped or held if its check or account requires
     * that by now. An alert dropped or held because of its check during an attempt without a claim still gets that attempt's outcome. If it was claimed for a
     * later attempt than `tried`, only an acceptance counts. Inserts the reminder that follows, if any.
     */
    finishAttempt: (
      alertId: string,
      end: AttemptEnd,
      tried?: Pick<Alert, "attempts" | "possiblySent">,
    ): Promise<boolean> => finishAttempt({ db, engine }, { alertId, end, tried }),
    /** Stores the message of an alert that is sent on its own, unless a later attempt has claimed it. */
    async setRendered(
      alertId: string,
      rendered: RenderedMessage,
      attempt: number = Number.MAX_SAFE_INTEGER,
    ): Promise<void> {
      await db
        .updateTable("alerts")
        .set({ ...renderedColumns(rendered, sealer), bundle: null })
        .where("id", "=", alertId)
        .where("attempts", "<=", attempt)
        .execute();
    },
    /** Counts the attempt no longer that an alert was claimed for, as it was not made. */
    async uncountAttempt({ alertId, attempt }: ClaimedAlert): Promise<void> {
      await db
        .updateTable("alerts")
        .set({ attempts: attempt - 1 })
        .where("id", "=", alertId)
        .where("attempts", "=", attempt)
        .execute();
    },
    addDelivery: (delivery: NewDelivery): Promise<void> => addDelivery(db, sealer, delivery),
  };
}

async function addDelivery(
  db: Kysely<Database>,
  sealer: Sealer,
  { alertId, attempt, startedAt, endedAt, accepted, response, to }: NewDelivery,
): Promise<void> {
  // Nothing is kept for an alert whose account was purged during the attempt.
  const insertion = db
    .insertInto("deliveries")
    .columns(["alert_id", "attempt", "started_at", "ended_at", "accepted", "response"])
    .expression((eb) =>
      eb
        .selectFrom("alerts")
        .where("id", "=", alertId)
        .select((alert) => [
          "id",
          alert.cast<number>(alert.val(attempt), "bigint").as("attempt"),
          alert.cast<number>(alert.val(startedAt), "bigint").as("started_at"),
          alert.cast<number>(alert.val(endedAt), "bigint").as("ended_at"),
          alert.cast<number>(alert.val(toFlag(accepted)), "bigint").as("accepted"),
          alert.val(response).as("response"),
        ]),
    );
  const update = db
    .updateTable("alerts")
    .set({
      last_at: endedAt,
      response,
      ...(to !== undefined && { sealed_recipient: sealer.seal(to) }),
    })
    .where("id", "=", alertId);
  await settleAll(insertion.execute(), update.execute());
}

/** Alerts that wait for one receiver are due in the same interval, and so in the order of their creation. */
const TOGETHER_MS = 250;

/** Maximum body kept after the last attempt: longer than any common message, although templates allow 256 KiB. */
const KEPT_BODY_LENGTH = 16_384;

interface Finished {
  readonly alertId: string;
  readonly end: AttemptEnd;
  readonly tried: Pick<Alert, "attempts" | "possiblySent"> | undefined;
}

/** Each statement includes its whole condition, so it changes nothing if another transaction was first. */
async function finishAttempt(
  { db, engine }: { readonly db: Kysely<Database>; readonly engine: Engine },
  { alertId, end, tried }: Finished,
): Promise<boolean> {
  const mayHaveArrived = "possiblySent" in end && end.possiblySent;
  const isPossiblySent = tried?.possiblySent === true || mayHaveArrived;
  const isPostponed = end.status === "waiting" && end.reason !== undefined;
  const isLate = isPostponed && end.reason !== "mailbox_limit";
  const present =
    end.status === "waiting"
      ? await presentEndOf({ db, engine }, alertId, { mayHaveArrived, isPossiblySent, isLate })
      : undefined;
  const isOverUntried = present?.reason === "recovered" && !isLate;
  // Nothing is sent before it was judged: an attempt that was lost before that sent nothing.
  const isOverUnsent =
    end.status === "dropped" || isPostponed || (present?.status === "held" && !mayHaveArrived);
  const possiblySentAfter = (eb: ExpressionBuilder<Database, "alerts">) => {
    const known = isPossiblySent ? eb.val(toFlag(true)) : eb.ref("possibly_sent");
    if (!isOverUnsent) return known;
    return eb.case().when("judged", "=", 0).then(toFlag(false)).else(known).end();
  };
  let alert = db
    .updateTable("alerts")
    .set((eb) => ({
      lease_until: null,
      possibly_sent: possiblySentAfter(eb),
      ...("unreached" in end && { unreached: toFlag(end.unreached) }),
      ...(isOverUntried && { unreached: toFlag(true) }),
    }))
    .where("id", "=", alertId);
  if (tried !== undefined && end.status !== "delivered")
    alert = alert.where("attempts", "<=", tried.attempts);

  const open = alert.where("status", "=", waiting);
  if (end.status === "waiting") {
    const { nextAttemptAt, reason } = end;
    const retryUntil = nextAttemptAt + maxRetryMs;
    const retried = open.set((eb) => ({
      next_attempt_at: nextAttemptAt,
      reason: reason ?? null,
      ...(reason !== undefined && {
        retry_until: eb
          .case()
          .when("retry_until", "<", retryUntil)
          .then(retryUntil)
          .else(eb.ref("retry_until"))
          .end(),
      }),
      ...present,
      ...(present?.status === "dropped" && { sealed_details: null }),
    }));
    if ((await retried.executeTakeFirst()).numUpdatedRows > 0n) return true;
  } else {
    const unfinished = end.status === "delivered" ? alert.where(isOpenOrEndedUnseen) : open;
    const ended = unfinished.set((eb) => ({
      status: end.status,
      reason: "reason" in end ? end.reason : null,
      last_at: end.at,
      sealed_details: null,
      body: eb.fn<string | null>("substr", ["body", eb.lit(1), eb.lit(KEPT_BODY_LENGTH)]),
    }));
    const finished = await ended.returning("check_no").executeTakeFirst();
    if (finished !== undefined) {
      await settleAll(
        insertNextReminder({ db, engine }, alertId),
        logChange(db, engine, { checkNo: finished.check_no, kind: "alert" }),
      );
      return true;
    }
  }
  // A message of an alert that was dropped or held meanwhile may have been sent all the same.
  if (!mayHaveArrived) return false;
  const { numUpdatedRows } = await alert.where(isEndedUnseen).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Reasons for dropping an alert without examining it: its check or its account changed. */
const droppedUnseen: readonly DropReason[] = [
  "recovered",
  "acknowledged",
  "deleted",
  "account_deleted",
];

function isEndedUnseen(eb: ExpressionBuilder<Database, "alerts">): Expression<SqlBool> {
  return eb.or([
    eb("status", "=", held),
    eb.and([eb("status", "=", "dropped"), eb("reason", "in", droppedUnseen)]),
  ]);
}

function isOpenOrEndedUnseen(eb: ExpressionBuilder<Database, "alerts">): Expression<SqlBool> {
  return eb.or([eb("status", "=", waiting), isEndedUnseen(eb)]);
}

import { sql } from "kysely";
import type { Expression, ExpressionBuilder, Kysely, SqlBool } from "kysely";

import type { DropReason } from "../../../domain/alert.ts";
import type { Sealer } from "../../../kit/crypto/seal.ts";
import type { AlertWrites, AttemptEnd } from "../../alerts.ts";
import { checksInMaintenance } from "../checks/maintenance-checks.ts";
import { toFlag } from "../columns.ts";
import type { Database } from "../tables.ts";
import { waiting } from "./alert-line.ts";
import { renderedColumns } from "./alert-row.ts";

export function createAttempts(
  db: Kysely<Database>,
  sealer: Sealer,
): Pick<AlertWrites, "finishAttempt" | "setRendered" | "addDelivery" | "uncountAttempt"> {
  return {
    finishAttempt: (alertId, end, tried) => finishAttempt(db, { alertId, end, tried }),
    async setRendered(alertId, rendered, attempt = Number.MAX_SAFE_INTEGER) {
      await db
        .updateTable("alerts")
        .set({ ...renderedColumns(rendered, sealer), bundle: null })
        .where("id", "=", alertId)
        .where("attempts", "<=", attempt)
        .execute();
    },
    async uncountAttempt({ alertId, attempt }) {
      await db
        .updateTable("alerts")
        .set({ attempts: attempt - 1 })
        .where("id", "=", alertId)
        .where("attempts", "=", attempt)
        .execute();
    },
    async addDelivery({ alertId, attempt, startedAt, endedAt, accepted, response, to }) {
      await db
        .insertInto("deliveries")
        .values({
          alert_id: alertId,
          attempt,
          started_at: startedAt,
          ended_at: endedAt,
          accepted: toFlag(accepted),
          response,
        })
        .execute();
      await db
        .updateTable("alerts")
        .set({
          last_at: endedAt,
          response,
          ...(to !== undefined && { sealed_recipient: sealer.seal(to) }),
        })
        .where("id", "=", alertId)
        .execute();
    },
  };
}

interface Finished {
  readonly alertId: string;
  readonly end: AttemptEnd;
  readonly tried: Parameters<AlertWrites["finishAttempt"]>[2];
}

/** Each statement carries its whole condition: it changes nothing where another unit was first. */
async function finishAttempt(
  db: Kysely<Database>,
  { alertId, end, tried }: Finished,
): Promise<boolean> {
  const isPossiblySent =
    tried?.possiblySent === true || ("possiblySent" in end && end.possiblySent);
  let alert = db
    .updateTable("alerts")
    .set((eb) => ({
      lease_until: null,
      possibly_sent: isPossiblySent ? toFlag(true) : eb.ref("possibly_sent"),
    }))
    .where("id", "=", alertId);
  if (tried !== undefined && end.status !== "delivered")
    alert = alert.where("attempts", "<=", tried.attempts);

  const open = alert.where("status", "=", waiting);
  if (end.status === "waiting") {
    const retried = isPossiblySent
      ? open.set({ next_attempt_at: end.nextAttemptAt })
      : open.set((eb) => ({
          next_attempt_at: end.nextAttemptAt,
          status: eb
            .case()
            .when(isToBeDropped(eb))
            .then("dropped" as const)
            .else(eb.ref("status"))
            .end(),
          reason: eb.case().when(isToBeDropped(eb)).then(dropReasonNow(eb)).end(),
          sealed_details: eb
            .case()
            .when(isToBeDropped(eb))
            .then(null)
            .else(eb.ref("sealed_details"))
            .end(),
        }));
    if ((await retried.executeTakeFirst()).numUpdatedRows > 0n) return true;
  } else {
    const unfinished = end.status === "delivered" ? alert.where(isOpenOrDroppedUnseen) : open;
    const ended = unfinished.set({
      status: end.status,
      reason: "reason" in end ? end.reason : null,
      last_at: end.at,
      sealed_details: null,
    });
    if ((await ended.executeTakeFirst()).numUpdatedRows > 0n) return true;
  }
  // A message of an alert that was dropped meanwhile may have been sent all the same.
  if (!("possiblySent" in end && end.possiblySent)) return false;
  const { numUpdatedRows } = await alert.where(isDroppedUnseen).executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Why an alert is dropped without a look at it: its check or its account changed. */
const droppedUnseen: readonly DropReason[] = [
  "recovered",
  "disabled",
  "deleted",
  "account_deleted",
  "account_suspended",
];

function isDroppedUnseen(eb: ExpressionBuilder<Database, "alerts">): Expression<SqlBool> {
  return eb.and([eb("status", "=", "dropped"), eb("reason", "in", droppedUnseen)]);
}

function isOpenOrDroppedUnseen(eb: ExpressionBuilder<Database, "alerts">): Expression<SqlBool> {
  return eb.or([eb("status", "=", waiting), isDroppedUnseen(eb)]);
}

function isToBeDropped(eb: ExpressionBuilder<Database, "alerts">): Expression<SqlBool> {
  return eb.and([eb("possibly_sent", "=", 0), eb(dropReasonNow(eb), "is not", null)]);
}

/** Why an alert that was surely not sent must not be sent any more: what would have dropped it, had no notifier claimed it. */
function dropReasonNow(eb: ExpressionBuilder<Database, "alerts">): Expression<DropReason | null> {
  const ofCheck = eb
    .selectFrom("checks")
    .innerJoin("accounts", "accounts.id", "checks.account_id")
    .innerJoin("check_states", "check_states.check_no", "checks.no")
    .whereRef("checks.no", "=", "alerts.check_no")
    .select((check) =>
      check
        .case()
        .when("accounts.status", "=", "deleted")
        .then(sql.lit("account_deleted"))
        .when("accounts.status", "=", "suspended")
        .then(sql.lit("account_suspended"))
        .when(
          check.or([
            check("checks.enabled", "=", 0),
            check("checks.disabled_with_all", "=", 1),
            check("checks.no", "in", checksInMaintenance(check)),
          ]),
        )
        .then(sql.lit("disabled"))
        .when(
          check.and([
            check("alerts.kind", "!=", "up"),
            check("alerts.outage", "is not", null),
            check("alerts.outage", "is distinct from", check.ref("check_states.outage")),
          ]),
        )
        .then(sql.lit("recovered"))
        .else(sql.lit(""))
        .end()
        .as("reason"),
    );
  return sql<DropReason | null>`nullif(coalesce((${ofCheck}), 'deleted'), '')`;
}

import { sql } from "kysely";
import type { Kysely, Updateable, UpdateQueryBuilder, UpdateResult } from "kysely";

import type { DropReason } from "../../domain/alert.ts";
import type { AlertEnd, AlertReads, AlertWrites } from "../alerts.ts";
import { fromRow, mayHaveLeft, toNotification, toRow } from "./alert-row.ts";
import { flag } from "./database.ts";
import type { AlertTable, Database } from "./database.ts";
import { heldChecks } from "./holds.ts";

// A literal, for a partial index is not found through a parameter.
const waiting = sql.lit("waiting" as const);

export function createAlerts(db: Kysely<Database>): AlertReads & AlertWrites {
  /** Open alerts that have no earlier open one to the same address about the same check before them. */
  const firstInLine = db
    .selectFrom("alerts")
    .where("status", "=", waiting)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom("alerts as earlier")
            .select("earlier.seq")
            .where("earlier.status", "=", waiting)
            .whereRef("earlier.check_no", "=", "alerts.check_no")
            .whereRef("earlier.contact_id", "=", "alerts.contact_id")
            .whereRef("earlier.address_id", "=", "alerts.address_id")
            .whereRef("earlier.seq", "<", "alerts.seq"),
        ),
      ),
    );
  const claimable = (now: number, limit: number) =>
    firstInLine
      .where("next_attempt_at", "<=", now)
      .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", now)]))
      .orderBy("next_attempt_at")
      .orderBy("seq")
      .limit(limit);

  /** Why an alert that has surely not left must not leave any more: what would have dropped it, had nobody held it. */
  const overtaken = async ({
    check_no,
    kind,
    outage,
  }: Pick<AlertTable, "check_no" | "kind" | "outage">): Promise<DropReason | undefined> => {
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
      .select((eb) => eb("checks.no", "in", heldChecks(db)).as("is_held"))
      .where("checks.no", "=", check_no)
      .executeTakeFirst();
    if (check === undefined) return "deleted";
    if (check.status === "deleted") return "account_deleted";
    if (check.status === "suspended") return "account_suspended";
    if (check.enabled === 0 || check.disabled_with_all === 1 || check.is_held) return "disabled";
    return kind !== "up" && outage !== null && outage !== check.outage ? "recovered" : undefined;
  };

  return {
    async ofOutage(outage) {
      const rows = await db
        .selectFrom("alerts")
        .select([
          "id",
          "contact_id",
          "address_id",
          "schedule",
          "status",
          "reason",
          "may_have_left",
          "lease_until",
        ])
        .where("outage", "=", outage)
        .where("kind", "!=", "up")
        .orderBy("seq")
        .execute();
      return rows.map((row) => ({
        id: row.id,
        contactId: row.contact_id,
        addressId: row.address_id,
        schedule: row.schedule,
        status: row.status,
        reason: row.reason ?? undefined,
        mayHaveLeft: mayHaveLeft(row),
      }));
    },
    async nextDue() {
      const free = await firstInLine
        .select("next_attempt_at")
        .where("lease_until", "is", null)
        .orderBy("next_attempt_at")
        .limit(1)
        .executeTakeFirst();
      // A lease is always on an alert that was due, so those that matter stand before the first free one, and are few.
      let leased = firstInLine
        .select((eb) =>
          eb.fn
            .min<number | null>(
              eb
                .case()
                .when("lease_until", ">", eb.ref("next_attempt_at"))
                .then(eb.ref("lease_until"))
                .else(eb.ref("next_attempt_at"))
                .end(),
            )
            .as("at"),
        )
        .where("lease_until", "is not", null);
      if (free !== undefined) leased = leased.where("next_attempt_at", "<=", free.next_attempt_at);
      const { at = null } = (await leased.executeTakeFirst()) ?? {};
      if (at === null || free === undefined) return at ?? free?.next_attempt_at;
      return Math.min(at, free.next_attempt_at);
    },
    async due(now, limit) {
      return (await claimable(now, limit).selectAll().execute()).map(fromRow);
    },
    async notifications({ accountIds, checkId, from, limit, dropped }) {
      let query = db
        .selectFrom("alerts")
        .selectAll()
        .where("account_id", "in", accountIds)
        .where("created_at", ">=", from)
        .orderBy("created_at", "desc")
        .orderBy("seq", "desc")
        .limit(limit);
      if (checkId !== undefined) query = query.where("check_id", "=", checkId);
      if (!dropped) {
        query = query.where((eb) =>
          eb.or([eb("status", "!=", "dropped"), eb("response", "is not", null)]),
        );
      }
      return (await query.execute()).map(toNotification);
    },
    async insert(alert) {
      await db.insertInto("alerts").values(toRow(alert)).execute();
    },
    async claim({ now, until, limit }) {
      const rows = await db
        .updateTable("alerts")
        .set((eb) => ({
          lease_until: until,
          attempts: eb("attempts", "+", 1),
          // A lease that ran out unsettled is an attempt of which nobody knows the end.
          may_have_left: eb
            .case()
            .when("lease_until", "is", null)
            .then(eb.ref("may_have_left"))
            .else(flag(true))
            .end(),
        }))
        .where("seq", "in", claimable(now, limit).select("seq"))
        .returningAll()
        .execute();
      return rows.toSorted((one, other) => one.seq - other.seq).map(fromRow);
    },
    async settle(alertId, end) {
      const known = await db
        .selectFrom("alerts")
        .select(["check_no", "kind", "outage", "status", "reason", "may_have_left"])
        .where("id", "=", alertId)
        .executeTakeFirst();
      if (known === undefined) return false;
      const left = known.may_have_left === 1 || ("mayHaveLeft" in end && end.mayHaveLeft);
      const change = async (): Promise<Updateable<AlertTable> | undefined> => {
        if (known.status !== "waiting") return amendment(known, end);
        const reason = end.status === "waiting" && !left ? await overtaken(known) : undefined;
        return reason === undefined ? endColumns(end) : { status: "dropped", reason };
      };
      const columns = await change();
      if (columns === undefined) return false;
      await db
        .updateTable("alerts")
        .set({ ...columns, lease_until: null, may_have_left: flag(left) })
        .where("id", "=", alertId)
        .execute();
      return true;
    },
    async word(alertId, { kind, to, from, subject, body, network }) {
      await db
        .updateTable("alerts")
        .set({ sent_kind: kind, sent_to: to, sent_from: from, subject, body, network })
        .where("id", "=", alertId)
        .execute();
    },
    async addDelivery({ alertId, attempt, startedAt, endedAt, accepted, response }) {
      await db
        .insertInto("deliveries")
        .values({
          alert_id: alertId,
          attempt,
          started_at: startedAt,
          ended_at: endedAt,
          accepted: flag(accepted),
          response,
        })
        .execute();
      await db
        .updateTable("alerts")
        .set({ last_at: endedAt, response })
        .where("id", "=", alertId)
        .execute();
    },
    async drop(alertIds, reason, at) {
      for (const id of alertIds)
        await dropUnsent(db, { reason, at }).where("id", "=", id).execute();
    },
    async dropWaiting(checkNo, reason, at) {
      await dropUnsent(db, { reason, at }).where("check_no", "=", checkNo).execute();
    },
  };
}

/** Drops open alerts that have not begun to leave. */
export function dropUnsent(
  db: Kysely<Database>,
  { reason, at }: { readonly reason: DropReason; readonly at: number },
): UpdateQueryBuilder<Database, "alerts", "alerts", UpdateResult> {
  return db
    .updateTable("alerts")
    .set({ status: "dropped", reason, last_at: at })
    .where("status", "=", waiting)
    .where("lease_until", "is", null)
    .where("may_have_left", "=", 0);
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
function amendment(
  { status, reason }: Pick<AlertTable, "status" | "reason">,
  end: AlertEnd,
): Updateable<AlertTable> | undefined {
  if (status !== "dropped" || !DROPPED_UNSEEN.has(reason)) return undefined;
  if (end.status === "delivered") return endColumns(end);
  return "mayHaveLeft" in end && end.mayHaveLeft ? {} : undefined;
}

function endColumns(end: AlertEnd): Updateable<AlertTable> {
  if (end.status === "waiting") return { next_attempt_at: end.nextAttemptAt };
  return { status: end.status, reason: "reason" in end ? end.reason : null, last_at: end.at };
}

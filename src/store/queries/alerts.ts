import { sql } from "kysely";
import type { Kysely, Updateable, UpdateQueryBuilder, UpdateResult } from "kysely";

import type { DropReason } from "../../domain/alert.ts";
import type { Sealer } from "../../kit/crypto/seal.ts";
import type { AlertReads, AlertWrites } from "../alerts.ts";
import { lateOutcome, endColumns, dropReasonNow } from "./attempt-end.ts";
import {
  fromRow,
  wasPossiblySent,
  toNotification,
  toRendered,
  toRow,
  renderedColumns,
} from "./alert-row.ts";
import type { AlertTable } from "./alert-tables.ts";
import { createBundles } from "./bundles.ts";
import { toFlag } from "./tables.ts";
import type { Database } from "./tables.ts";

// A literal, for a partial index is not found through a parameter.
const waiting = sql.lit("waiting" as const);

/** Beyond the limit of a claim: few messages, however many alerts they tell of. */
const MOST_COMPANIONS = 1000;

export function createAlerts(
  db: Kysely<Database>,
  { sealer }: { readonly sealer: Sealer },
): AlertReads & AlertWrites {
  const bundles = createBundles(db, sealer);
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

  /** What is due to an address of these too, where that may be told several at once. */
  const companions = async (
    seqs: readonly number[],
    { now, kinds }: { readonly now: number; readonly kinds: readonly string[] },
  ): Promise<readonly number[]> => {
    const addresses = await db
      .selectFrom("alerts")
      .innerJoin("addresses", (join) =>
        join
          .onRef("addresses.contact_id", "=", "alerts.contact_id")
          .onRef("addresses.id", "=", "alerts.address_id"),
      )
      .select(["alerts.contact_id", "alerts.address_id"])
      .distinct()
      .where("alerts.seq", "in", seqs)
      .where("alerts.attempts", "=", 0)
      .where("addresses.kind", "in", kinds)
      .execute();
    const found: number[] = [];
    for (const { contact_id, address_id } of addresses) {
      const rows = await claimable(now, MOST_COMPANIONS - found.length)
        .select("seq")
        .where("attempts", "=", 0)
        .where("contact_id", "=", contact_id)
        .where("address_id", "=", address_id)
        .execute();
      found.push(...rows.map(({ seq }) => seq));
    }
    return found;
  };

  return {
    async listByOutage(outage) {
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
        possiblySent: wasPossiblySent(row),
      }));
    },
    async nextDueAt() {
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
    async listDue(now, limit) {
      const rows = await claimable(now, limit).selectAll().execute();
      return rows.map((row) => ({ ...fromRow(row), possiblySent: wasPossiblySent(row) }));
    },
    findBundle: bundles.find,
    async findRendered(alertIds) {
      if (alertIds.length === 0) return new Map();
      const rows = await db
        .selectFrom("alerts")
        .selectAll()
        .where("id", "in", alertIds)
        .where("sealed_details", "is not", null)
        .execute();
      return new Map(rows.map((row) => [row.id, toRendered(row, sealer)]));
    },
    async listNotifications({ accountIds, checkId, from, limit, dropped }) {
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
      return (await query.execute()).map((row) => toNotification(row, sealer));
    },
    async insert(alert) {
      await db.insertInto("alerts").values(toRow(alert)).execute();
    },
    async claim({ now, until, limit, company = new Map() }) {
      await bundles.removeUnused();
      await bundles.delayForGrouping(now, company);
      const first = await claimable(now, limit).select(["seq", "bundle"]).execute();
      if (first.length === 0) return [];
      const seqs = new Set(first.map(({ seq }) => seq));
      // All that is due is taken already where there was room for more.
      if (first.length === limit) {
        for (const seq of await bundles.listBundled(first)) seqs.add(seq);
        for (const seq of await companions([...seqs], { now, kinds: [...company.keys()] }))
          seqs.add(seq);
      }
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
            .else(toFlag(true))
            .end(),
        }))
        .where("seq", "in", [...seqs])
        .returningAll()
        .execute();
      await bundles.recordSends(rows, now, company);
      return rows.toSorted((one, other) => one.seq - other.seq).map(fromRow);
    },
    async finishAttempt(alertId, end, tried = { attempts: Infinity, possiblySent: false }) {
      const known = await db
        .selectFrom("alerts")
        .select(["check_no", "kind", "outage", "status", "reason", "may_have_left", "attempts"])
        .where("id", "=", alertId)
        .executeTakeFirst();
      if (known === undefined || (known.attempts > tried.attempts && end.status !== "delivered"))
        return false;
      const leaves = "possiblySent" in end && end.possiblySent;
      const left = known.may_have_left === 1 || tried.possiblySent || leaves;
      const change = async (): Promise<Updateable<AlertTable> | undefined> => {
        if (known.status !== "waiting") return lateOutcome(known, end);
        const reason =
          end.status === "waiting" && !left ? await dropReasonNow(db, known) : undefined;
        return reason === undefined
          ? endColumns(end)
          : { status: "dropped", reason, sealed_details: null };
      };
      const columns = await change();
      if (columns === undefined) return false;
      await db
        .updateTable("alerts")
        .set({ ...columns, lease_until: null, may_have_left: toFlag(left) })
        .where("id", "=", alertId)
        .execute();
      return true;
    },
    bundle: bundles.insert,
    unbundle: bundles.remove,
    async setRendered(alertId, rendered, attempt = Number.MAX_SAFE_INTEGER) {
      await db
        .updateTable("alerts")
        .set({ ...renderedColumns(rendered, sealer), bundle: null })
        .where("id", "=", alertId)
        .where("attempts", "<=", attempt)
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
          ...(to !== undefined && { sealed_to: sealer.seal(to) }),
        })
        .where("id", "=", alertId)
        .execute();
    },
    async drop(alertIds, reason, at) {
      for (const id of alertIds)
        await dropUnsent(db, { reason, at }).where("id", "=", id).execute();
    },
    async dropEarlyFirst(checkNo, reason, at) {
      await dropUnsent(db, { reason, at })
        .where("check_no", "=", checkNo)
        .where("kind", "=", "first")
        .where("outage", "is", null)
        .where("due_at", ">", at)
        .execute();
    },
    async dropUnsent(checkNo, reason, at) {
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
    .set({ status: "dropped", reason, last_at: at, sealed_details: null })
    .where("status", "=", waiting)
    .where("lease_until", "is", null)
    .where("may_have_left", "=", 0);
}

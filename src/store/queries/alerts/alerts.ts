import type { Kysely, UpdateQueryBuilder, UpdateResult } from "kysely";

import type { DropReason } from "../../../domain/alert.ts";
import type { Sealer } from "../../../kit/crypto/seal.ts";
import type { AlertReads, AlertWrites } from "../../alerts.ts";
import type { Engine } from "../engine.ts";
import type { Database } from "../tables.ts";
import { claimAlerts } from "./alert-claims.ts";
import { waiting } from "./alert-line.ts";
import { earlierColumns, earlierFromRow, toNotification, toRendered, toRow } from "./alert-row.ts";
import { createAttempts } from "./attempts.ts";
import { createBundles } from "./bundles.ts";
import { createDueAlerts } from "./due-alerts.ts";

interface Deps {
  readonly engine: Engine;
  readonly sealer: Sealer;
}

export function createAlerts(db: Kysely<Database>, deps: Deps): AlertReads & AlertWrites {
  const { engine, sealer } = deps;
  return {
    ...createAlertReads(db, deps),
    ...createDueAlerts(db, engine),
    ...createDrops(db),
    ...createBundles(db, sealer),
    ...createAttempts(db, sealer),
    async insert(alert) {
      const row = toRow(alert);
      await engine.insertLane(db, row);
      const destination = db
        .selectFrom("addresses")
        .select("destination")
        .where("contact_id", "=", alert.contactId)
        .where("id", "=", alert.addressId);
      await db
        .insertInto("alerts")
        .values((eb) => ({ ...row, destination: eb.fn.coalesce(destination, eb.val("")) }))
        .execute();
    },
    claim: (claim) => claimAlerts(db, engine, claim),
  };
}

function createAlertReads(
  db: Kysely<Database>,
  { sealer }: Deps,
): Pick<AlertReads, "listByOutage" | "findRendered" | "listNotifications"> {
  return {
    async listByOutage(outage) {
      const rows = await db
        .selectFrom("alerts")
        .select([...earlierColumns])
        .where("outage", "=", outage)
        .where("kind", "!=", "up")
        .orderBy("seq")
        .execute();
      return rows.map(earlierFromRow);
    },
    async findRendered(alertIds) {
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
  };
}

function createDrops(
  db: Kysely<Database>,
): Pick<AlertWrites, "drop" | "dropEarlyFirst" | "dropUnsent"> {
  return {
    async drop(alertIds, reason, at) {
      await dropUnsent(db, { reason, at }).where("id", "in", alertIds).execute();
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

/** Drops open alerts of which no attempt has begun, or all surely failed. */
export function dropUnsent(
  db: Kysely<Database>,
  { reason, at }: { readonly reason: DropReason; readonly at: number },
): UpdateQueryBuilder<Database, "alerts", "alerts", UpdateResult> {
  return db
    .updateTable("alerts")
    .set({ status: "dropped", reason, last_at: at, sealed_details: null })
    .where("status", "=", waiting)
    .where("lease_until", "is", null)
    .where("possibly_sent", "=", 0);
}

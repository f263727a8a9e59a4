import { sql } from "kysely";
import type { Kysely } from "kysely";

import type { Sealer } from "../../../kit/crypto/seal.ts";
import type { AlertReads, AlertWrites } from "../../alerts.ts";
import type { Engine } from "../engine.ts";
import type { Database } from "../tables.ts";
import { claimAlerts } from "./alert-claims.ts";
import {
  earlierColumns,
  earlierFromRow,
  storedNotice,
  toNotification,
  toRendered,
  toRow,
} from "./alert-row.ts";
import { createAlertTimes } from "./alert-times.ts";
import { createAttempts } from "./attempts.ts";
import { createBundles } from "./bundles.ts";
import { createDueAlerts } from "./due-alerts.ts";
import { createHolds } from "./holds.ts";

/** What people see as the time of an alert. An expression with an index. */
const lastAt = sql<number>`coalesce(last_at, created_at)`;

interface Deps {
  readonly engine: Engine;
  readonly sealer: Sealer;
}

export function createAlerts(db: Kysely<Database>, deps: Deps): AlertReads & AlertWrites {
  const { engine, sealer } = deps;
  return {
    ...createAlertReads(db, deps),
    ...createDueAlerts(db, engine),
    ...createHolds(db),
    ...createAlertTimes(db, engine),
    ...createBundles(db, sealer),
    ...createAttempts(db, deps),
    async insert(alert) {
      const row = toRow(alert);
      await engine.insertLane(db, row);
      await db
        .insertInto("notices")
        .values(storedNotice(alert))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
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
        .where(lastAt, ">=", from)
        .orderBy(lastAt, "desc")
        .orderBy("seq", "desc")
        .limit(limit);
      if (checkId !== undefined) query = query.where("check_id", "=", checkId);
      if (!dropped) {
        query = query.where((eb) =>
          eb.or([eb("status", "in", ["delivered", "failed"]), eb("response", "is not", null)]),
        );
      }
      return (await query.execute()).map((row) => toNotification(row, sealer));
    },
  };
}

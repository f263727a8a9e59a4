import { sql } from "kysely";
import type { Kysely } from "kysely";

import type { Sealer } from "../../../kit/crypto/seal.ts";
import type { AlertReads, AlertWrites } from "../../alerts.ts";
import { readClock } from "../engine.ts";
import type { Engine } from "../engine.ts";
import type { Database } from "../tables.ts";
import { claimAlerts } from "./alert-claims.ts";
import { claimable, isFirstInLine, waiting } from "./alert-line.ts";
import {
  earlierColumns,
  earlierFromRow,
  fromRow,
  toNotification,
  toRendered,
  toRow,
  wasPossiblySent,
} from "./alert-row.ts";
import { createAlertTimes } from "./alert-times.ts";
import { createAttempts } from "./attempts.ts";
import { createBundles } from "./bundles.ts";
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
    ...createHolds(db),
    ...createAlertTimes(db, engine),
    ...createBundles(db, sealer),
    ...createAttempts(db, sealer),
    async insert(alert) {
      const row = toRow(alert);
      await engine.insertLane(db, row);
      await db.insertInto("alerts").values(row).execute();
    },
    claim: (claim) => claimAlerts(db, engine, claim),
  };
}

function createAlertReads(
  db: Kysely<Database>,
  { engine, sealer }: Deps,
): Omit<AlertReads, "findBundle"> {
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
    async msUntilDue() {
      const at = await nextDueAt(db);
      return at === undefined ? undefined : at - (await readClock(db, engine));
    },
    async listDue(limit) {
      const rows = await claimable(db, engine).selectAll().limit(limit).execute();
      return rows.map((row) => ({ ...fromRow(row), possiblySent: wasPossiblySent(row) }));
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

async function nextDueAt(db: Kysely<Database>): Promise<number | undefined> {
  const open = db.selectFrom("alerts").where("status", "=", waiting).where(isFirstInLine);
  const free = await open
    .select("next_attempt_at")
    .where("lease_until", "is", null)
    .orderBy("next_attempt_at")
    .limit(1)
    .executeTakeFirst();
  // Only what was due is ever claimed, so the claimed alerts that matter stand before the first free one, and are few.
  let claimed = open
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
  if (free !== undefined) claimed = claimed.where("next_attempt_at", "<=", free.next_attempt_at);
  const { at = null } = (await claimed.executeTakeFirst()) ?? {};
  if (at === null || free === undefined) return at ?? free?.next_attempt_at;
  return Math.min(at, free.next_attempt_at);
}

import type { Kysely } from "kysely";

import type { Delivery } from "./alerts.ts";
import type { Database } from "./database.ts";

export function createDeliveryReads(db: Kysely<Database>) {
  return {
    /** Lists the deliveries of these alerts that belong to these accounts, in order of creation. */
    async list(
      accountIds: readonly string[],
      alertIds: readonly string[],
    ): Promise<readonly Delivery[]> {
      const rows = await db
        .selectFrom("deliveries")
        .innerJoin("alerts", "alerts.id", "deliveries.alert_id")
        .selectAll("deliveries")
        .where("deliveries.alert_id", "in", alertIds)
        .where("alerts.account_id", "in", accountIds)
        .orderBy("deliveries.seq")
        .execute();
      return rows.map((row) => ({
        alertId: row.alert_id,
        attempt: row.attempt,
        startedAt: row.started_at,
        endedAt: row.ended_at,
        accepted: row.accepted === 1,
        response: row.response,
      }));
    },
  };
}

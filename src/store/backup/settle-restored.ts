import type { Kysely } from "kysely";

import { readClock, type Engine } from "../tables/engine.ts";
import { insertNextReminder } from "../tables/alerts/reminders.ts";
import type { Database } from "../tables/database.ts";

/** Due items of a backup that are not sent after its restore. */
export interface SettledRestore {
  readonly alerts: number;
  readonly mails: number;
}

const RESPONSE = "not sent: it was due before this backup was restored";

/**
 * Ends everything that was due in a backup, so that nothing old is sent or judged after a restore: the original installation has sent it or settled it. Its
 * alerts count as possibly sent, so that an Up follows a Down; reminders continue with the next due one.
 */
export function settleRestoredBackup(
  db: Kysely<Database>,
  engine: Engine,
): Promise<SettledRestore> {
  return db.transaction().execute(async (unit) => {
    const now = await readClock(unit, engine);
    const ended = await unit
      .updateTable("alerts")
      .set({
        status: "failed",
        reason: null,
        response: RESPONSE,
        last_at: now,
        possibly_sent: 1,
        judged: 1,
        lease_until: null,
        sealed_details: null,
      })
      .where("status", "=", "waiting")
      .where("due_at", "<=", now)
      .returning("id")
      .execute();
    for (const { id } of ended) await insertNextReminder({ db: unit, engine }, id);
    const { numDeletedRows } = await unit.deleteFrom("system_mails").executeTakeFirst();
    await unit.deleteFrom("page_posts").execute();
    await unit.deleteFrom("page_messages").execute();
    // Their ends are unknown, so a timeout would be a guess.
    await unit.deleteFrom("started_runs").execute();
    await unit.deleteFrom("diagnostics").where("ended_at", "is", null).execute();
    return { alerts: ended.length, mails: Number(numDeletedRows) };
  });
}

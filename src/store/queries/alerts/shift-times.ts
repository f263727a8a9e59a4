import type { Kysely } from "kysely";

import type { Database } from "../tables.ts";

/** Moves all instants that open alerts go by. */
export async function shiftTimes(db: Kysely<Database>, byMs: number): Promise<void> {
  await db
    .updateTable("alerts")
    .set((eb) => ({
      due_at: eb("due_at", "+", byMs),
      next_attempt_at: eb("next_attempt_at", "+", byMs),
      lease_until: eb("lease_until", "+", byMs),
    }))
    .where("status", "in", ["waiting", "held"])
    .execute();
  await db
    .updateTable("recent_sends")
    .set((eb) => ({ at: eb("at", "+", byMs) }))
    .execute();
}

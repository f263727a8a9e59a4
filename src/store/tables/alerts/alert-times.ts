import { sql, type Kysely } from "kysely";

import { readClock, type Engine } from "../engine.ts";
import type { Database } from "../database.ts";
import { waiting } from "./alert-line.ts";
import { held } from "./holds.ts";

/** Key in `meta` for the last time that alerts were sent. */
const ALIVE_AT = "alerts_alive_at";
/** More than any process that is well lets pass between two notes. */
const MAX_SILENCE_MS = 3 * 60_000;

export function createAlertTimes(db: Kysely<Database>, engine: Engine) {
  return {
    /** The clock that the store goes by was set: all instants that open alerts and groups go by move with it. */
    shiftTimes: (byMs: number): Promise<void> => shiftTimes(db, byMs),
    /**
     * Records that alerts are being sent, while any wait. After a gap, alerts that were due get that much more time; if the store's clock is behind the last
     * record, their times move back with it.
     */
    async noteAlive(): Promise<void> {
      const now = await readClock(db, engine);
      const known = await db
        .selectFrom("meta")
        .select("value")
        .where("key", "=", ALIVE_AT)
        .executeTakeFirst();
      const silentMs = known === undefined ? 0 : now - Number(known.value);
      if (silentMs < -MAX_SILENCE_MS) await shiftTimes(db, silentMs);
      if (silentMs > MAX_SILENCE_MS) await extend(db, silentMs, now);
      const value = String(now);
      await db
        .insertInto("meta")
        .values({ key: ALIVE_AT, value })
        .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
        .execute();
    },
  };
}

async function shiftTimes(db: Kysely<Database>, byMs: number): Promise<void> {
  await openAlerts(db)
    .set((eb) => ({
      due_at: eb("due_at", "+", byMs),
      next_attempt_at: eb("next_attempt_at", "+", byMs),
      retry_until: eb("retry_until", "+", byMs),
      lease_until: eb("lease_until", "+", byMs),
    }))
    .execute();
  await db
    .updateTable("recent_sends")
    .set((eb) => ({ at: eb("at", "+", byMs) }))
    .execute();
  await db
    .updateTable("meta")
    .set({ value: sql<string>`cast(cast(value as bigint) + ${byMs} as text)` })
    .where("key", "=", ALIVE_AT)
    .execute();
}

/** Time without a sender does not count as time for retries. */
async function extend(db: Kysely<Database>, byMs: number, now: number): Promise<void> {
  const silentSince = now - byMs;
  await openAlerts(db)
    .where("due_at", "<", now)
    .set((eb) => ({
      retry_until: eb(
        "retry_until",
        "+",
        eb
          .case()
          .when("due_at", "<", silentSince)
          .then(eb.cast<number>(eb.val(byMs), "bigint"))
          .else(eb(eb.val(now), "-", eb.ref("due_at")))
          .end(),
      ),
    }))
    .execute();
}

function openAlerts(db: Kysely<Database>) {
  return db
    .updateTable("alerts")
    .where((eb) => eb.or([eb("status", "=", waiting), eb("status", "=", held)]));
}

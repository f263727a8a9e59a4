import { sql } from "kysely";

import { hash32 } from "../../kit/hash.ts";
import type { Engine } from "../tables/engine.ts";
import { withOwnTables } from "./dialect.ts";

/** Number of rows created by the baseline. If two names share a row and are locked alternately, the worst case is a deadlock and a retry. */
const NAME_LOCKS = 1024;

/** Units run at the same time, in transactions of their own at READ COMMITTED. */
export const postgresEngine: Engine = {
  // A subquery, because an index is not used for a value that may change between rows.
  now: () => sql<number>`(select now_ms())`,
  elementsOf: (json) => sql`json_array_elements(${json}::json)`,
  rowPointer: "ctid",
  lockRows: (query) => query.forNoKeyUpdate(),
  lockFreeRows: (query) => query.forNoKeyUpdate().skipLocked(),
  async insertLanes(db, alerts) {
    await withOwnTables(db)
      .insertInto("lanes")
      .values(
        alerts.map(({ account_id, contact_id, address_id }) => ({
          account_id,
          contact_id,
          address_id,
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
  lockLanes: (db, lanes) =>
    withOwnTables(db)
      .selectFrom("lanes")
      .select(["contact_id", "address_id"])
      .where((eb) =>
        eb(
          eb.refTuple("contact_id", "address_id"),
          "in",
          lanes.map(({ contact_id, address_id }) => eb.tuple(contact_id, address_id)),
        ),
      )
      .forNoKeyUpdate()
      .skipLocked()
      .execute(),
  async countUsage(db) {
    await sql`set constraints all immediate`.execute(db);
  },
  async lockName(db, name) {
    const slot = hash32(name) % NAME_LOCKS;
    await sql`select 1 from name_locks where slot = ${slot} for no key update`.execute(db);
  },
};

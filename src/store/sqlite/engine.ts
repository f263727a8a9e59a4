import { sql } from "kysely";

import type { Clock } from "../../kit/clock.ts";
import type { Engine } from "../tables/engine.ts";

/** Units run one after the other, so there is nothing to lock. */
export function createSqliteEngine(clock: Pick<Clock, "now">): Engine {
  return {
    now: () => sql<number>`${clock.now()}`,
    elementsOf: (json) => sql`json_each(${json})`,
    rowPointer: "rowid",
    lockRows: (query) => query,
    lockFreeRows: (query) => query,
    insertLanes: () => Promise.resolve(),
    lockLanes: (_db, lanes) => Promise.resolve(lanes),
    countUsage: () => Promise.resolve(),
    lockName: () => Promise.resolve(),
  };
}

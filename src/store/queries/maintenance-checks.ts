import type { Kysely, SelectQueryBuilder } from "kysely";

import type { Database } from "./tables.ts";

/** Numbers of the checks that a maintenance holds off. */
export function checksInMaintenance(
  db: Kysely<Database>,
): SelectQueryBuilder<Database, "holds", { check_no: number }> {
  return db.selectFrom("holds").select("holds.check_no");
}

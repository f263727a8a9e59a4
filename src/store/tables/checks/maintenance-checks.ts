import type { SelectQueryBuilder } from "kysely";

import type { Database } from "../database.ts";

interface Source {
  readonly selectFrom: (
    table: "maintenance_checks",
  ) => SelectQueryBuilder<Database, "maintenance_checks", object>;
}

/** Numbers of the checks that a maintenance has paused. */
export function checksInMaintenance(
  db: Source,
): SelectQueryBuilder<Database, "maintenance_checks", { check_no: number }> {
  return db.selectFrom("maintenance_checks").select("maintenance_checks.check_no");
}

import type { Kysely, Selectable } from "kysely";

import type { RememberedLocation } from "../../domain/location.ts";
import type { LocationReads, LocationWrites } from "../locations.ts";
import type { Database, LocationTable } from "./tables.ts";

export function createLocations(db: Kysely<Database>): LocationReads & LocationWrites {
  return {
    async list() {
      const rows = await db.selectFrom("locations").selectAll().orderBy("code").execute();
      return rows.map(fromRow);
    },
    async saw({ code, region = null, version = null }, at) {
      const now = { region, version, last_seen_at: at };
      await db
        .insertInto("locations")
        .values({ ...now, code, first_seen_at: at })
        .onConflict((conflict) => conflict.column("code").doUpdateSet(now))
        .execute();
    },
    async forget(code) {
      const { numDeletedRows } = await db
        .deleteFrom("locations")
        .where("code", "=", code)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}

function fromRow(row: Selectable<LocationTable>): RememberedLocation {
  return {
    code: row.code,
    region: row.region ?? undefined,
    version: row.version ?? undefined,
    firstSeenAt: row.first_seen_at,
    lastSeenAt: row.last_seen_at,
  };
}

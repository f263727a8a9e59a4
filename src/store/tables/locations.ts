import type { Kysely, Selectable } from "kysely";

import type { RememberedLocation, Region } from "../../domain/location.ts";
import type { Database } from "./database.ts";

declare module "./database.ts" {
  interface Database {
    readonly locations: LocationTable;
  }
}

interface LocationTable {
  readonly code: string;
  readonly region: Region | null;
  readonly version: string | null;
  readonly first_seen_at: number;
  readonly last_seen_at: number;
}

export function createLocationReads(db: Kysely<Database>) {
  return {
    /** Lists locations by code. */
    async list(): Promise<readonly RememberedLocation[]> {
      const rows = await db.selectFrom("locations").selectAll().orderBy("code").execute();
      return rows.map(fromRow);
    },
  };
}

export function createLocationWrites(db: Kysely<Database>) {
  return {
    /** Remembers that it was live at this time; when one that is known was seen first stays. */
    async saw(
      { code, region, version }: Omit<RememberedLocation, "firstSeenAt" | "lastSeenAt">,
      at: number,
    ): Promise<void> {
      const now = { region: region ?? null, version: version ?? null, last_seen_at: at };
      await db
        .insertInto("locations")
        .values({ ...now, code, first_seen_at: at })
        .onConflict((conflict) => conflict.column("code").doUpdateSet(now))
        .execute();
    },
    /** False if it is unknown. */
    async forget(code: string): Promise<boolean> {
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

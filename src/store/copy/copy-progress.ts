import type { Kysely } from "kysely";

import { Conflict } from "../../kit/errors.ts";
import type { Database } from "../tables/database.ts";
import type { RowPosition } from "./rows.ts";

/** Key in `meta` until the database is a complete copy. */
const COPYING = "copying";

/** How far a copy has come. */
export interface CopyProgress {
  /** A table, or the results. */
  readonly at: string;
  /** Last copied position; undefined if nothing was copied. */
  readonly after: RowPosition | undefined;
}

export async function readProgress(db: Kysely<Database>): Promise<CopyProgress | undefined> {
  const row = await db
    .selectFrom("meta")
    .select("value")
    .where("key", "=", COPYING)
    .executeTakeFirst();
  return row && JSON.parse(row.value);
}

/** Writes in the transaction of the counted rows. */
export async function writeProgress(db: Kysely<Database>, progress: CopyProgress): Promise<void> {
  const value = JSON.stringify(progress);
  await db
    .insertInto("meta")
    .values({ key: COPYING, value })
    .onConflict((conflict) => conflict.column("key").doUpdateSet({ value }))
    .execute();
}

export async function endProgress(db: Kysely<Database>): Promise<void> {
  await db.deleteFrom("meta").where("key", "=", COPYING).execute();
}

/** Half of an installation would call deleted what was only not copied yet. */
export async function refuseUnfinishedCopy(db: Kysely<Database>): Promise<void> {
  if ((await readProgress(db)) !== undefined)
    throw new Conflict(
      'the database is an unfinished copy: finish it with "watchpost store copy", with the same source',
    );
}

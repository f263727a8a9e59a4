import { readFileSync } from "node:fs";

import { sql } from "kysely";
import type { Kysely } from "kysely";

import type { Database } from "../queries/tables.ts";

const BASELINE = new URL("migrations/0001-baseline.sql", import.meta.url);

/** Makes the tables in an empty database. */
export async function migrate(db: Kysely<Database>): Promise<void> {
  await sql.raw(readFileSync(BASELINE, "utf8")).execute(db);
}

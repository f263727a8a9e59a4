import { sql, type Kysely } from "kysely";

import { codeOf } from "../../kit/errors.ts";
import {
  missingMigrations,
  readMigrations,
  type AppliedMigration,
  type Migration,
} from "../migrations.ts";
import type { Database } from "../tables/database.ts";

const FOLDER = new URL("./migrations/", import.meta.url);

/** Errors PostgreSQL raises when two processes create the same table: unique violation, duplicate table, duplicate type. */
const MADE_MEANWHILE = new Set(["23505", "42P07", "42710"]);

/** Brings the database to the schema of this program. Two that start at once take turns. */
export async function migrate(db: Kysely<Database>): Promise<void> {
  await makeList(db).catch((error: unknown) => {
    if (!MADE_MEANWHILE.has(String(codeOf(error)))) throw error;
  });
  await db.transaction().execute(async (unit) => {
    await sql`set local statement_timeout = 0`.execute(unit);
    await sql`set local lock_timeout = 0`.execute(unit);
    await sql`lock table migrations in exclusive mode`.execute(unit);
    for (const migration of await missingIn(unit)) {
      await sql.raw(migration.sql).execute(unit);
      const { number, name, breaking } = migration;
      await sql`insert into migrations (number, name, breaking) values (${number}, ${name}, ${breaking})`.execute(
        unit,
      );
    }
  });
}

/** The migrations that a database lacks. */
export async function missingIn(db: Kysely<Database>): Promise<readonly Migration[]> {
  const { rows } =
    await sql<AppliedMigration>`select number, name, breaking from migrations order by number`.execute(
      db,
    );
  return missingMigrations(readMigrations(FOLDER), rows, "database");
}

async function makeList(db: Kysely<Database>): Promise<void> {
  await sql`create table if not exists migrations (number bigint primary key, name text not null, breaking boolean not null, applied_at timestamptz not null default clock_timestamp())`.execute(
    db,
  );
}

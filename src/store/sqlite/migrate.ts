import type { DatabaseSync } from "node:sqlite";

import {
  missingMigrations,
  readMigrations,
  type AppliedMigration,
  type Migration,
} from "../migrations.ts";

const FOLDER = new URL("./migrations/", import.meta.url);

/** The migrations of this engine, in order. */
export function sqliteMigrations(): readonly Migration[] {
  return readMigrations(FOLDER);
}

export function readApplied(database: DatabaseSync): readonly AppliedMigration[] {
  return database
    .prepare("SELECT number, name, breaking FROM migrations ORDER BY number")
    .all()
    .map(({ number, name, breaking }) => ({
      number: Number(number),
      name: String(name),
      breaking: breaking === 1,
    }));
}

/** Brings the database to the schema of this program. Two that start at once take turns. */
export function migrate(database: DatabaseSync): void {
  database.exec(
    "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, breaking INTEGER NOT NULL, applied_at INTEGER NOT NULL) STRICT",
  );
  for (const migration of pendingMigrations(database)) apply(database, migration);
}

/** Returns the migrations to apply. Throws Conflict if this version cannot use the database. */
export function pendingMigrations(database: DatabaseSync): readonly Migration[] {
  return missingMigrations(sqliteMigrations(), readApplied(database), "data folder");
}

function apply(database: DatabaseSync, { number, name, breaking, sql }: Migration): void {
  database.exec("BEGIN IMMEDIATE");
  try {
    if (database.prepare("SELECT 1 FROM migrations WHERE number = ?").get(number) === undefined) {
      database.exec(sql);
      database
        .prepare(
          "INSERT INTO migrations (number, name, breaking, applied_at) VALUES (?, ?, ?, CAST(unixepoch('subsec') * 1000 AS INTEGER))",
        )
        .run(number, name, breaking ? 1 : 0);
    }
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** The schema as `src/store/sqlite/schema.sql` keeps it for reviews. */
export function schemaOf(database: DatabaseSync): string {
  return database
    .prepare(
      "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY tbl_name, type DESC, name",
    )
    .all()
    .map((row) => `${String(row["sql"])};\n`)
    .join("\n");
}

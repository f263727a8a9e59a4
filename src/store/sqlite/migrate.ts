import { readFileSync, readdirSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";

import { Conflict } from "../../kit/errors.ts";

interface Migration {
  readonly number: number;
  readonly name: string;
  /** An older program may not run on what this one makes. */
  readonly breaking: boolean;
  readonly sql: string;
}

const FOLDER = new URL("./migrations/", import.meta.url);

/** Brings the database to the schema of this program. Two that start at once take turns. */
export function migrate(database: DatabaseSync): void {
  const migrations = readdirSync(FOLDER)
    .toSorted()
    .map((file) => parseMigration(file, readFileSync(new URL(file, FOLDER), "utf8")));
  database.exec(
    "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL, breaking INTEGER NOT NULL, applied_at INTEGER NOT NULL) STRICT",
  );
  refuseNewer(database, migrations.at(-1)?.number ?? 0);
  refuseOther(database, migrations);
  for (const migration of migrations) apply(database, migration);
}

export function parseMigration(file: string, sql: string): Migration {
  const [, number, name] = /^(\d{4})-([a-z0-9-]+)\.sql$/.exec(file) ?? [];
  if (number === undefined || name === undefined)
    throw new Error(`a migration is named like 0001-first.sql, not ${JSON.stringify(file)}`);
  return { number: Number(number), name, breaking: /^-- breaking\r?\n/.test(sql), sql };
}

function refuseNewer(database: DatabaseSync, latest: number): void {
  const newer = database
    .prepare(
      "SELECT number, name FROM migrations WHERE number > ? AND breaking = 1 ORDER BY number DESC",
    )
    .get(latest);
  if (newer === undefined) return;
  const name = `${String(newer["number"]).padStart(4, "0")}-${String(newer["name"])}`;
  throw new Conflict(
    `this program is older than its database, start a version that has the migration ${JSON.stringify(name)}`,
  );
}

/** Before the first release the schema began anew; what it began with before is not read. */
function refuseOther(database: DatabaseSync, migrations: readonly Migration[]): void {
  const applied = new Map(
    database
      .prepare("SELECT number, name FROM migrations")
      .all()
      .map(({ number, name }) => [Number(number), String(name)]),
  );
  for (const { number, name } of migrations) {
    const other = applied.get(number);
    if (other !== undefined && other !== name)
      throw new Conflict(
        `this data folder was written by an earlier development version, which this one cannot read: start on a new folder, and carry the configuration over with "watchpost export" of that version and "watchpost import" (its schema begins with ${JSON.stringify(other)})`,
      );
  }
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

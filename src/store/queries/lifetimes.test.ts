import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { migrate } from "../sqlite/migrate.ts";
import { lifetimes, tablesWithoutLifetime } from "./lifetimes.ts";

/** What the embedded engine has for itself. */
const ofEngine = new Set(["migrations", "result_journal", "sqlite_sequence"]);

function tablesOf(database: DatabaseSync): readonly string[] {
  return database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => !ofEngine.has(name));
}

function migrated(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  migrate(database);
  return database;
}

test("every table of the store has a lifetime, and every lifetime a table", () => {
  using database = migrated();
  assert.deepEqual(tablesWithoutLifetime(tablesOf(database)), []);
  assert.deepEqual(tablesOf(database), Object.keys(lifetimes).toSorted());
});

test("a table that nothing would purge is found", () => {
  using database = migrated();
  database.exec("CREATE TABLE planted (account_id TEXT) STRICT");
  assert.deepEqual(tablesWithoutLifetime(tablesOf(database)), ["planted"]);
});

test("a lifetime names a column that its table has, or a table that its rows are deleted with", () => {
  using database = migrated();
  for (const [table, lifetime] of Object.entries(lifetimes)) {
    const columns = new Set(
      database
        .prepare("SELECT name FROM pragma_table_info(?)")
        .all(table)
        .map(({ name }) => name),
    );
    if ("account" in lifetime) assert.ok(columns.has("account_id"), table);
    if ("check" in lifetime) assert.ok(columns.has("check_no"), table);
    if ("age" in lifetime && lifetime.age !== undefined)
      assert.ok(columns.has(lifetime.age.column), table);
    if (!("with" in lifetime)) continue;
    const parents = database
      .prepare('SELECT "table", on_delete FROM pragma_foreign_key_list(?)')
      .all(table)
      .filter(({ on_delete }) => on_delete === "CASCADE")
      .map((row) => row["table"]);
    assert.ok(parents.includes(lifetime.with), table);
  }
});

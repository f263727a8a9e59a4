import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { migrate, schemaOf } from "./migrate.ts";

function migrated(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  migrate(database);
  return database;
}

function insertNewer(database: DatabaseSync, breaking: 0 | 1): void {
  database.prepare("INSERT INTO migrations VALUES (9000, 'packs', ?, 0)").run(breaking);
}

test("src/store/sqlite/schema.sql is the schema that the migrations make; `node scripts/schema.ts` writes it", () => {
  using database = migrated();
  assert.equal(readFileSync(new URL("./schema.sql", import.meta.url), "utf8"), schemaOf(database));
});

test("every table is strict", () => {
  using database = migrated();
  const tables = database
    .prepare(
      "SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
    )
    .all();
  assert.ok(tables.length > 10);
  assert.deepEqual(
    tables.filter((table) => table["strict"] !== 1),
    [],
  );
});

test("a second start applies nothing again and keeps what is there", () => {
  using database = migrated();
  database.exec("INSERT INTO meta VALUES ('key', 'value')");
  const before = database.prepare("SELECT * FROM migrations").all();
  assert.ok(before.length > 0);
  migrate(database);
  assert.deepEqual(database.prepare("SELECT * FROM migrations").all(), before);
  assert.equal(database.prepare("SELECT value FROM meta").get()?.["value"], "value");
});

test("a database whose schema began otherwise is refused with a sentence, and stays as it is", () => {
  using database = migrated();
  database.exec("UPDATE migrations SET name = 'first' WHERE number = 1");
  const before = schemaOf(database);
  assert.throws(() => migrate(database), {
    code: "conflict",
    message: /written by an earlier development version.*"watchpost apply".*"first"/,
  });
  assert.equal(schemaOf(database), before);
});

test("a migration that fails leaves nothing behind", () => {
  using database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE checks (mine TEXT)");
  assert.throws(() => migrate(database), /table checks already exists/);
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all();
  assert.deepEqual(
    tables.map(({ name }) => name),
    ["checks", "migrations"],
  );
  assert.equal(database.isTransaction, false);
});

test("a program refuses a database that a newer one changed beyond it, and says which it needs", () => {
  using database = migrated();
  insertNewer(database, 1);
  assert.throws(() => migrate(database), {
    code: "conflict",
    message:
      'this program is older than its database, start a version that has the migration "9000-packs"',
  });
});

test("a program runs on a database that a newer one only added to", () => {
  using database = migrated();
  insertNewer(database, 0);
  migrate(database);
});

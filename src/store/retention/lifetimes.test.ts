import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { migrate } from "../sqlite/migrate.ts";
import { lifetimes, tablesWithoutLifetime } from "./lifetimes.ts";

/** Internal tables of the embedded engine. */
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

test("every lifetime says how its rows end, by columns that the table has", () => {
  using database = migrated();
  for (const [table, { account, check, age, with: parent, rule }] of Object.entries(lifetimes)) {
    assert.ok(account ?? check ?? age ?? parent ?? rule, table);
    const columns = new Set(
      database
        .prepare("SELECT name FROM pragma_table_info(?)")
        .all(table)
        .map(({ name }) => name),
    );
    if (account) assert.ok(columns.has("account_id"), table);
    if (check) assert.ok(columns.has("check_no"), table);
    if (parent === undefined) continue;
    const parents = database
      .prepare('SELECT "table", on_delete FROM pragma_foreign_key_list(?)')
      .all(table)
      .filter(({ on_delete }) => on_delete === "CASCADE")
      .map((row) => row["table"]);
    assert.ok(parents.includes(parent), table);
  }
});

test("a reference to another table has an index, for else a delete there reads the whole table", () => {
  using database = migrated();
  const references = database
    .prepare(
      `SELECT tables.name AS child, reference."from" AS referring FROM sqlite_schema AS tables, pragma_foreign_key_list(tables.name) AS reference WHERE type = 'table'`,
    )
    .all();
  assert.ok(references.length > 5);
  const indexed = database.prepare(
    `SELECT 1 FROM pragma_index_list(?) AS list, pragma_index_info(list.name) AS info WHERE info.seqno = 0 AND info.name = ? AND list.partial = 0
     UNION ALL SELECT 1 FROM pragma_table_info(?) WHERE pk = 1 AND name = ?`,
  );
  for (const { child, referring } of references) {
    const [table, column] = [String(child), String(referring)];
    assert.ok(indexed.get(table, column, table, column), `${table}.${column}`);
  }
});

test("only what has few rows is deleted by the database with what it belongs to", () => {
  const deletedWith = Object.entries(lifetimes).filter(([, lifetime]) => lifetime.with);
  assert.deepEqual(deletedWith.map(([table]) => table).toSorted(), [
    "account_switches",
    "account_usage",
    "addresses",
    "check_states",
    "deliveries",
    "heartbeat_aliases",
    "maintenance_checks",
    "page_messages",
    "page_posts",
    "page_subscribers",
    "passkeys",
    "pending_sign_ins",
    "recent_sends",
    "recovery_codes",
    "sessions",
    "sign_in_links",
    "status_page_names",
    "status_page_outages",
    "system_mails",
    "tokens",
    "totp_factors",
  ]);
});

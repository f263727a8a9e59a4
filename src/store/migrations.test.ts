import assert from "node:assert/strict";
import { test } from "node:test";

import { parseMigration } from "./migrations.ts";

test("a migration says in its first line that it is breaking", () => {
  assert.deepEqual(parseMigration("0012-two-words.sql", "-- breaking\nSELECT 1;"), {
    number: 12,
    name: "two-words",
    breaking: true,
    sql: "-- breaking\nSELECT 1;",
  });
  assert.equal(parseMigration("0012-x.sql", "SELECT 1;\n-- breaking\n").breaking, false);
  for (const file of ["12-x.sql", "0012.sql", "0012-x.sql.bak", "0012-X.sql"]) {
    assert.throws(() => parseMigration(file, ""), new RegExp(JSON.stringify(file)));
  }
});

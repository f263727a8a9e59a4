import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, truncateSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { storeFolder } from "../../../test/stores/store-folder.ts";
import { fakeClock } from "../../../test/time/fake-clock.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { silentLog } from "../../kit/log.ts";
import { openSqliteStore } from "./sqlite-store.ts";
import { isDamage } from "./damage.ts";

const PAGE_BYTES = 4096;

test("a damaged page is said to be one by the read that meets it, and from then on by the store", async () => {
  const directory = await storeFolder();
  const options = {
    directory,
    clock: fakeClock(),
    sealer: createSealer(randomBytes(32)),
    log: silentLog,
  };
  await (await openSqliteStore(options)).close();
  const path = join(directory, "watchpost.db");
  const file = readFileSync(path);
  for (const at of pagesOf(path, "checks")) file.fill(0xa5, at, at + PAGE_BYTES);
  writeFileSync(path, file);
  const store = await openSqliteStore(options);
  assert.equal(store.readError?.(), undefined);
  const sentence =
    "the database is damaged (database disk image is malformed): see docs/worst-day.md";
  await assert.rejects(store.checks.find("a", "b"), { code: "unavailable", message: sentence });
  assert.equal(store.readError?.(), sentence);
  await store.close();
  await rm(directory, { recursive: true });
});

test("a write-ahead log that ends before what was written to it is damage", async () => {
  const directory = await storeFolder();
  const path = join(directory, "watchpost.db");
  {
    using writer = new DatabaseSync(path);
    using reader = new DatabaseSync(path);
    writer.exec("PRAGMA journal_mode = WAL; CREATE TABLE kept (word TEXT)");
    reader.prepare("SELECT word FROM kept").all();
    writer.exec("INSERT INTO kept VALUES ('a')");
    truncateSync(`${path}-wal`);
    assert.throws(() => reader.prepare("SELECT word FROM kept").all(), isDamage);
  }
  await rm(directory, { recursive: true });
});

/** Where the table and its indices begin in the file. */
function pagesOf(path: string, table: string): readonly number[] {
  using database = new DatabaseSync(path, { readOnly: true });
  const roots = database.prepare(
    "SELECT rootpage FROM sqlite_schema WHERE tbl_name = ? AND rootpage > 0",
  );
  return roots.all(table).map(({ rootpage }) => (Number(rootpage) - 1) * PAGE_BYTES);
}

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { fakeClock } from "../../../test/time/fake-clock.ts";
import { waitFor } from "../../../test/time/wait-for.ts";
import { createBackgroundWorker } from "./background-worker.ts";
import { openConnection } from "./thread/connection.ts";

async function setUp() {
  const directory = await mkdtemp(join(tmpdir(), "watchpost-"));
  const folder = join(directory, "data");
  const path = join(folder, "watchpost.db");
  const clock = fakeClock();
  const worker = createBackgroundWorker({ path, reserve: 0, clock });
  return {
    folder,
    clock,
    worker,
    async openDatabase() {
      await mkdir(folder);
      const database = openConnection(path);
      database.exec("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) STRICT");
      return database;
    },
    async [Symbol.asyncDispose]() {
      await worker.close();
      await rm(directory, { recursive: true });
    },
  };
}

test("a thread that cannot start refuses its task, and the next task has a thread of its own", async () => {
  await using scene = await setUp();
  await assert.rejects(scene.worker.run({ kind: "write-back" }), /housekeeping failed/);
  assert.equal(scene.worker.trouble(), undefined);
  using database = await scene.openDatabase();
  await scene.worker.run({ kind: "restart-log", keepsSpace: false });
  assert.equal(database.prepare("SELECT count(*) AS rows FROM meta").get()?.["rows"], 1);
});

test("a task that does not end in its time is refused and reported, and the next one runs once it has ended", async () => {
  await using scene = await setUp();
  using database = await scene.openDatabase();
  database.exec("BEGIN IMMEDIATE");
  // It waits for the transaction, for some seconds of real time.
  const refused = assert.rejects(
    scene.worker.run({ kind: "restart-log", keepsSpace: false }),
    /restart-log did not end within 10 s/,
  );
  await scene.clock.advance(10_000);
  await refused;
  assert.equal(scene.worker.trouble(), "restart-log did not end within 10 s");
  database.exec("ROLLBACK");
  await waitFor("the next task runs", () =>
    scene.worker.run({ kind: "restart-log", keepsSpace: false }).then(
      () => true,
      () => false,
    ),
  );
  assert.equal(scene.worker.trouble(), undefined);
});

test("a log that somebody reads for long, such as a backup, is restarted another time", async () => {
  await using scene = await setUp();
  using database = await scene.openDatabase();
  using reader = openConnection(join(scene.folder, "watchpost.db"));
  const restarts = (): unknown =>
    database.prepare("SELECT value FROM meta WHERE key = 'log_restarts'").get()?.["value"];
  reader.exec("BEGIN");
  reader.prepare("SELECT * FROM meta").all();
  database.exec("INSERT INTO meta VALUES ('written', 'meanwhile')");
  await scene.worker.run({ kind: "restart-log", keepsSpace: false });
  assert.equal(restarts(), undefined);
  reader.exec("COMMIT");
  await scene.worker.run({ kind: "restart-log", keepsSpace: false });
  assert.equal(restarts(), "1");
});

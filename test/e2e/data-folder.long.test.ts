import assert from "node:assert/strict";
import { copyFileSync, existsSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { suite, test } from "node:test";

import { waitFor } from "../time/wait-for.ts";
import { logged, run, start, temporaryFolder } from "./process.ts";

const MISCONFIGURED = 78;

/** Possible damage to the files of a database in use. */
const losses: Readonly<Record<string, (data: string) => void>> = {
  "the data folder is deleted": (data) => rmSync(data, { recursive: true }),
  "the write-ahead log is deleted": (data) => rmSync(join(data, "watchpost.db-wal")),
  "the write-ahead log is truncated": (data) => truncateSync(join(data, "watchpost.db-wal")),
  "the database is deleted": (data) => rmSync(join(data, "watchpost.db")),
  "the database is truncated": (data) => truncateSync(join(data, "watchpost.db")),
  "the database is replaced": (data) => {
    copyFileSync(join(data, "watchpost.db"), join(data, "copy"));
    renameSync(join(data, "copy"), join(data, "watchpost.db"));
  },
};

suite("files of the database that are gone", { concurrency: 2 }, () => {
  for (const [what, lose] of Object.entries(losses)) {
    // guard: files of the database that are gone
    test(`${what}: nothing is acknowledged any more, and the process ends with the reason`, async () => {
      await using folder = await temporaryFolder();
      await using site = await start(folder.path);
      const check = await site.api("POST checks", { type: "PUSH", enabled: true, interval: 1 });
      const beat = (): Promise<number> =>
        site.push(check._id, String(check.parameters.checktoken)).catch(() => 0);
      assert.equal(await beat(), 200);
      lose(join(folder.path, "data"));
      const refused = assert.rejects(
        site.api(`PUT checks/${check._id}`, { label: "lost" }),
        /: 503 |fetch failed/,
        "a change is not acknowledged into nothing, and does not wait for ever",
      );
      assert.notEqual(await beat(), 200, "a heartbeat is not acknowledged into nothing");
      await refused;
      assert.equal(await site.ended, MISCONFIGURED);
      assert.match(site.log(), /"event":"main.files_gone"/);
      assert.match(site.log(), /restore a backup, and start again/);
    });
  }
});

test("a folder with a key and without its database is refused, unless an empty installation is meant", async () => {
  await using folder = await temporaryFolder();
  const first = await start(folder.path);
  assert.equal(await first.kill("SIGTERM"), 0);
  const data = join(folder.path, "data");
  for (const name of ["watchpost.db", "watchpost.db-wal", "watchpost.db-shm"])
    rmSync(join(data, name), { force: true });
  const refused = run(folder.path);
  assert.equal(await refused.ended, MISCONFIGURED);
  assert.match(
    logged(refused, "main.not_started").error,
    /has instance\.key and no watchpost\.db: .*restore.*--empty/,
  );
  assert.equal(existsSync(join(data, "watchpost.db")), false);
  await using meant = run(folder.path, {}, [
    join(import.meta.dirname, "../../watchpost"),
    "--empty",
  ]);
  await waitFor("the start", () => logged(meant, "main.started"));
  assert.equal(await meant.kill("SIGTERM"), 0);
});

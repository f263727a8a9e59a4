import assert from "node:assert/strict";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { programFiles } from "../../scripts/package/program-files.ts";
import { schemaOf, sqliteMigrations } from "../../src/store/sqlite/migrate.ts";
import { exitCodes } from "../../src/cli/exit-codes.ts";
import {
  apiOfAccount,
  logged,
  root,
  run,
  start,
  temporaryFolder,
  type ApiOfAccount,
  type Program,
} from "../e2e/process.ts";
import { waitFor } from "../time/wait-for.ts";
import { keptSettings, unpackKept, type KeptInstallation } from "./kept-installation.ts";

const kept = readdirSync(join(import.meta.dirname, "kept"))
  .filter((name) => name.endsWith(".db.gz"))
  .map((name) => name.slice(0, -".db.gz".length))
  .toSorted();

const currentSchema = readFileSync(join(root, "src/store/sqlite/schema.sql"), "utf8");

function nameOf(
  { number, name }: { readonly number: number; readonly name: string } = { number: 0, name: "" },
): string {
  return `${String(number).padStart(4, "0")}-${name}`;
}

function schemaIn(folder: string): string {
  using database = new DatabaseSync(join(folder, "data", "watchpost.db"));
  return schemaOf(database);
}

/** Everything that was in it is there, by the API. */
async function assertWhole(site: ApiOfAccount, { ids, push }: KeptInstallation): Promise<void> {
  for (const [collection, expected] of Object.entries(ids))
    assert.deepEqual(
      Object.keys(await site.api(`GET ${collection}`)).toSorted(),
      expected,
      collection,
    );
  const results = await site.api(`GET results/${push.id}?limit=1000`);
  assert.ok(results.length >= push.results);
}

for (const schema of kept)
  test(`a data folder of ${schema} opens with this program, has all that it had, and goes on`, async () => {
    await using folder = await temporaryFolder();
    const before = await unpackKept(schema, folder.path);
    // Until the first release the schema changes in place.
    if (schema === nameOf(sqliteMigrations().at(-1)))
      assert.equal(
        schemaIn(folder.path),
        currentSchema,
        "the schema is another one: node test/upgrade/main.ts keeps it anew",
      );
    await using site = await start(folder.path, keptSettings, before.token);
    await assertWhole(site, before);
    const { id, checktoken, results } = before.push;
    assert.equal(await site.push(id, checktoken, { backup: { gigabytes: 4 } }), 200);
    assert.equal((await site.api(`GET results/${id}?limit=1000`)).length, results + 1);
    const failing = await site.api(`GET checks/${before.failing.id}`);
    assert.equal(failing.parameters.target, before.failing.target);
    // Its latest tick runs at once.
    await waitFor(
      "a run of a check",
      async () =>
        (await site.api(`GET results/${before.failing.id}?limit=1000`)).length >
        before.failing.results,
    );
    await site.kill("SIGTERM");
    assert.equal(schemaIn(folder.path), currentSchema);
  });

/** Makes a program that is this one and a migration more; gives what starts it, and the name of the migration. */
function laterProgram(folder: string): { readonly path: string; readonly migration: string } {
  for (const file of programFiles().filter((path) => !path.startsWith("dist/"))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(root, file), join(folder, file));
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const number = (sqliteMigrations().at(-1)?.number ?? 0) + 1;
  const migration = nameOf({ number, name: "packs" });
  writeFileSync(
    join(folder, "src/store/sqlite/migrations", `${migration}.sql`),
    "-- breaking\nCREATE TABLE packs (id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;\nINSERT INTO packs SELECT number, name FROM migrations;\n",
  );
  return { path: join(folder, "watchpost"), migration };
}

/** Where a program that was started answers. */
async function baseOf(program: Program): Promise<string> {
  return waitFor("the address", () => logged(program, "main.started")?.address);
}

test("an upgrade keeps a backup, the older program refuses what came of it and touches nothing, and the backup leads back", async () => {
  await using folder = await temporaryFolder();
  await using elsewhere = await temporaryFolder();
  const data = join(folder.path, "data");
  const before = await unpackKept(kept.at(-1) ?? "", folder.path);
  const later = laterProgram(elsewhere.path);
  const backup = join(data, `before-${later.migration}`);
  {
    await using upgraded = run(folder.path, keptSettings, [later.path]);
    await assertWhole(apiOfAccount(await baseOf(upgraded), before.token), before);
    assert.equal(await upgraded.kill("SIGTERM"), 0);
  }
  assert.ok(existsSync(join(backup, "manifest.json")));
  assert.match(schemaIn(folder.path), /CREATE TABLE packs/);
  const bytes = readFileSync(join(data, "watchpost.db"));
  {
    await using older = run(folder.path, keptSettings);
    assert.equal(await older.ended, exitCodes.misconfigured);
    assert.match(
      logged(older, "main.not_started").error,
      new RegExp(`^this program is older than its database.*"${later.migration}"`),
    );
  }
  assert.deepEqual(readFileSync(join(data, "watchpost.db")), bytes);
  {
    const line = [join(root, "watchpost"), "restore", "--replace", backup];
    await using restore = run(folder.path, keptSettings, line);
    assert.equal(await restore.ended, 0, restore.log());
  }
  await using again = await start(folder.path, keptSettings, before.token);
  await assertWhole(again, before);
});

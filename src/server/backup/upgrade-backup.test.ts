import assert from "node:assert/strict";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { alice } from "../../../test/record-builders.ts";
import { tempStore } from "../../../test/stores/temp-store.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { backUpBeforeUpgrade } from "./upgrade-backup.ts";

const key = new Uint8Array(32).fill(7);
const FIRST = "before-0001-baseline";

/** The data folder of a program that was stopped, and lacks a migration as far as can be seen. */
async function oldInstallation() {
  const store = await tempStore({ sealer: createSealer(key) });
  await store.write((tx) => tx.accounts.insert(alice));
  await store.close();
  const { directory } = store;
  writeFileSync(join(directory, "instance.key"), `${Buffer.from(key).toString("hex")}\n`);
  change(directory, "DELETE FROM migrations");
  const logged: object[] = [];
  return {
    directory,
    logged,
    upgrade: (isWanted = true): Promise<void> =>
      backUpBeforeUpgrade(
        {
          WATCHPOST_DATA: directory,
          WATCHPOST_DATABASE_URL: undefined,
          WATCHPOST_INSTANCE_KEY: undefined,
          WATCHPOST_UPGRADE_BACKUP: isWanted,
        },
        { info: (event, fields) => void logged.push({ event, ...fields }) },
      ),
    made: (): readonly string[] =>
      readdirSync(directory).filter((name) => name.startsWith("before-")),
    manifest: (): string => readFileSync(join(directory, FIRST, "manifest.json"), "utf8"),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true }),
  };
}

function change(directory: string, statement: string): void {
  using database = new DatabaseSync(join(directory, "watchpost.db"));
  database.exec(statement);
}

test("tables that are to change are backed up with the key, as what a service will go on from", async () => {
  using one = await oldInstallation();
  await one.upgrade();
  assert.deepEqual(one.made(), [FIRST]);
  assert.deepEqual(readdirSync(join(one.directory, FIRST)).toSorted(), [
    "instance.key",
    "manifest.json",
    "watchpost.db",
  ]);
  assert.equal(JSON.parse(one.manifest()).in_use, true);
  assert.deepEqual(one.logged, [
    { event: "app.upgrade_backup_made", folder: join(one.directory, FIRST) },
  ]);
});

test("a start that is tried again keeps the backup, and one after the older program ran makes another", async () => {
  using one = await oldInstallation();
  await one.upgrade();
  const first = one.manifest();
  await one.upgrade();
  assert.equal(one.manifest(), first);
  assert.equal(one.logged.length, 1);
  change(one.directory, "UPDATE meta SET value = value + 1 WHERE key = 'opens'");
  await one.upgrade();
  assert.notEqual(one.manifest(), first);
  assert.equal(one.logged.length, 2);
});

test("the backups of the last two upgrades are kept", async () => {
  using one = await oldInstallation();
  for (const name of ["before-0000-a", "before-0000-b"]) mkdirSync(join(one.directory, name));
  await one.upgrade();
  assert.deepEqual(one.made(), ["before-0000-b", FIRST]);
});

test("nothing is backed up where tables stay, where nobody has an account, where there is no database, or where it is off", async () => {
  using off = await oldInstallation();
  await off.upgrade(false);
  assert.deepEqual(off.made(), []);
  change(off.directory, "DELETE FROM accounts");
  await off.upgrade();
  assert.deepEqual(off.made(), []);
  using same = await oldInstallation();
  change(same.directory, "INSERT INTO migrations VALUES (1, 'baseline', 0, 0)");
  await same.upgrade();
  assert.deepEqual(same.made(), []);
  rmSync(join(same.directory, "watchpost.db"));
  await same.upgrade();
  assert.deepEqual(same.made(), []);
});

test("without a backup nothing is changed, and a sentence says what to do", async () => {
  using one = await oldInstallation();
  rmSync(join(one.directory, "instance.key"));
  await assert.rejects(one.upgrade(), {
    code: "unavailable",
    message:
      /^the tables cannot be brought up to date before they are backed up.*instance\.key.*WATCHPOST_UPGRADE_BACKUP=off/,
  });
  assert.deepEqual(one.made(), []);
  assert.ok(existsSync(join(one.directory, "watchpost.db")));
});

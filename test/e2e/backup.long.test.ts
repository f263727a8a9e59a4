import assert from "node:assert/strict";
import { existsSync, readdirSync, statSync } from "node:fs";
import { chown, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { emptyDatabase, testServer } from "../stores/postgres-store.ts";
import { waitFor } from "../time/wait-for.ts";
import {
  root,
  run,
  start,
  temporaryFolder,
  type CheckRecord,
  type Program,
  type RunningInstallation,
} from "./process.ts";
import { ownDisk } from "./trouble.ts";

const server = testServer();

interface Ended {
  readonly code: number | NodeJS.Signals;
  readonly out: string;
  readonly err: string;
}

function begin(
  folder: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Program {
  return run(folder, settings, [join(root, "watchpost"), ...args]);
}

/** Runs the command in a folder, to its end. */
async function watchpost(...sent: Parameters<typeof begin>): Promise<Ended> {
  await using program = begin(...sent);
  return { code: await program.ended, out: program.output(), err: program.log() };
}

const NOBODY = 65_534;
const NO_RATES = { WATCHPOST_TOKEN_RATE: "0", WATCHPOST_ADDRESS_RATE: "0" };

interface Sent {
  readonly id: string;
  readonly token: string;
}

interface Load {
  /** Acknowledged checks so far, with one heartbeat each. */
  readonly acknowledged: () => readonly Sent[];
  /** Resolves once nobody sends any more, for there is nobody to answer. */
  readonly ended: Promise<unknown>;
}

const SENDERS = 3;

/** Makes checks, and sends each its first heartbeat, until nobody answers. */
function loadOn(site: RunningInstallation): Load {
  const acknowledged: Sent[] = [];
  const send = async (): Promise<void> => {
    for (;;) {
      const made = await site
        .api("POST checks", { type: "PUSH", label: "Job", enabled: true })
        .catch(() => undefined);
      if (made === undefined) return;
      const sent = { id: String(made._id), token: String(made.parameters.checktoken) };
      if ((await site.push(sent.id, sent.token).catch(() => 0)) === 200) acknowledged.push(sent);
    }
  };
  const ended = Promise.all(Array.from({ length: SENDERS }, send));
  return { acknowledged: () => [...acknowledged], ended };
}

/** Asserts that an installation has everything acknowledged before its backup started, and continues to work. */
async function assertHas(site: RunningInstallation, sent: readonly Sent[]): Promise<void> {
  const checks = await site.api("GET checks");
  for (const { id } of sent) assert.ok(id in checks, `the check ${id}`);
  for (const { id, token } of [...sent.slice(0, 3), ...sent.slice(-3)]) {
    assert.equal((await site.api(`GET results/${id}`)).length, 1);
    assert.equal(await site.push(id, token), 200);
  }
}

/** Every row of every table, but of those that a start or a restore writes to. */
function rowsOf(folder: string): ReadonlyMap<string, unknown> {
  using database = new DatabaseSync(join(folder, "watchpost.db"), { readOnly: true });
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
    .all()
    .map(({ name }) => String(name))
    .filter((name) => name !== "meta");
  return new Map(
    tables.map((table) => [
      table,
      database
        .prepare(`SELECT * FROM "${table}"`)
        .all()
        .map((row) => JSON.stringify(row)),
    ]),
  );
}

test("a backup under load, a kill, and a restore elsewhere have all that was acknowledged before", async () => {
  await using folder = await temporaryFolder();
  await using site = await start(folder.path, NO_RATES);
  const load = loadOn(site);
  await waitFor("some heartbeats", () => load.acknowledged().length > 20);
  const before = load.acknowledged();
  const made = await watchpost(folder.path, ["backup", "one"]);
  assert.equal(made.code, 0, made.err);
  assert.match(
    made.out,
    /^The backup "one" is whole: [\d.]+ [kM]B, with 1 account, 1 contact, \d+ checks and [\d,]+ rows in all, as of /,
  );
  assert.match(made.err, /^It has the instance key: /);
  await site.kill("SIGKILL");
  await load.ended;

  const there = { WATCHPOST_DATA: join(folder.path, "there") };
  const restored = await watchpost(folder.path, ["restore", "one"], there);
  assert.equal(restored.code, 0, restored.err);
  assert.match(restored.out, /^Restored "one", as of .*: 1 account, 1 contact, \d+ checks and /);
  assert.match(
    restored.err,
    /^Start the service: .* What was due before is not sent \(alerts: 0, other mails: 0\)/,
  );
  assert.deepEqual(rowsOf(there.WATCHPOST_DATA), rowsOf(join(folder.path, "one")));
  await using again = await start(folder.path, { ...NO_RATES, ...there }, site.token);
  await assertHas(again, before);
  const running = await watchpost(folder.path, ["restore", "one", "--replace"], there);
  assert.equal(running.code, 1);
  assert.match(running.err, /^another watchpost is running on the data folder /);
});

test("a service on PostgreSQL is backed up while it runs, and goes on from the backup on the embedded database and on PostgreSQL", async () => {
  await using folder = await temporaryFolder();
  const key = "ab".repeat(32);
  const settings = {
    WATCHPOST_DATABASE_URL: await emptyDatabase(server()),
    WATCHPOST_INSTANCE_KEY: key,
  };
  await using site = await start(folder.path, { ...NO_RATES, ...settings });
  const load = loadOn(site);
  await waitFor("some heartbeats", () => load.acknowledged().length > 20);
  const before = load.acknowledged();
  const made = await watchpost(folder.path, ["backup", "one"], settings);
  assert.equal(made.code, 0, made.err);
  assert.match(made.err, /^It is without the instance key, which WATCHPOST_INSTANCE_KEY gives: /);
  const busy = await watchpost(folder.path, ["restore", "one"], settings);
  assert.equal(busy.code, 1);
  assert.match(busy.err, /^a service runs on the database that WATCHPOST_DATABASE_URL names/);
  await site.kill("SIGKILL");
  await load.ended;

  const without = await watchpost(folder.path, ["restore", "one"]);
  assert.equal(without.code, 1);
  assert.match(without.err, /^the backup is without its key, .* set WATCHPOST_INSTANCE_KEY/);
  const places = [
    { WATCHPOST_INSTANCE_KEY: key, WATCHPOST_DATA: join(folder.path, "embedded") },
    { ...settings, WATCHPOST_DATABASE_URL: await emptyDatabase(server()) },
  ];
  for (const place of places) {
    const restored = await watchpost(folder.path, ["restore", "one"], place);
    assert.equal(restored.code, 0, restored.err);
    await using again = await start(folder.path, { ...NO_RATES, ...place }, site.token);
    await assertHas(again, before);
    await again.kill("SIGTERM");
  }
});

test("a backup and a restore on a full disk say so and leave nothing, and the service goes on", async () => {
  await using folder = await temporaryFolder();
  await using disk = await ownDisk(16);
  await using site = await start(folder.path);
  {
    using _filling = disk.fill();
    const made = await watchpost(folder.path, ["backup", join(disk.path, "one")]);
    assert.equal(made.code, 1);
    assert.match(made.err, /the disk is (?:too )?full/);
    assert.doesNotMatch(made.err, /\n +at /);
  }
  assert.ok(!readdirSync(disk.path).some((name) => name.startsWith("one")));
  const whole = await watchpost(folder.path, ["backup", join(disk.path, "one")]);
  assert.equal(whole.code, 0, whole.err);
  {
    using _filling = disk.fill();
    const there = { WATCHPOST_DATA: join(disk.path, "data") };
    const restored = await watchpost(folder.path, ["restore", join(disk.path, "one")], there);
    assert.equal(restored.code, 1);
    assert.match(restored.err, /the disk is (?:too )?full|cannot be written/);
    assert.ok(!existsSync(join(there.WATCHPOST_DATA, "watchpost.db")));
  }
  await waitFor("it is ready", async () => (await fetch(`${site.base}/readyz`)).ok);
});

test("from a disk that is full an installation moves to another with a backup", async () => {
  await using folder = await temporaryFolder();
  await using disk = await ownDisk(32);
  const here = { WATCHPOST_DATA: join(disk.path, "data") };
  await using site = await start(folder.path, here);
  const check = await site.api("POST checks", { type: "PUSH", label: "Job", enabled: true });
  {
    using _filling = disk.fill();
    const made = await watchpost(folder.path, ["backup", "whole"], here);
    assert.equal(made.code, 0, made.err);
    await site.kill("SIGKILL");
    const stopped = await watchpost(folder.path, ["backup", "stopped"], here);
    assert.equal(stopped.code, 0, stopped.err);
  }
  for (const [index, backup] of ["whole", "stopped"].entries()) {
    const there = { WATCHPOST_DATA: join(folder.path, `data ${index}`) };
    const restored = await watchpost(folder.path, ["restore", backup], there);
    assert.equal(restored.code, 0, restored.err);
    await using again = await start(folder.path, there, site.token);
    assert.equal((await again.api(`GET checks/${check._id}`)).label, "Job");
  }
});

test("where the key is lost while the service runs, its configuration is carried over to a new installation", async () => {
  await using folder = await temporaryFolder();
  await using site = await start(folder.path);
  await site.api("POST checks", {
    type: "HTTPADV",
    target: "https://example.com/",
    label: "Shop",
    sendheaders: { authorization: "secret" },
  });
  await rm(join(folder.path, "data", "instance.key"));
  const made = await watchpost(folder.path, ["backup", "one"]);
  assert.deepEqual([made.code, made.out], [1, ""]);
  assert.match(made.err, /instance\.key, without which nothing .* see "The key is lost"/);
  const api = { WATCHPOST_URL: site.base, WATCHPOST_TOKEN: site.token };
  const exported = await watchpost(
    folder.path,
    ["export", "--subaccounts", "--secrets", "--output", "all.yaml"],
    api,
  );
  assert.equal(exported.code, 0, exported.err);
  await site.kill("SIGTERM");
  const refused = await watchpost(folder.path, []);
  assert.equal(refused.code, 78);
  assert.match(
    JSON.parse(refused.err).error,
    /^there is a database in "\.\/data" and no data\/instance\.key, /,
  );
  assert.ok(!existsSync(join(folder.path, "data", "instance.key")));

  await rename(join(folder.path, "data"), join(folder.path, "lost"));
  await using again = await start(folder.path);
  const imported = await watchpost(folder.path, ["apply", "-f", "all.yaml"], {
    WATCHPOST_URL: again.base,
    WATCHPOST_TOKEN: again.token,
  });
  assert.equal(imported.code, 0, imported.err);
  const checks: Readonly<Record<string, CheckRecord & { readonly label: string }>> =
    await again.api("GET checks");
  const [check] = Object.values(checks);
  assert.equal(check?.label, "Shop");
  assert.deepEqual(check?.parameters["sendheaders"], { authorization: "secret" });
});

test("what root restores belongs to the user of the service, who can start on it", async () => {
  await using folder = await temporaryFolder();
  const { path } = folder;
  await using site = await start(path);
  await site.kill("SIGTERM");
  assert.equal((await watchpost(path, ["backup", "one"])).code, 0);
  const there = { WATCHPOST_DATA: join(path, "there") };
  await mkdir(there.WATCHPOST_DATA, { mode: 0o700 });
  await chown(there.WATCHPOST_DATA, NOBODY, NOBODY);
  for (const more of [[], ["--replace"]]) {
    const restored = await watchpost(path, ["restore", "one", ...more], there);
    assert.equal(restored.code, 0, restored.err);
  }
  const made = readdirSync(there.WATCHPOST_DATA, { recursive: true, encoding: "utf8" });
  assert.ok(made.length > 4, made.join());
  for (const name of made)
    assert.equal(statSync(join(there.WATCHPOST_DATA, name)).uid, NOBODY, name);
});

test("a backup that a signal ends, or that may not write, says so and leaves nothing", async () => {
  await using folder = await temporaryFolder();
  await using site = await start(folder.path);
  await site.kill("SIGTERM");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    await using program = begin(folder.path, ["backup", "half"]);
    await waitFor("its beginning", () => existsSync(join(folder.path, "half.unfinished")));
    process.kill(-program.pid, signal);
    assert.equal(await program.ended, 1, program.output());
    assert.equal(program.log(), "interrupted\n");
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => name.startsWith("half")),
      [],
    );
  }
  const nowhere = await watchpost(folder.path, ["backup", "/proc/backup"]);
  assert.equal(nowhere.code, 1);
  assert.match(
    nowhere.err,
    /^the backup "\/proc\/backup" cannot be written: there is no such file/,
  );
  await mkdir(join(folder.path, "there"));
  const taken = await watchpost(folder.path, ["backup", "there"]);
  assert.deepEqual([taken.code, taken.out], [1, ""]);
  assert.match(taken.err, /^there is a ".*there" already: name a folder that is not there yet\n$/);
});

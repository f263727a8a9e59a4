import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";

import { importHarness } from "../../../test/harnesses/import-harness.ts";

interface Kuma {
  readonly secret?: string;
  readonly names: readonly string[];
}

/** A database of uptime-kuma, whose monitors have the ids from 1 on as in every other. */
async function writeKuma(path: string, { secret, names }: Kuma): Promise<void> {
  await rm(path, { force: true });
  using database = new DatabaseSync(path);
  database.exec(
    `CREATE TABLE monitor (id, name, type, hostname, active, interval, retry_interval, timeout);
     CREATE TABLE setting (id, key, value)`,
  );
  const add = database.prepare("INSERT INTO monitor VALUES (?, ?, 'ping', ?, 1, 300, 300, 48)");
  for (const [index, name] of names.entries()) add.run(index + 1, name, `${name}.example.com`);
  if (secret !== undefined)
    database.prepare("INSERT INTO setting VALUES (1, 'jwtSecret', ?)").run(secret);
}

const office = { secret: "$2a$10$office", names: ["mail", "files"] };
const shop = { secret: "$2a$10$shop", names: ["web", "pay", "stock"] };

test("another uptime-kuma is recognized by itself, and each is imported once", async () => {
  await using site = await importHarness({});
  const path = join(site.folder, "kuma.db");
  const imported = async (kuma: Kuma, ...more: readonly string[]): Promise<string> => {
    await writeKuma(path, kuma);
    const { code, out, err } = await site.cli(`import uptime-kuma ${path}`, ...more);
    assert.equal(code, 0, err);
    return out;
  };
  assert.match(await imported(office), /^2 created, /m);
  assert.match(await imported(shop), /^3 created, 0 already there, 0 imported before/m);
  for (const [kuma, count] of [
    [office, 2],
    [shop, 3],
  ] as const)
    assert.match(
      await imported(kuma),
      new RegExp(`^0 created, 0 already there, ${count} imported before`, "m"),
    );
  const { cast } = site;
  const checks: readonly { readonly label: string }[] = Object.values(
    (await cast.ask(cast.alice, "GET /checks")).body,
  );
  assert.deepEqual(
    checks.map(({ label }) => label).toSorted(),
    [...office.names, ...shop.names].toSorted(),
  );
  const [one, other] = [await imported(office, "--plan"), await imported(shop, "--plan")].map(
    (out) => /^Origin: (uptime-kuma:[0-9a-f]{12})$/m.exec(out)?.[1],
  );
  assert.ok(one !== undefined && other !== undefined && one !== other);
  assert.match(await imported(shop, "--origin", one, "--plan"), /^Origin: uptime-kuma:/m);
});

test("a database of what was imported from a copy without a fingerprint is the same source", async () => {
  await using site = await importHarness({});
  const path = join(site.folder, "kuma.db");
  const run = async (kuma: Kuma): Promise<string> => {
    await writeKuma(path, kuma);
    return (await site.cli(`import uptime-kuma ${path}`)).out;
  };
  assert.match(await run({ names: office.names }), /^2 created, /m);
  // One was renamed there, and has another address.
  const later = { ...office, names: ["mail", "nas"] };
  assert.match(await run(later), /^0 created, 0 already there, 2 imported before/m);
  assert.match(await run(shop), /^3 created, /m);
});

const endpoints = (...hosts: readonly string[]): string =>
  hosts
    .map((host, index) => `  - {name: site ${index}, url: "icmp://${host}", conditions: []}\n`)
    .join("");

test("another source without a fingerprint is refused until it has a name", async () => {
  const file = (name: string, ...hosts: readonly string[]): string =>
    `endpoints:\n${endpoints(...hosts)}`.replaceAll("site", name);
  await using site = await importHarness({ "config.yaml": file("site", "192.0.2.1", "192.0.2.2") });
  const { cast } = site;
  assert.equal((await site.run("gatus")).code, 0);
  const checks: Readonly<Record<string, object>> = (await cast.ask(cast.alice, "GET /checks")).body;
  for (const id of Object.keys(checks))
    await cast.ask(cast.alice, `PUT /checks/${id}`, { label: `renamed ${id}` });
  // Their targets are still the same.
  assert.match((await site.run("gatus")).out, /^0 created, .* 2 imported before/m);
  await writeFile(join(site.folder, "config.yaml"), file("site", "192.0.2.3", "192.0.2.4"));
  for (const more of [[], ["--plan"]]) {
    const { code, err } = await site.run("gatus", ...more);
    assert.equal(code, 1);
    assert.match(
      err,
      /most checks that were imported as "gatus" have another name and target here: for another installation add --origin with a name for it, for the same one add --origin gatus/,
    );
  }
  assert.equal(Object.keys((await cast.ask(cast.alice, "GET /checks")).body).length, 2);
  assert.match((await site.run("gatus", "--origin", "gatus")).out, /^0 created, .* 2 imported/m);
  assert.match((await site.run("gatus", "--origin", "shop")).out, /^2 created, /m);
});

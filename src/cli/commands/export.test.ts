import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { commandLine, exportAccount } from "../../../test/command-line.ts";
import { seedAccount } from "../../../test/stores/seed-account.ts";
import { createResources } from "../../api/registry.ts";

test("a document says when and by which version it was written, and lies flat for git", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const { out } = await commandLine(cast, cast.alice.token)("export");
  const document = JSON.parse(out);
  assert.deepEqual(document.watchpost, {
    version: "1.2.3",
    exported_at: "2026-01-05T12:00:00.000Z",
  });
  assert.deepEqual(Object.keys(document), [
    "watchpost",
    "account",
    "branding",
    "contacts",
    "contactgroups",
    "schedules",
    "notificationprofiles",
    "checks",
    "maintenance",
    "statuspages",
  ]);
  assert.equal(out, `${JSON.stringify(document, undefined, 2)}\n`);
  assert.equal((await commandLine(cast, cast.alice.token)("export")).out, out);
});

test("what only the service assigns is not in a document", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const { checks } = await exportAccount(cast, cast.alice);
  const names = new Set(Object.values(checks).flatMap((check) => Object.keys(check)));
  for (const name of ["_id", "_rev", "state", "queue", "uuid", "modified", "created", "status"])
    assert.ok(!names.has(name), name);
  const backup = Object.values(checks).find(({ label }) => label === "Backup");
  assert.deepEqual(backup?.parameters, {
    threshold: 5,
    fields: { size: { name: "backup.gigabytes", min: 1, max: "9" } },
    oldresultfail: "true",
  });
});

/** Parameters that say what is to be done, that are of one time, or that a document has under another name or spelling, or not where they are the default or a secret. */
const elsewhere = new Set(
  "slug password id customerid start disableall enable newaddresses name location contactname email data accountsupressall".split(
    " ",
  ),
);

test("everything that a write of the API takes is in a document", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const { account, branding = {}, ...sections } = await exportAccount(cast, cast.alice);
  const { contacts, contactgroups, notificationprofiles, checks, maintenance, statuspages } =
    sections;
  const records = [
    contacts,
    contactgroups,
    notificationprofiles,
    checks,
    maintenance,
    statuspages,
  ].flatMap((section) => Object.values<object>(section));
  const names = new Set(
    [account, branding, ...records].flatMap((record) => [
      ...Object.keys(record),
      ...Object.keys(Object(record).parameters ?? {}),
    ]),
  );
  // Credentials are made anew, and what was posted of the past, or where it came from, stays where it was.
  const left = new Set(["heartbeataliases", "imports", "incidents", "subscribers", "tokens"]);
  const documented = createResources(cast.deps).filter(({ name }) => !left.has(name));
  const missing = documented.flatMap(({ name, operations }) =>
    ["POST", "PUT"]
      .flatMap((verb) => Object.keys(operations[verb]?.input.shape ?? {}))
      .filter((parameter) => !names.has(parameter) && !elsewhere.has(parameter))
      .map((parameter) => `${name} ${parameter}`),
  );
  assert.deepEqual(missing, []);
});

test("a file gets what standard output would, and only its owner can read it, also where it was there before", async () => {
  await using cast = await createApiFixture();
  const folder = await mkdtemp(join(tmpdir(), "watchpost-export-"));
  const run = commandLine(cast, cast.alice.token);
  const { out } = await run("export");
  for (const name of ["new.json", "old.json"]) {
    const path = join(folder, name);
    if (name === "old.json") await writeFile(path, "longer".repeat(10_000), { mode: 0o644 });
    const ran = await run("export --output", path);
    assert.deepEqual([ran.code, ran.out], [0, ""]);
    assert.match(ran.err, /only you can read it/);
    assert.equal(await readFile(path, "utf8"), out);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
  }
  const ran = await run("export --output", join(folder, "none", "x.json"));
  assert.equal(ran.code, 1);
  assert.match(ran.err, /^cannot write ".*x\.json": there is no such file or folder\n$/);
  await rm(folder, { recursive: true });
});

import assert from "node:assert/strict";
import { join } from "node:path";
import { writeFile } from "node:fs/promises";
import { test } from "node:test";

import { importHarness } from "../../../test/harnesses/import-harness.ts";

const uuid = "31365bce-8da9-4729-8ff3-aaa71d56b712";
const beat = { uuid, name: "Backup", timeout: 3600, grace: 60, status: "up", channels: "" };

test("a plan changes nothing, and says what an import then does", async () => {
  await using site = await importHarness({ "checks.json": { checks: [beat] } });
  const { cast } = site;
  const before = (await cast.ask(cast.alice, "GET /checks")).text;
  const plan = await site.run("healthchecks", "--plan");
  assert.equal(plan.code, 0, plan.err);
  assert.match(plan.out, new RegExp(`^\\+ check ${uuid}, Backup$`, "m"));
  assert.match(plan.out, /^- history flips, when checks were up and down: /m);
  assert.match(plan.out, /^Plan: 1 to create, 0 already there, 0 imported before, 1 cannot come/m);
  assert.equal((await cast.ask(cast.alice, "GET /checks")).text, before);
  const done = await site.run("healthchecks", "--json");
  const { records } = JSON.parse(done.out);
  assert.deepEqual(
    records.map(({ kind, action, from }: Record<string, string>) => [kind, action, from]),
    [["check", "create", uuid]],
  );
});

test("checks that are imported do not alert of first results that are up", async () => {
  await using site = await importHarness({ "checks.json": { checks: [beat] } });
  const { cast } = site;
  await site.run("healthchecks");
  const [id = ""] = Object.keys((await cast.ask(cast.alice, "GET /checks")).body);
  const found = await cast.store.checks.find(cast.alice.account.id, id);
  assert.equal(found?.check.quietFirst, true);
});

test("a check that was changed here stays so, and one that was deleted is made again", async () => {
  await using site = await importHarness({ "checks.json": { checks: [beat] } });
  const { cast } = site;
  await site.run("healthchecks");
  const [id = ""] = Object.keys((await cast.ask(cast.alice, "GET /checks")).body);
  await cast.ask(cast.alice, `PUT /checks/${id}`, { label: "Ours", interval: 5 });
  assert.match((await site.run("healthchecks")).out, /^0 created, .*1 imported before/m);
  assert.equal((await cast.ask(cast.alice, `GET /checks/${id}`)).body.label, "Ours");
  await cast.ask(cast.alice, `DELETE /checks/${id}`);
  assert.match((await site.run("healthchecks")).out, /^1 created/m);
});

test("what an import left half done is found again, with its addresses", async () => {
  await using site = await importHarness({ "checks.json": { checks: [beat] } });
  const { cast } = site;
  const made = await cast.ask(cast.alice, "POST /checks", { type: "PUSH", label: "Backup" });
  const { out } = await site.run("healthchecks");
  assert.match(out, new RegExp(`^~ check ${uuid}, Backup: ${made.body._id}$`, "m"));
  assert.equal((await cast.ask(cast.alice, `GET /checks/${made.body._id}`)).body.aliases.length, 1);
  assert.match((await site.run("healthchecks")).out, /^0 created, 0 already there, 1 imp/m);
});

test("two installations of one system keep apart by their names", async () => {
  await using site = await importHarness({ "checks.json": { checks: [beat] } });
  await site.run("healthchecks");
  const other = { ...beat, name: "Other" };
  await writeFile(join(site.folder, "checks.json"), JSON.stringify({ checks: [other] }));
  const { code, out } = await site.run("healthchecks", "--origin", "second");
  assert.equal(code, 0);
  assert.match(
    out,
    /its old address does not work here: address: another check of the account has this address already/,
  );
  assert.match(out, /^1 created/m);
});

test("a record that is refused is named with the reason, and the others come", async () => {
  const bad = { type: "port", hostname: "not a host", port: 1, active: 1, interval: 60 };
  const good = { type: "ping", hostname: "192.0.2.1", active: 1, interval: 60 };
  await using site = await importHarness({
    "backup.json": {
      monitorList: [
        { id: 1, name: "bad", ...bad },
        { id: 2, name: "good", ...good },
      ],
    },
  });
  const { code, out, err } = await site.run("uptime-kuma");
  assert.equal(code, 1);
  assert.match(out, /^! check 1, bad\n {4}target: /m);
  assert.match(out, /^\+ check 2, good: /m);
  assert.match(err, /^1 record refused; it is safe to import again$/m);
});

test("a file that cannot be read is refused with its name", async () => {
  const cases = [
    { file: "{", error: /a\.json: / },
    { file: `a: &a [1]\nb: [${"*a,".repeat(10_100)}]`, error: /a\.json: .*alias/i },
    { file: "a: [\nb: \u001b[31m]", error: /a\.json: .* at line 2, column \d+\n$/ },
    { file: "SQLite format 3\0\u0001: [", error: /a\.json: neither JSON nor YAML\n$/ },
    { file: '{"__proto__": {}}', error: /a\.json: .*__proto__/ },
  ];
  for (const { file, error } of cases) {
    await using site = await importHarness({ "a.json": file });
    const { code, err } = await site.run("gatus");
    assert.equal(code, 1);
    assert.match(err, error);
  }
  await using site = await importHarness({ "notes.txt": "" });
  assert.match((await site.run("gatus")).err, /no \.json, \.yaml or \.yml file/);
});

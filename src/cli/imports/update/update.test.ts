import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";

import { commandLine } from "../../../../test/command-line.ts";
import { importHarness, type Json } from "../../../../test/harnesses/import-harness.ts";
import { noTerminal } from "../../output/terminal.ts";

const uuid = (digit: number): string => `31365bce-8da9-4729-8ff3-aaa71d56b71${digit}`;
const usual = { timeout: 3600, grace: 60, status: "up", channels: "", tags: "" };
const backup = { ...usual, uuid: uuid(1), name: "Backup" };
const sync = { ...usual, uuid: uuid(2), name: "Sync" };

async function healthchecksHarness(...checks: readonly object[]) {
  const site = await importHarness({ "checks.json": { checks } });
  const first = await site.run("healthchecks");
  assert.equal(first.code, 0, first.err);
  const { ask, alice } = site.cast;
  return Object.assign(site, {
    change: (...now: readonly object[]) =>
      writeFile(join(site.folder, "checks.json"), JSON.stringify({ checks: now })),
    update: (...more: readonly string[]) => site.run("healthchecks", "--update", ...more),
    async checks() {
      const { body } = await ask(alice, "GET /checks");
      return new Map(
        Object.entries<{ readonly label: string; readonly interval: number }>(body).map(
          ([id, check]) => [check.label, { id, interval: check.interval }],
        ),
      );
    },
  });
}

test("an update shows what changed at the source, and applies it once it is allowed to", async () => {
  await using site = await healthchecksHarness(backup, sync);
  const none = await site.update();
  assert.deepEqual([none.code, none.out], [0, "No changes.\n"]);
  await site.change({ ...backup, timeout: 7200, tags: "nas" }, sync, {
    ...usual,
    uuid: uuid(3),
    name: "New",
  });
  const differences = [
    '+ check "New"',
    '~ check "Backup": interval 60 → 120, tags [] → ["nas"]',
    "Plan: 1 to create, 1 to change, 0 to delete, 1 unchanged.",
  ];
  const shown = await site.update();
  assert.equal(shown.code, 3);
  for (const line of differences) assert.ok(shown.out.includes(`${line}\n`), shown.out);
  assert.match(shown.err, /Nothing was changed: --yes applies it/);
  assert.equal((await site.checks()).get("Backup")?.interval, 60);
  const planned = await site.update("--plan", "--json");
  assert.equal(planned.code, 3);
  const { changes } = JSON.parse(planned.out);
  assert.deepEqual(
    changes.map(({ change, name, values }: Record<string, unknown>) => [change, name, values]),
    [
      ["create", "New", undefined],
      [
        "change",
        "Backup",
        { interval: { before: 60, after: 120 }, tags: { before: [], after: ["nas"] } },
      ],
    ],
  );
  const done = await site.update("--yes");
  assert.equal(done.code, 0, done.err);
  assert.match(done.out, /^1 created, 1 changed, 0 deleted, 1 unchanged\.$/m);
  assert.equal((await site.checks()).get("Backup")?.interval, 120);
  assert.equal((await site.checks()).size, 3);
  assert.equal((await site.update()).out, "No changes.\n");
});

test("what a person changed here stays, and is said where the source changed it too", async () => {
  await using site = await healthchecksHarness(backup, sync);
  const { ask, alice } = site.cast;
  const id = (await site.checks()).get("Backup")?.id ?? assert.fail();
  await ask(alice, `PUT /checks/${id}`, { interval: 30, label: "Ours" });
  assert.equal((await site.update()).out, "No changes.\n");
  await site.change({ ...backup, timeout: 7200, desc: "Nightly" }, sync);
  for (const more of [["--plan"], ["--yes"]]) {
    const { out } = await site.update(...more);
    assert.match(out, /^~ check "Backup": description (?:\(unset\)|) ?→ Nightly$/m);
    assert.match(out, /^ {4}stays: interval 30 → 120: changed on both sides$/m);
  }
  const { body } = await ask(alice, `GET /checks/${id}`);
  assert.deepEqual([body.interval, body.label, body.description], [30, "Ours", "Nightly"]);
  const again = await site.update();
  assert.equal(again.code, 0);
  assert.match(again.out, /stays: interval 30 → 120: changed on both sides/);
});

test("what is gone at the source stays until its deletion is asked for", async () => {
  await using site = await healthchecksHarness(backup, sync);
  await site.change(sync);
  const kept = await site.update("--yes");
  assert.equal(kept.code, 0);
  assert.match(kept.out, /^ {2}check "Backup": gone at the source, stays without --delete$/m);
  assert.equal((await site.checks()).size, 2);
  const planned = await site.update("--delete");
  assert.equal(planned.code, 3);
  assert.match(planned.out, /^- check "Backup": gone at the source$/m);
  assert.equal((await site.checks()).size, 2);
  const deleted = await site.update("--delete", "--yes");
  assert.match(deleted.out, /^0 created, 0 changed, 1 deleted, 1 unchanged\.$/m);
  assert.deepEqual([...(await site.checks()).keys()], ["Sync"]);
  for (const option of ["--delete", "--yes"]) {
    const { code, err } = await site.run("healthchecks", option);
    assert.equal(code, 1);
    assert.match(err, /--delete and --yes need --update/);
  }
});

test("of what was imported without digests differences are said and not applied, and known from then on", async () => {
  await using site = await healthchecksHarness(backup);
  const { ask, alice } = site.cast;
  const id = (await site.checks()).get("Backup")?.id ?? assert.fail();
  await ask(alice, "POST /imports", { id, origin: "healthchecks", from: uuid(1) });
  await site.change({ ...backup, timeout: 7200 });
  const first = await site.update("--yes");
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /stays: interval 60 → 120: not known which side changed/);
  assert.equal((await site.checks()).get("Backup")?.interval, 60);
  await site.change({ ...backup, timeout: 10_800 });
  await site.update("--yes");
  assert.equal((await site.checks()).get("Backup")?.interval, 180);
});

test("at a terminal it asks, and does nothing without a yes", async () => {
  await using site = await healthchecksHarness(backup);
  await site.change({ ...backup, timeout: 7200 });
  const { cast, folder } = site;
  const questions: string[] = [];
  const answering = (answer: string) =>
    commandLine(cast, cast.alice.token, {
      terminal: {
        ...noTerminal,
        ask: ({ text }) => {
          questions.push(text);
          return Promise.resolve(answer);
        },
      },
    })(`import healthchecks ${folder} --update`);
  const refused = await answering("n");
  assert.equal(refused.code, 1);
  assert.match(refused.err, /nothing was done/);
  assert.equal((await site.checks()).get("Backup")?.interval, 60);
  assert.equal((await answering("y")).code, 0);
  assert.equal((await site.checks()).get("Backup")?.interval, 120);
  assert.deepEqual(questions, ["Apply this? [y/N] ", "Apply this? [y/N] "]);
});

const monitor = { type: "http", method: "GET", active: 1, interval: 60, retry_interval: 60 };
const kuma = (host: string, mail: string, key: string, names: readonly string[] = ["1"]) => ({
  version: "1.23.0",
  notificationList: [
    {
      id: 1,
      name: "Ops",
      active: true,
      isDefault: false,
      config: JSON.stringify({ type: "smtp", smtpTo: mail }),
    },
    {
      id: 2,
      name: "Chat",
      active: true,
      isDefault: false,
      config: JSON.stringify({
        type: "slack",
        slackwebhookURL: "https://hooks.slack.com/services/T/B/x",
      }),
    },
  ],
  monitorList: [
    {
      ...monitor,
      id: 1,
      name: "Site",
      url: `https://${host}`,
      headers: JSON.stringify({ "X-Key": key }),
      accepted_statuscodes: ["200-299"],
      notificationIDList: Object.fromEntries(names.map((name) => [name, true])),
    },
  ],
});

test("targets, headers, recipients and addresses of contacts are updated, and no secret is shown", async () => {
  const first = kuma("one.example.com", "a@example.com", "secret-one");
  await using site = await importHarness({ "backup.json": first });
  const imported = await site.run("uptime-kuma");
  assert.equal(imported.code, 0, imported.out + imported.err);
  assert.equal((await site.run("uptime-kuma", "--update")).out, "No changes.\n");
  const second = kuma("two.example.com", "b@example.com", "secret-two", ["1", "2"]);
  await writeFile(join(site.folder, "backup.json"), JSON.stringify(second));
  const { code, out, err } = await site.run("uptime-kuma", "--update", "--yes");
  assert.equal(code, 0, err);
  assert.match(
    out,
    /^~ contact "Ops": addresses \["email a@example\.com"\] → \["email b@example\.com"\]$/m,
  );
  assert.match(
    out,
    /^~ check "Site": .*target https:\/\/one\.example\.com\/? → https:\/\/two\.example\.com/m,
  );
  assert.match(out, /sendheaders \(secret\)/);
  assert.match(out, /notifications .*Ops.* → .*Chat/);
  assert.ok(!out.includes("secret-"), out);
  const { ask, alice } = site.cast;
  const [check]: readonly Json[] = Object.values((await ask(alice, "GET /checks")).body);
  assert.equal(check?.parameters.target, "https://two.example.com/");
  assert.deepEqual(check?.parameters.sendheaders, { "X-Key": "secret-two" });
  assert.equal(check?.notifications.length, 2);
  const contacts = Object.values<Json>((await ask(alice, "GET /contacts")).body);
  const ops = contacts.find(({ name }) => name === "Ops");
  assert.deepEqual(
    Object.values<Json>(ops?.addresses).map(({ address }) => address),
    ["b@example.com"],
  );
  assert.equal((await site.run("uptime-kuma", "--update")).out, "No changes.\n");
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { exportAccount, importDocument } from "../../../test/command-line.ts";
import type { CommandResult } from "../../../test/command-line.ts";
import { seedAccount } from "../../../test/stores/seed-account.ts";
import type { Configuration } from "../configuration/document.ts";

/** The configuration with every id in the place of which a name can stand. */
function named({ account, ...sections }: Configuration): object {
  const { contacts, contactgroups, notificationprofiles, checks, maintenance, statuspages } =
    sections;
  const names = [
    ...Object.entries(contacts).flatMap(([id, { name, addresses = {} }]) => [
      [id, name],
      ...Object.entries(addresses).map(([each, { address }]) => [each, address]),
    ]),
    ...[contactgroups, notificationprofiles, maintenance, statuspages].flatMap((section) =>
      Object.entries(section).map(([id, { name }]) => [id, name]),
    ),
    ...Object.entries(checks).map(([id, { label }]) => [id, label]),
  ];
  const { _id, ...settings } = account;
  return names.reduce(
    (whole, [id = "", name]) =>
      JSON.parse(JSON.stringify(whole).replaceAll(id, JSON.stringify(name).slice(1, -1))),
    { settings, ...sections },
  );
}

const signsOf = ({ out }: CommandResult): string =>
  out
    .split("\n")
    .map((line) => /^([-+~=]) /.exec(line)?.[1] ?? "")
    .join("");

const nothingToDo = /^nothing to do, all \d+ are unchanged\.$/m;

test("to import what was just exported changes nothing, and calls nothing that writes", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const document = await exportAccount(cast, cast.alice);
  const before = (await cast.ask(cast.alice, "GET /checks")).text;
  const changes = cast.changes.length;
  await cast.clock.advance(1000);
  for (const args of [[], ["--prune"]]) {
    const ran = await importDocument(cast, { who: cast.alice, document }, ...args);
    assert.deepEqual([ran.code, ran.err], [0, ""]);
    assert.match(ran.out, nothingToDo);
    assert.match(signsOf(ran), /^=+$/);
  }
  assert.equal((await cast.ask(cast.alice, "GET /checks")).text, before);
  assert.equal(cast.changes.length, changes);
  const { watchpost: _, ...again } = await exportAccount(cast, cast.alice);
  const { watchpost: __, ...first } = document;
  assert.deepEqual(again, first);
});

test("what was exported from one account becomes another by import, with references of its own, at once and for good", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const document = await exportAccount(cast, cast.alice);
  const ran = await importDocument(cast, { who: cast.carol, document }, "--prune");
  assert.deepEqual([ran.code, ran.err], [0, ""]);
  const hers = await exportAccount(cast, cast.carol);
  assert.deepEqual(named(hers), named(document));
  assert.doesNotMatch(JSON.stringify({ ...hers, account: 0 }), new RegExp(cast.alice.account.id));
  const again = await importDocument(cast, { who: cast.carol, document }, "--prune");
  assert.match(again.out, nothingToDo);
});

test("what the account has beside the document stays, unless it is to be pruned", async () => {
  await using cast = await createApiFixture();
  const document = await exportAccount(cast, cast.alice);
  await seedAccount(cast, cast.alice);
  await cast.ask(cast.alice, "DELETE /branding");
  const kept = await importDocument(cast, { who: cast.alice, document });
  assert.match(kept.out, nothingToDo);
  const pruned = await importDocument(cast, { who: cast.alice, document }, "--prune");
  assert.match(pruned.out, /^- check "Shop"$/m);
  assert.match(pruned.out, /^0 created, 0 changed, 10 deleted, /m);
  const { watchpost: _, ...rest } = document;
  const { watchpost: __, ...left } = await exportAccount(cast, cast.alice);
  assert.deepEqual(left, rest);
});

test("a dry run tells of the same lines and does nothing", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const document = await exportAccount(cast, cast.alice);
  const before = named(await exportAccount(cast, cast.carol));
  const dry = await importDocument(cast, { who: cast.carol, document }, "--dry-run", "--prune");
  assert.deepEqual(named(await exportAccount(cast, cast.carol)), before);
  const real = await importDocument(cast, { who: cast.carol, document }, "--prune");
  assert.equal(signsOf(dry), signsOf(real));
  assert.match(dry.out, /^Dry run: 11 created, 2 changed, 1 deleted, 4 unchanged\.$/m);
  assert.match(real.out, /^11 created, 2 changed, 1 deleted, 4 unchanged\.$/m);
});

test("every value that was changed comes back", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const document = await exportAccount(cast, cast.alice);
  const change = async (request: string, parameters: object): Promise<void> => {
    const { status, text } = await cast.ask(cast.alice, request, parameters);
    assert.equal(status, 200, text);
  };
  for (const [id, contact] of Object.entries(document.contacts)) {
    const addresses = Object.entries(contact.addresses ?? {}).map(([each, { type }]) => [
      each,
      {
        address: type === "email" ? "new@example.net" : "https://other.example/",
        suppressup: false,
        suppressall: true,
        mute: false,
        ...(type === "webhook" && { action: "get", headers: { a: "b" }, data: "text" }),
      },
    ]);
    await change("PUT /contacts", {
      id,
      name: `${contact.name} II`,
      custrole: "owner",
      ...(addresses.length > 0 && { addresses: Object.fromEntries(addresses) }),
    });
  }
  for (const id of Object.keys(document.contactgroups))
    await change("PUT /contactgroups", { id, name: "x", members: [] });
  for (const id of Object.keys(document.notificationprofiles))
    await change("PUT /notificationprofiles", { id, name: "x", notifications: [] });
  for (const id of Object.keys(document.maintenance))
    await change("PUT /maintenance", {
      id,
      name: "x",
      enabled: false,
      duration: 1,
      cron: "1 1 1 1 1",
      checklist: [],
    });
  for (const id of Object.keys(document.statuspages))
    await change("PUT /statuspages", { id, name: "x", enabled: false, color: "", sections: [] });
  for (const id of Object.keys(document.schedules))
    await change("PUT /schedules", { id, data: { sunday: { allday: true } } });
  for (const [id, { type, description }] of Object.entries(document.checks)) {
    await change("PUT /checks", {
      id,
      label: "x",
      interval: 77,
      enabled: type === "PUSH",
      public: type !== "PUSH",
      threshold: 9,
      sens: 7,
      notifications: [],
      dep: false,
      mute: type !== "PUSH",
      autodiag: true,
      tags: ["x"],
      // None is what the API cannot give back.
      ...(description !== "" && { description: "x" }),
      runlocations: [],
      contentstring: "surplus",
      ...(type === "PUSH" && {
        oldresultfail: false,
        fields: { size: { min: 2 }, more: { name: "x" } },
      }),
    });
  }
  await change("PUT /accounts", {
    name: "x",
    timezone: "Europe/Berlin",
    location: "eur",
    emailme: true,
    accountsuppressall: true,
    autodiagnotifications: true,
  });
  await change("PUT /branding", { from: "", downsubject: "x", welcome: "x {password}" });
  const ran = await importDocument(cast, { who: cast.alice, document });
  assert.deepEqual([ran.code, ran.err], [0, ""]);
  assert.match(signsOf(ran), /^~+$/);
  const { watchpost: _, ...again } = await exportAccount(cast, cast.alice);
  const { watchpost: __, ...first } = document;
  // The number of rechecks that is the usual one is now written down.
  const spoken = JSON.stringify(again).replaceAll(',"sens":2', "");
  assert.deepEqual(JSON.parse(spoken), first);
  assert.match((await importDocument(cast, { who: cast.alice, document })).out, nothingToDo);
});

test("default recipients become those of another account, under their new ids and with their schedules, and settle", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const seeded = await exportAccount(cast, cast.alice);
  const [, { addresses = {} }] = Object.entries(seeded.contacts).find(
    ([, { name }]) => name === "Olga",
  ) ?? ["", {}];
  const recipients = [seeded.contactgroups, seeded.notificationprofiles, addresses].map(
    (section) => Object.keys(section)[0] ?? "",
  );
  const [group = "", profile = "", address = ""] = recipients;
  await cast.ask(cast.alice, "PUT /accounts", {
    defaultnotifications: [
      { [group]: "Office hours" },
      { [profile]: "All", [address]: { schedule: "Nights", delay: 5 } },
    ],
  });
  const document = await exportAccount(cast, cast.alice);
  assert.equal(document.account.defaultnotifications?.length, 2);
  assert.match((await importDocument(cast, { who: cast.alice, document })).out, nothingToDo);
  const ran = await importDocument(cast, { who: cast.carol, document }, "--prune");
  assert.deepEqual([ran.code, ran.err], [0, ""]);
  assert.match(ran.out, /^~ account "Alice": defaultnotifications$/m);
  const hers = await exportAccount(cast, cast.carol);
  assert.deepEqual(named(hers), named(document));
  for (const id of recipients) assert.ok(!JSON.stringify(hers.account).includes(id));
  for (const args of [[], ["--prune"]])
    assert.match(
      (await importDocument(cast, { who: cast.carol, document }, ...args)).out,
      nothingToDo,
    );
  // A document of an earlier version leaves them as they are, and an empty list means nobody.
  const { defaultnotifications: _, ...earlier } = document.account;
  const old = { ...document, account: earlier };
  assert.match((await importDocument(cast, { who: cast.carol, document: old })).out, nothingToDo);
  const nobody = { ...document, account: { ...earlier, defaultnotifications: [] } };
  assert.equal((await importDocument(cast, { who: cast.carol, document: nobody })).code, 0);
  assert.deepEqual((await exportAccount(cast, cast.carol)).account.defaultnotifications, []);
});

for (const { had, wanted } of [
  { had: "Europe/Berlin", wanted: "GMT+1" },
  { had: "GMT+1", wanted: "Europe/Berlin" },
  { had: "Europe/Berlin", wanted: "Europe/Vienna" },
]) {
  test(`an import replaces the time zone ${had} with ${wanted}, and settles`, async () => {
    await using cast = await createApiFixture();
    await cast.ask(cast.alice, "PUT /accounts", { timezone: wanted });
    const document = await exportAccount(cast, cast.alice);
    await cast.ask(cast.alice, "PUT /accounts", { timezone: had });
    const first = await importDocument(cast, { who: cast.alice, document });
    assert.match(first.out, /^0 created, 1 changed, 0 deleted, /m);
    const { account } = await exportAccount(cast, cast.alice);
    assert.deepEqual(account, document.account);
    assert.match((await importDocument(cast, { who: cast.alice, document })).out, nothingToDo);
  });
}

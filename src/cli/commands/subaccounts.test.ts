import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { commandLine, exportAccount, importDocument } from "../../../test/command-line.ts";
import { seedAccount } from "../../../test/stores/seed-account.ts";

const nothingToDo = /^nothing to do, all \d+ are unchanged\.$/m;

test("subaccounts are exported on request, and found again by id", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const document = await exportAccount(cast, cast.alice, "--subaccounts");
  assert.deepEqual(
    document.subaccounts?.map(({ account }) => account.customer_name),
    ["Bob"],
  );
  assert.equal((await exportAccount(cast, cast.alice)).subaccounts, undefined);
  assert.match((await importDocument(cast, { who: cast.alice, document })).out, nothingToDo);
});

test("subaccounts that are not there are made with a first contact, and found again by name", async () => {
  await using cast = await createApiFixture();
  await cast.ask(cast.alice, "POST /checks", {
    customerid: cast.bob.account.id,
    type: "PUSH",
    label: "Bob's",
    notifications: [{ [cast.bob.contact.id]: "All" }],
  });
  await cast.ask(cast.alice, "PUT /accounts", {
    customerid: cast.bob.account.id,
    status: "Suspend",
    timezone: "5.75",
    defaultnotifications: [{ [cast.bob.contact.id]: "Nights" }],
  });
  const document = await exportAccount(cast, cast.alice, "--subaccounts");
  const dry = await importDocument(cast, { who: cast.carol, document }, "--dry-run");
  assert.match(dry.out, /^\+ account "Bob"$/m);
  assert.equal((await exportAccount(cast, cast.carol, "--subaccounts")).subaccounts?.length, 0);
  const { code, out } = await importDocument(cast, { who: cast.carol, document });
  assert.equal(code, 0);
  assert.match(out, /^\+ account "Bob"$/m);
  assert.match(out, /^~ account "Bob": defaultnotifications$/m);
  const [below] = (await exportAccount(cast, cast.carol, "--subaccounts")).subaccounts ?? [];
  assert.deepEqual(
    [below?.account.customer_name, below?.account.status, below?.account.timezone],
    ["Bob", "Suspend", "5.75"],
  );
  const [contact, ...others] = Object.entries(below?.contacts ?? {});
  assert.deepEqual(others, []);
  assert.equal(contact?.[1].custrole, "owner");
  const [check] = Object.values(below?.checks ?? {});
  assert.deepEqual(check?.notifications, [{ [contact?.[0] ?? ""]: "All" }]);
  assert.deepEqual(below?.account.defaultnotifications, [{ [contact?.[0] ?? ""]: "Nights" }]);
  assert.match((await importDocument(cast, { who: cast.carol, document })).out, nothingToDo);
});

test("what cannot be taken in one account keeps all of them as they are", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const document = await exportAccount(cast, cast.alice, "--subaccounts");
  const [bob] = document.subaccounts ?? [];
  assert.ok(bob);
  const broken: readonly [object, RegExp][] = [
    [
      { ...bob, contacts: {} },
      /^account "Bob": cannot be created, because none of its contacts has/,
    ],
    [
      { ...bob, checks: { x: { type: "HTTP", label: "L", parameters: {}, notifications: [] } } },
      /^check "L", x: /,
    ],
  ];
  for (const [subaccount, said] of broken) {
    const { code, err, out } = await importDocument(cast, {
      who: cast.carol,
      document: { ...document, subaccounts: [subaccount] },
    });
    assert.deepEqual([code, out], [1, ""]);
    assert.match(err, said);
  }
  const twins = { ...document, subaccounts: [bob, bob] };
  assert.match(
    (await importDocument(cast, { who: cast.carol, document: twins })).err,
    /two have the same id/,
  );
  assert.deepEqual((await exportAccount(cast, cast.carol)).checks, {});
});

test("a subaccount alone is exported and imported with --account, and only by who has it", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const account = ["--account", cast.bob.account.id];
  const bobs = await exportAccount(cast, cast.alice, ...account);
  assert.equal(bobs.account.customer_name, "Bob");
  const document = await exportAccount(cast, cast.alice);
  const { code } = await importDocument(cast, { who: cast.alice, document }, ...account);
  assert.equal(code, 0);
  assert.equal(Object.keys((await exportAccount(cast, cast.alice, ...account)).checks).length, 3);
  assert.match((await importDocument(cast, { who: cast.alice, document })).out, nothingToDo);
  for (const line of ["export", "import -"]) {
    const readInput = () => Promise.resolve(JSON.stringify(document));
    const carols = await commandLine(cast, cast.carol.token, { readInput })(line, ...account);
    assert.deepEqual(
      [carols.code, carols.out, carols.err],
      [1, "", "You do not have the correct permissions for that account.\n"],
    );
  }
});

test("a subaccount has no subaccounts", async () => {
  await using cast = await createApiFixture();
  const account = ["--account", cast.bob.account.id];
  const run = commandLine(cast, cast.alice.token);
  assert.match((await run("export --subaccounts", ...account)).err, /omit --account/);
  const document = await exportAccount(cast, cast.alice, "--subaccounts");
  const ran = await importDocument(cast, { who: cast.alice, document }, ...account);
  assert.match(ran.err, /omit --account/);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { applyDocument } from "../../../test/configuration/configuration-files.ts";
import { commandLine } from "../../../test/command-line.ts";
import { seedAccount } from "../../../test/stores/seed-account.ts";

const nothingToDo = /^No changes\. \d+ records? match/m;

test("subaccounts are exported on request, and found again by name", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const run = commandLine(cast, cast.alice.token);
  const { out: document } = await run("export --subaccounts --secrets --format json");
  assert.deepEqual(Object.keys(JSON.parse(document).subaccounts), ["Bob"]);
  assert.equal(JSON.parse((await run("export --format json")).out).subaccounts, undefined);
  const ran = await applyDocument(cast, { who: cast.alice, document });
  assert.match(ran.out, /^= Bob: contact "Bob": exists/m);
  assert.match((await applyDocument(cast, { who: cast.alice, document })).out, nothingToDo);
});

test("subaccounts that are not there are made with a first contact, and exported as they were", async () => {
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
  const line = "export --subaccounts --secrets --format json";
  const { out } = await commandLine(cast, cast.alice.token)(line);
  const { account: _, contacts: __, ...document } = JSON.parse(out);
  const readInput = () => Promise.resolve(JSON.stringify(document));
  const carols = commandLine(cast, cast.carol.token, { readInput });
  const planned = await carols("plan -f -");
  assert.deepEqual([planned.code, planned.err], [3, ""]);
  assert.match(planned.out, /^\+ Bob: account "Bob"$/m);
  const { code, out: said, err } = await applyDocument(cast, { who: cast.carol, document });
  assert.deepEqual([code, err], [0, ""]);
  assert.match(said, /^\+ Bob: check "Bob's"$/m);
  const { subaccounts } = JSON.parse((await carols(line)).out);
  assert.deepEqual(subaccounts, document.subaccounts);
  assert.match((await applyDocument(cast, { who: cast.carol, document })).out, nothingToDo);
});

test("what cannot be taken in one account keeps all of them as they are", async () => {
  await using cast = await createApiFixture();
  const document = `
checks: { own: { type: PUSH } }
subaccounts:
  shop: { checks: { web: { type: HTTP } } }
  mill: { account: { timezone: Europe/Berlin }, contacts: { ann: {} } }
  yard: { contacts: { ann: { addresses: [ann@example.com] } }, checks: { a: { type: PUSH, dep: b } } }
`;
  const { code, out, err } = await applyDocument(cast, { who: cast.carol, document });
  assert.deepEqual([code, out], [1, ""]);
  const name = "\\(standard input\\)";
  for (const said of [
    "4:21: subaccounts\\.shop\\.checks\\.web: target: required",
    '4:3: subaccounts\\.shop: account "shop": cannot be created, because none of its contacts has',
    '5:3: subaccounts\\.mill: account "mill": cannot be created, because none of its contacts has',
    '6:91: subaccounts\\.yard\\.checks\\.a\\.dep: no such check "b"',
    "4 faults, and nothing was changed",
  ])
    assert.match(err, new RegExp(`^${said.startsWith("4 ") ? "" : `${name}:`}${said}`, "m"));
  const { body } = await cast.ask(cast.carol, "GET /accounts");
  assert.deepEqual([Object.keys(body).length], [1]);
});

test("a subaccount alone is exported and applied with --account, and only by who has it", async () => {
  await using cast = await createApiFixture();
  await seedAccount(cast, cast.alice);
  const account = ["--account", cast.bob.account.id];
  const run = commandLine(cast, cast.alice.token);
  const { out } = await run("export --format json --secrets");
  const { account: _, ...document } = JSON.parse(out);
  const ran = await applyDocument(cast, { who: cast.alice, document }, ...account);
  assert.deepEqual([ran.code, ran.err], [0, ""]);
  const bobs = JSON.parse((await run("export --format json --secrets", ...account)).out);
  assert.deepEqual([bobs.account.name, bobs.checks], ["Bob", document.checks]);
  const readInput = () => Promise.resolve(JSON.stringify(document));
  const carols = commandLine(cast, cast.carol.token, { readInput });
  for (const line of ["export", "apply -f -", "plan -f -"]) {
    const refused = await carols(line, ...account);
    assert.deepEqual(
      [refused.code, refused.out, refused.err],
      [1, "", "You do not have the correct permissions for that account.\n"],
    );
  }
});

test("a subaccount has no subaccounts", async () => {
  await using cast = await createApiFixture();
  const account = ["--account", cast.bob.account.id];
  const run = commandLine(cast, cast.alice.token);
  assert.match((await run("export --subaccounts", ...account)).err, /omit --account/);
  const document = { subaccounts: { shop: {} } };
  const ran = await applyDocument(cast, { who: cast.alice, document }, ...account);
  assert.match(ran.err, /omit --account/);
});

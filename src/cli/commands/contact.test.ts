import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { commandLine } from "../../../test/command-line.ts";

test("contacts are listed with their addresses, and with why receivers refuse them", async () => {
  await using cast = await createApiFixture();
  const { contact, account } = cast.alice;
  const newaddresses = [{ address: "ann@example.com" }, { address: "+15550100", type: "sms" }];
  const { body } = await cast.ask(cast.alice, "POST /contacts", {
    name: "Ann\u001b",
    newaddresses,
  });
  const [address] = contact.addresses;
  assert.ok(address);
  await cast.store.write(({ contacts }) =>
    contacts.changeAddressStatus({
      accountId: account.id,
      contactId: contact.id,
      addressId: address.id,
      address: address.address,
      status: "disabled",
      refusal: { at: Date.UTC(2026, 0, 5, 11), reason: "550 5.1.1 no such user" },
    }),
  );
  const { out } = await commandLine(cast, cast.alice.token)("contact list");
  assert.deepEqual(
    out.split("\n").map((line) => line.split(/ {2,}/)),
    [
      ["ID", "NAME", "TYPE", "ADDRESS", "STATUS"],
      [
        contact.id,
        "Alice",
        "email",
        "alice@example.com",
        "disabled since 2026-01-05 11:00:00 GMT: 550 5.1.1 no such user",
      ],
      [body._id, "Ann", "email", "ann@example.com"],
      ["", "sms", "+15550100"],
      [""],
    ],
  );
  const json = await commandLine(cast, cast.alice.token)("contact list --json");
  assert.equal(JSON.parse(json.out)[contact.id].addresses[address.id].status, "disabled");
  const { out: ofCarol } = await commandLine(cast, cast.carol.token)("contact list");
  assert.doesNotMatch(ofCarol, /alice|550/);
});

test("a contact is found by an address of its own", async () => {
  await using cast = await createApiFixture();
  const run = commandLine(cast, cast.alice.token);
  const shown = await run("contact show alice@example.com");
  assert.match(shown.out, new RegExp(cast.alice.contact.id), shown.err);
  assert.equal((await run("contact test Alice@example.com")).code, 0);
});

test("a contact is tested, and what each receiver said is shown", async () => {
  await using cast = await createApiFixture();
  const { code, out, err } = await commandLine(
    cast,
    cast.alice.token,
  )(`contact test ${cast.alice.contact.id}`);
  assert.deepEqual([code, err], [0, ""]);
  assert.deepEqual(
    out.split("\n").map((line) => line.split(/ {2,}/)),
    [
      ["TYPE", "ADDRESS", "ACCEPTED", "TIME", "RESPONSE"],
      ["email", "alice@example.com", "yes", "1 ms", "taken"],
      [""],
    ],
  );
});

test("a test that an address does not take fails, with what was said, as JSON too", async () => {
  await using cast = await createApiFixture({
    testContact: async ({ contact }) =>
      contact.addresses.map((address) => ({
        address,
        accepted: false,
        response: "the account wants no messages",
        durationMs: undefined,
      })),
  });
  const { code, out, err } = await commandLine(
    cast,
    cast.alice.token,
  )(`contact test ${cast.alice.contact.id} --json`);
  assert.deepEqual([code, err], [1, "not every test message was accepted\n"]);
  const [address] = Object.values<{ response: string }>(JSON.parse(out).addresses);
  assert.equal(address?.response, "the account wants no messages");
});

test("Carol tests no contact of Alice's from the command line", async () => {
  await using cast = await createApiFixture();
  const { code, out, err } = await commandLine(
    cast,
    cast.carol.token,
  )(`contact test ${cast.alice.contact.id}`);
  assert.deepEqual([code, out, err], [1, "", `there is no contact "${cast.alice.contact.id}"\n`]);
});

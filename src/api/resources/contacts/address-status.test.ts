import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, type ApiFixture } from "../../../../test/api-fixture.ts";
import type { AddressStatus } from "../../../domain/contact/contact.ts";

interface Marked {
  readonly cast: ApiFixture;
  readonly addressId: string;
  /** How the address is shown once the entry was sent for it. */
  readonly put: (entry: object) => Promise<{ status: string; refusal?: object }>;
  readonly mark: (status: AddressStatus) => Promise<void>;
}

const refusal = { at: Date.UTC(2026, 0, 5, 11), reason: "410 Gone" };

async function marked(cast: ApiFixture): Promise<Marked> {
  const { contact, account } = cast.alice;
  const [address] = contact.addresses;
  assert.ok(address);
  const mark: Marked["mark"] = (status) =>
    cast.store.write(({ contacts }) =>
      contacts.changeAddressStatus({
        accountId: account.id,
        contactId: contact.id,
        addressId: address.id,
        address: address.address,
        status,
        refusal,
      }),
    );
  await mark("disabled");
  return {
    cast,
    addressId: address.id,
    mark,
    async put(entry) {
      const { body } = await cast.ask(cast.alice, `PUT /contacts/${contact.id}`, {
        addresses: { [address.id]: entry },
      });
      return body.addresses[address.id];
    },
  };
}

test("an address that was refused shows why and since when, to its own account alone", async () => {
  await using cast = await createApiFixture();
  const { addressId } = await marked(cast);
  const { body } = await cast.ask(cast.alice, `GET /contacts/${cast.alice.contact.id}`);
  const { status, refusal: shown } = body.addresses[addressId];
  assert.deepEqual([status, shown], ["disabled", refusal]);
  for (const stranger of [cast.bob, cast.carol]) {
    const { text } = await cast.ask(stranger, "GET /contacts");
    assert.ok(!text.includes("410"), text);
  }
});

for (const [name, entry, expected] of [
  ["what has nothing to do with it", { suppressup: true }, "disabled"],
  ["the address as it is", { address: " alice@example.com " }, "disabled"],
  ["the status as it is", { status: "disabled" }, "disabled"],
  ["the whole record as it is", { status: "disabled", refusal, type: "email" }, "disabled"],
  ["a status that nobody knows", { status: "active" }, "disabled"],
  ["no status", { status: null }, "disabled"],
  ["the status new", { status: "new" }, "new"],
  ["another address", { address: "alice@example.org" }, "new"],
  ["another address with the status as it was", { address: "a@b.c", status: "disabled" }, "new"],
] as const) {
  test(`a disabled address that is sent ${name} is ${expected}`, async () => {
    await using cast = await createApiFixture();
    const { put } = await marked(cast);
    const shown = await put(entry);
    assert.deepEqual(
      [shown.status, shown.refusal],
      expected === "new" ? ["new", undefined] : ["disabled", refusal],
    );
  });
}

// guard: status of addresses
test("no client makes an address refused or disabled", async () => {
  await using cast = await createApiFixture();
  const newaddresses = [{ address: "a@example.com", status: "disabled", refusal }];
  const { body } = await cast.ask(cast.alice, "POST /contacts", { newaddresses });
  const [[id, address] = ["", undefined]] = Object.entries<{ status: string }>(body.addresses);
  assert.equal(address?.status, "new");
  const sent = { addresses: { [id]: { status: "disabled" } } };
  const changed = await cast.ask(cast.alice, `PUT /contacts/${body._id}`, sent);
  assert.equal(changed.body.addresses[id].status, "new");
});

test("a change of a contact and a mark that come at once both last", async () => {
  await using cast = await createApiFixture();
  const { put, mark, addressId } = await marked(cast);
  await put({ status: "new" });
  await Promise.all([put({ suppressup: true }), mark("refused"), put({ suppressdown: true })]);
  const { body } = await cast.ask(cast.alice, `GET /contacts/${cast.alice.contact.id}`);
  const { status, suppressup, suppressdown } = body.addresses[addressId];
  assert.deepEqual([status, suppressup, suppressdown], ["refused", true, true]);
});

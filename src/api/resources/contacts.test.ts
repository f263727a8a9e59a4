import assert from "node:assert/strict";
import { test } from "node:test";

import { apiCast } from "../../../test/api-cast.ts";

const mail = { address: "one@example.com", type: "email" };
const hook = { address: "https://hooks.example/x", type: "webhook" };
const noOwner = { error: "Account must have at least one 'owner' contact." };

test("a contact is made with its addresses, each under an id of its own", async () => {
  await using cast = await apiCast();
  const { body } = await cast.ask(cast.alice, "POST /contacts", {
    name: "Ann",
    custrole: "notify",
    newaddresses: [{ ...mail, suppressup: true }, hook],
  });
  assert.match(body._id, new RegExp(`^${cast.alice.account.id}-[A-Z0-9]{5}$`));
  const [first = "", second = ""] = Object.keys(body.addresses);
  assert.match(first, /^[A-Z0-9]{8}$/);
  assert.deepEqual(body, {
    _id: body._id,
    type: "contact",
    customer_id: cast.alice.account.id,
    name: "Ann",
    custrole: "notify",
    addresses: {
      [first]: {
        address: mail.address,
        type: "email",
        status: "new",
        accountsuppressall: false,
        suppressup: true,
      },
      [second]: {
        address: hook.address,
        type: "webhook",
        status: "new",
        accountsuppressall: false,
      },
    },
    sdomain: "watchpost.example",
  });
  const { sdomain: _, ...record } = body;
  assert.deepEqual((await cast.ask(cast.alice, `GET /contacts/${body._id}`)).body, record);
  const { body: list } = await cast.ask(cast.alice, "GET /contacts/");
  assert.deepEqual(Object.keys(list), [cast.alice.contact.id, body._id]);
  assert.deepEqual(list[body._id], record);
});

test("a contact needs nothing: it may view, has no name and no addresses", async () => {
  await using cast = await apiCast();
  const { body } = await cast.ask(cast.alice, "POST /contacts");
  assert.deepEqual([body.name, body.custrole, "addresses" in body], ["", "view", false]);
});

test("new addresses arrive as JSON text, in brackets and with a gap as well", async () => {
  await using cast = await apiCast();
  for (const [path, body] of [
    [`?newaddresses=${encodeURIComponent(JSON.stringify([mail]))}`, {}],
    [`?newaddresses[0][address]=${mail.address}&newaddresses[0][type]=EMAIL`, {}],
    ["", { newaddresses: { 4: mail } }],
  ] as const) {
    const answer = await cast.ask(cast.alice, `POST /contacts${path}`, body);
    assert.deepEqual(Object.values(answer.body.addresses), [
      { ...mail, status: "new", accountsuppressall: false },
    ]);
  }
});

test("a PUT without addresses keeps them and adds the new ones", async () => {
  await using cast = await apiCast();
  const { body: made } = await cast.ask(cast.alice, "POST /contacts", {
    name: "Ann",
    newaddresses: [mail],
  });
  const { body } = await cast.ask(cast.alice, `PUT /contacts/${made._id}`, {
    newaddresses: [hook],
  });
  assert.deepEqual(
    Object.values<{ address: string }>(body.addresses).map(({ address }) => address),
    [mail.address, hook.address],
  );
  assert.equal(body.name, "Ann");
});

test("a PUT with addresses removes those missing and merges the others field by field", async () => {
  await using cast = await apiCast();
  const { body: made } = await cast.ask(cast.alice, "POST /contacts", {
    newaddresses: [{ ...mail, suppressdown: 1, suppressall: "true" }, hook],
  });
  const [first = ""] = Object.keys(made.addresses);
  const merged = await cast.ask(cast.alice, `PUT /contacts?id=${made._id}`, {
    addresses: { [first]: { id: first, type: "webhook", suppressall: false, suppressfirst: "1" } },
  });
  assert.deepEqual(merged.body.addresses, {
    [first]: {
      ...mail,
      status: "new",
      accountsuppressall: false,
      suppressdown: true,
      suppressfirst: true,
    },
  });
  const moved = await cast.ask(cast.alice, `PUT /contacts/${made._id}`, {
    addresses: { [first]: { address: "two@example.com" } },
  });
  assert.deepEqual(moved.body.addresses[first], {
    ...merged.body.addresses[first],
    address: "two@example.com",
  });
});

test("a record that is sent back whole changes nothing", async () => {
  await using cast = await apiCast();
  const { body: made } = await cast.ask(cast.alice, "POST /contacts", {
    name: "Ann",
    newaddresses: [{ ...mail, suppressup: true }, hook],
  });
  const { body } = await cast.ask(cast.alice, `PUT /contacts/${made._id}`, made);
  assert.deepEqual(body, made);
});

for (const addresses of [{}, [], "{}"]) {
  test(`addresses ${JSON.stringify(addresses)} leave no contact without an address`, async () => {
    await using cast = await apiCast();
    const { body: made } = await cast.ask(cast.alice, "POST /contacts", { newaddresses: [mail] });
    const refused = await cast.ask(cast.alice, `PUT /contacts/${made._id}`, { addresses });
    assert.deepEqual([refused.status, refused.body], [400, noOwner]);
    const replaced = await cast.ask(cast.alice, `PUT /contacts/${made._id}`, {
      addresses,
      newaddresses: [hook],
    });
    assert.equal(Object.keys(replaced.body.addresses).length, 1);
  });
}

test("a contact is not made with an empty list of addresses", async () => {
  await using cast = await apiCast();
  const { status, body } = await cast.ask(cast.alice, "POST /contacts", { newaddresses: [] });
  assert.deepEqual([status, body], [400, noOwner]);
});

test("the last owner can neither leave nor lose the role, unless there is another", async () => {
  await using cast = await apiCast();
  const { contact } = cast.alice;
  for (const [verb, parameters] of [
    ["DELETE", {}],
    ["PUT", { custrole: "edit" }],
  ] as const) {
    const { status, body } = await cast.ask(
      cast.alice,
      `${verb} /contacts/${contact.id}`,
      parameters,
    );
    assert.deepEqual([status, body], [400, noOwner]);
  }
  assert.equal(
    (await cast.ask(cast.alice, `PUT /contacts/${contact.id}`, { name: "Alice the First" })).status,
    200,
  );
  const { body: second } = await cast.ask(cast.alice, "POST /contacts", { custrole: "owner" });
  assert.equal(
    (await cast.ask(cast.alice, `PUT /contacts/${contact.id}`, { custrole: "edit" })).status,
    200,
  );
  assert.equal(
    (await cast.ask(cast.alice, `DELETE /contacts/${contact.id}`)).text,
    JSON.stringify({ ok: true, id: contact.id }),
  );
  assert.equal((await cast.ask(cast.alice, `DELETE /contacts/${second._id}`)).status, 400);
});

test("an account whose notifications are suppressed says so at each address", async () => {
  await using cast = await apiCast();
  await cast.store.write((tx) =>
    tx.accounts.update({ ...cast.alice.account, suppressAll: true }, cast.clock.now()),
  );
  const { body } = await cast.ask(cast.alice, `GET /contacts/${cast.alice.contact.id}`);
  assert.deepEqual(
    Object.values<{ accountsuppressall: boolean }>(body.addresses).map(
      (address) => address.accountsuppressall,
    ),
    [true],
  );
});

test("a contact that is missing is not found by any verb", async () => {
  await using cast = await apiCast();
  for (const verb of ["GET", "PUT", "DELETE"]) {
    const { status, body } = await cast.ask(cast.alice, `${verb} /contacts/missing`);
    assert.deepEqual([status, body], [404, { error: "Unable to find that contact" }]);
  }
});

test("there are no passwords to reset", async () => {
  await using cast = await apiCast();
  const { status, body } = await cast.ask(
    cast.alice,
    `GET /contacts/${cast.alice.contact.id}?action=resetpassword`,
  );
  assert.deepEqual([status, body], [400, { error: "action: contacts have no passwords to reset" }]);
});

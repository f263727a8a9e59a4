import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, type ApiFixture } from "../../../../test/api-fixture.ts";
import type { SystemMail } from "../../../domain/system-mail.ts";

const mail = { address: "one@example.com", type: "email" };
const sms = { address: "+44 20 7946 0000", type: "sms" };
const hook = { address: "https://hooks.example/x", type: "webhook" };
const noOwner = { error: "Account must have at least one 'owner' contact." };

test("a contact is made with its addresses, each under an id of its own", async () => {
  await using cast = await createApiFixture({ mails: true });
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
        secret: body.addresses[second].secret,
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
  await using cast = await createApiFixture();
  const { body } = await cast.ask(cast.alice, "POST /contacts");
  assert.deepEqual([body.name, body.custrole, "addresses" in body], ["", "view", false]);
});

test("new addresses arrive as JSON text, in brackets and with a gap as well", async () => {
  await using cast = await createApiFixture();
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
  await using cast = await createApiFixture();
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
  await using cast = await createApiFixture();
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
  await using cast = await createApiFixture();
  const { body: made } = await cast.ask(cast.alice, "POST /contacts", {
    name: "Ann",
    newaddresses: [{ ...mail, suppressup: true }, hook],
  });
  const { body } = await cast.ask(cast.alice, `PUT /contacts/${made._id}`, made);
  assert.deepEqual(body, made);
});

for (const addresses of [{}, [], "{}"]) {
  test(`addresses ${JSON.stringify(addresses)} leave no contact without an address`, async () => {
    await using cast = await createApiFixture();
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
  await using cast = await createApiFixture();
  const { status, body } = await cast.ask(cast.alice, "POST /contacts", { newaddresses: [] });
  assert.deepEqual([status, body], [400, noOwner]);
});

test("the last owner can neither leave nor lose the role, unless there is another", async () => {
  await using cast = await createApiFixture();
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
  await using cast = await createApiFixture();
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
  await using cast = await createApiFixture();
  for (const verb of ["GET", "PUT", "DELETE"]) {
    const { status, body } = await cast.ask(cast.alice, `${verb} /contacts/missing`);
    assert.deepEqual([status, body], [404, { error: "Unable to find that contact" }]);
  }
});

/** The system mails that wait to be sent, the oldest first. */
async function mailsWaiting({ store }: ApiFixture): Promise<readonly SystemMail[]> {
  const found: SystemMail[] = [];
  for (;;) {
    const claimed = await store.write((tx) => tx.systemMails.claim({ leaseMs: 1 }));
    if (claimed === undefined) return found;
    found.push(claimed);
  }
}

for (const { custrole, newaddresses, mails = true, welcomed } of [
  { custrole: "edit", newaddresses: [mail], welcomed: true },
  { custrole: "view", newaddresses: [sms, mail], welcomed: true },
  { custrole: undefined, newaddresses: [mail], welcomed: true },
  { custrole: "notify", newaddresses: [mail], welcomed: false },
  { custrole: "owner", newaddresses: [mail], welcomed: false },
  { custrole: "edit", newaddresses: [sms], welcomed: false },
  { custrole: "edit", newaddresses: undefined, welcomed: false },
  { custrole: "edit", newaddresses: [mail], mails: false, welcomed: false },
]) {
  const types = newaddresses?.map(({ type }) => type).join() ?? "no";
  test(`a new contact of role ${custrole} with ${types} addresses is ${welcomed ? "" : "not "}welcomed${mails ? "" : " without a mail server"}`, async () => {
    await using cast = await createApiFixture({ mails });
    const parameters = { name: "Ann", custrole, newaddresses };
    const { status, body } = await cast.ask(cast.alice, "POST /contacts", parameters);
    assert.equal(status, 200);
    const sent = (await mailsWaiting(cast)).map(({ contactId, kind, to }) => [contactId, kind, to]);
    assert.deepEqual(sent, welcomed ? [[body._id, "welcome", mail.address]] : []);
  });
}

test("a contact that is first only notified is not welcomed when it may sign in", async () => {
  await using cast = await createApiFixture({ mails: true });
  const parameters = { custrole: "notify", newaddresses: [mail] };
  const { body } = await cast.ask(cast.alice, "POST /contacts", parameters);
  await cast.ask(cast.alice, `PUT /contacts/${body._id}`, { custrole: "edit" });
  assert.deepEqual(await mailsWaiting(cast), []);
});

for (const request of [
  (id: string) => `GET /contacts/${id}?action=RESETPASSWORD`,
  (id: string) => {
    const json = JSON.stringify({ id, action: "resetpassword" });
    return `GET /contacts?json=${encodeURIComponent(json)}`;
  },
  (id: string) => `GET /contacts/resetpassword/${id}`,
]) {
  test(`a password is reset by ${request("<id>")}`, async () => {
    await using cast = await createApiFixture({ mails: true });
    const { contact } = cast.alice;
    const { status, text } = await cast.ask(cast.alice, request(contact.id));
    assert.deepEqual([status, text], [200, '{"success":true}']);
    const [reset, ...more] = await mailsWaiting(cast);
    assert.deepEqual(
      [reset?.contactId, reset?.kind, reset?.to, more],
      [contact.id, "reset", "alice@example.com", []],
    );
  });
}

test("Carol resets no password of Alice's, and Alice one of her subaccount only where she names it", async () => {
  await using cast = await createApiFixture({ mails: true });
  const reset = "GET /contacts?action=RESETPASSWORD";
  const missing = [404, { error: "Unable to find that contact" }];
  for (const [who, id] of [
    [cast.carol, cast.alice.contact.id],
    [cast.alice, cast.bob.contact.id],
    [cast.alice, "missing"],
  ] as const) {
    const { status, body } = await cast.ask(who, reset, { id });
    assert.deepEqual([status, body], missing);
  }
  assert.deepEqual(await mailsWaiting(cast), []);
  const parameters = { id: cast.bob.contact.id, customerid: cast.bob.account.id };
  assert.equal((await cast.ask(cast.alice, reset, parameters)).status, 200);
  assert.equal((await mailsWaiting(cast)).length, 1);
});

for (const { name, contact, mails = true, status, error } of [
  {
    name: "a contact that is only notified",
    contact: { custrole: "notify", newaddresses: [mail] },
    status: 400,
    error: "id: a contact whose custrole is notify does not sign in",
  },
  {
    name: "a contact without a mailbox",
    contact: { custrole: "edit", newaddresses: [sms] },
    status: 400,
    error: "id: the contact has no email address to send a password to",
  },
  {
    name: "a contact where no mail server is set",
    contact: { custrole: "edit", newaddresses: [mail] },
    mails: false,
    status: 503,
    error: "no mail server is set: WATCHPOST_SMTP_URL",
  },
]) {
  test(`no password is reset of ${name}`, async () => {
    await using cast = await createApiFixture({ mails });
    const { body: made } = await cast.ask(cast.alice, "POST /contacts", contact);
    const answer = await cast.ask(cast.alice, `GET /contacts/resetpassword/${made._id}`);
    assert.deepEqual([answer.status, answer.body], [status, { error }]);
    assert.deepEqual(await mailsWaiting(cast), []);
  });
}

import assert from "node:assert/strict";

import type { TestResponse } from "../../api-fixture.ts";
import type { ConformanceFixture, RowTests } from "../fixture.ts";

const mail = { address: "dave@example.com", type: "email" };
const hook = { address: "https://hooks.example.com/alerts", type: "webhook" };
const missing = "Unable to find that contact";
const suppressions = ["suppressup", "suppressdown", "suppressfirst", "suppressall"];

/** A contact of Alice's that may not sign in. */
async function create(
  { ask, alice }: ConformanceFixture,
  parameters: object = {},
): Promise<TestResponse["body"]> {
  const { status, body } = await ask(alice, "POST /contacts", {
    name: "Dave",
    custrole: "notify",
    ...parameters,
  });
  assert.equal(status, 200);
  return body;
}

/** The id of the only contact of Alice's subaccount. */
async function contactOfBob({ ask, alice, bob }: ConformanceFixture): Promise<string> {
  const { body } = await ask(alice, "GET /contacts", { customerid: bob.account.id });
  const [id = ""] = Object.keys(body);
  return id;
}

/** Returns the IDs of a contact's addresses, by type. */
function idsOf({ addresses }: TestResponse["body"]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries<{ address: string }>(addresses).map(([id, { address }]) => [address, id]),
  );
}

/** Waits for the mail with a password. */
async function untilMailed({ mails, until }: ConformanceFixture, address: string): Promise<void> {
  await until(`a password for ${address}`, async () =>
    mails.some(({ to, text }) => to === address && /^Password: [a-z2-9]{20}$/m.test(text)),
  );
}

export const contacts = {
  "get one": async (cast) => {
    const { ask, alice, carol, absent } = cast;
    const { sdomain, ...made } = await create(cast, { newaddresses: [mail] });
    assert.equal(sdomain, "watchpost.example");
    for (const request of [`GET /contacts/${made._id}`, `GET /contacts?id=${made._id}`])
      assert.deepEqual((await ask(alice, request)).body, made);
    absent(await ask(carol, `GET /contacts/${made._id}`), missing, {});
  },

  "get the list": async (cast) => {
    const { ask, alice } = cast;
    const made = await create(cast);
    const { body } = await ask(alice, "GET /contacts");
    assert.deepEqual(new Set(Object.keys(body)), new Set([alice.contact.id, made._id]));
    for (const [id, contact] of Object.entries(body))
      assert.deepEqual(contact, (await ask(alice, `GET /contacts/${id}`)).body);
  },

  "get: a subaccount's needs customerid": async (cast) => {
    const { ask, alice, bob, absent } = cast;
    const id = await contactOfBob(cast);
    absent(await ask(alice, `GET /contacts/${id}`), missing, {});
    const { body } = await ask(alice, `GET /contacts/${id}`, { customerid: bob.account.id });
    assert.deepEqual([body._id, body.customer_id], [id, bob.account.id]);
  },

  "create: name": async (cast) => {
    assert.equal((await create(cast)).name, "Dave");
    assert.equal((await create(cast, { name: undefined })).name, "");
  },

  "create: custrole": async ({ ask, alice, refused }) => {
    for (const custrole of ["edit", "view", "notify"])
      assert.equal((await ask(alice, "POST /contacts", { custrole })).body.custrole, custrole);
    assert.equal((await ask(alice, "POST /contacts")).body.custrole, "view");
    refused(
      await ask(alice, "POST /contacts", { custrole: "boss" }),
      400,
      "custrole: must be one of owner, edit, view, notify",
    );
  },

  "create: newaddresses": async (cast) => {
    assert.equal("addresses" in (await create(cast)), false);
    const { addresses } = await create(cast, { newaddresses: [mail, hook] });
    assert.deepEqual(
      Object.values<object>(addresses).map((each) => ({ ...each, secret: undefined })),
      [mail, hook].map((each) => ({
        ...each,
        status: "new",
        accountsuppressall: false,
        secret: undefined,
      })),
    );
  },

  "update: id is required": async (cast) => {
    const { ask, alice, refused } = cast;
    const { _id: id } = await create(cast, { id: "CHOSEN" });
    assert.notEqual(id, "CHOSEN");
    refused(await ask(alice, "PUT /contacts", { name: "Erin" }), 400, "id: required");
    for (const [name, request] of [
      ["by path", `PUT /contacts/${id}`],
      ["by parameter", `PUT /contacts?id=${id}`],
    ] as const)
      assert.equal((await ask(alice, request, { name })).body.name, name);
    refused(await ask(alice, "PUT /contacts/missing", { name: "Erin" }), 404, missing);
  },

  "update: name and custrole": async (cast) => {
    const { ask, alice, bob } = cast;
    const { _id: id } = await create(cast);
    await ask(alice, `PUT /contacts/${id}`, { name: "Erin" });
    await ask(alice, `PUT /contacts/${id}`, { custrole: "view" });
    const { body } = await ask(alice, `GET /contacts/${id}`);
    assert.deepEqual([body.name, body.custrole], ["Erin", "view"]);
    const his = await contactOfBob(cast);
    const customerid = bob.account.id;
    await ask(alice, `PUT /contacts/${his}`, { customerid, name: "Robert" });
    assert.equal((await ask(alice, `GET /contacts/${his}`, { customerid })).body.name, "Robert");
  },

  "update: addresses and newaddresses": async (cast) => {
    const { ask, alice } = cast;
    const made = await create(cast, { newaddresses: [mail] });
    const [id = ""] = Object.values(idsOf(made));
    const { body } = await ask(alice, `PUT /contacts/${made._id}`, {
      addresses: { [id]: { address: "erin@example.com", suppressfirst: true } },
      newaddresses: [hook],
    });
    assert.deepEqual(Object.keys(idsOf(body)), ["erin@example.com", hook.address]);
    assert.deepEqual(body.addresses[id], {
      ...made.addresses[id],
      address: "erin@example.com",
      suppressfirst: true,
    });
  },

  delete: async (cast) => {
    const { ask, alice, bob, absent, refused } = cast;
    refused(await ask(alice, "DELETE /contacts"), 400, "id: required");
    const { _id: id } = await create(cast);
    assert.deepEqual((await ask(alice, `DELETE /contacts/${id}`)).body, { ok: true, id });
    absent(await ask(alice, `GET /contacts/${id}`), missing, {});
    refused(await ask(alice, `DELETE /contacts/${id}`), 404, missing);
    const customerid = bob.account.id;
    const { _id: his } = await create(cast, { customerid });
    refused(await ask(alice, "DELETE /contacts", { id: his }), 404, missing);
    const { body } = await ask(alice, "DELETE /contacts", { id: his, customerid });
    assert.deepEqual(body, { ok: true, id: his });
  },

  "reset password": async (cast) => {
    const { ask, alice, bob, start, refused } = cast;
    cast.enableSystemMail();
    start();
    const customerid = bob.account.id;
    const { _id: id } = await create(cast, { customerid, newaddresses: [mail] });
    await ask(alice, `PUT /contacts/${id}`, { customerid, custrole: "view" });
    const { body } = await ask(alice, `GET /contacts/${id}?action=RESETPASSWORD`, { customerid });
    assert.deepEqual(body, { success: true });
    await untilMailed(cast, mail.address);
    refused(await ask(alice, "GET /contacts?action=RESETPASSWORD"), 400, "id: required");
  },

  "rule 1: types and ids of new addresses": async (cast) => {
    const { ask, alice, refused } = cast;
    const newaddresses = [
      mail,
      { address: "@dave", type: "twitter" },
      { address: "+4915112345678", type: "sms" },
      hook,
      { address: "+493012345678", type: "voice" },
    ];
    const { addresses } = await create(cast, { newaddresses });
    assert.deepEqual(
      Object.values<(typeof newaddresses)[number]>(addresses).map(({ address, type }) => ({
        address,
        type,
      })),
      newaddresses,
    );
    const ids = Object.keys(addresses);
    assert.equal(new Set(ids).size, newaddresses.length);
    for (const id of ids) assert.match(id, /^[A-Z0-9]{8}$/);
    for (const [entry, sentence] of [
      [{ address: "x" }, "newaddresses.0.type: required"],
      [{ type: "email" }, "newaddresses.0.address: required"],
    ] as const)
      refused(await ask(alice, "POST /contacts", { newaddresses: [entry] }), 400, sentence);
  },

  "rule 2: suppressions": async (cast) => {
    const { ask, alice } = cast;
    const all = (value: boolean): object =>
      Object.fromEntries(suppressions.map((name) => [name, value]));
    const made = await create(cast, { newaddresses: [{ ...mail, ...all(true) }, hook] });
    const { [mail.address]: mailId = "", [hook.address]: hookId = "" } = idsOf(made);
    const { body } = await ask(alice, `PUT /contacts/${made._id}`, {
      addresses: { [mailId]: all(false), [hookId]: all(true) },
    });
    for (const name of suppressions) {
      assert.deepEqual(
        [made.addresses[mailId][name], made.addresses[hookId][name]],
        [true, undefined],
      );
      assert.deepEqual(
        [body.addresses[mailId][name], body.addresses[hookId][name]],
        [undefined, true],
      );
    }
  },

  "rule 3: the whole list of addresses": async (cast) => {
    const { ask, alice } = cast;
    const made = await create(cast, { newaddresses: [mail, hook] });
    const { [hook.address]: hookId = "" } = idsOf(made);
    const { body } = await ask(alice, `PUT /contacts/${made._id}`, { addresses: { [hookId]: {} } });
    assert.deepEqual(body.addresses, { [hookId]: made.addresses[hookId] });
    const ignored = await create(cast, { addresses: { [hookId]: hook } });
    assert.equal("addresses" in ignored, false);
  },

  "rule 4: an unknown address id": async (cast) => {
    const { ask, alice, refused } = cast;
    const { _id: id, addresses } = await create(cast, { newaddresses: [mail] });
    const answer = await ask(alice, `PUT /contacts/${id}`, {
      addresses: { ...addresses, UNKNOWN1: mail },
    });
    refused(answer, 400, 'addresses: no such address "UNKNOWN1"');
    assert.deepEqual((await ask(alice, `GET /contacts/${id}`)).body.addresses, addresses);
  },

  "rule 5: the welcome mail": async (cast) => {
    const { ask, alice, mails, start, advance } = cast;
    cast.enableSystemMail();
    start();
    for (const custrole of ["notify", "edit", "view"]) {
      const newaddresses = [{ ...mail, address: `${custrole}@example.com` }];
      const { _id: id } = await create(cast, { custrole, newaddresses });
      await ask(alice, `PUT /contacts/${id}`, { custrole: "edit" });
    }
    await advance(60_000);
    const welcome = "Your access to Watchpost (watchpost.example)";
    assert.deepEqual(
      mails.map(({ to, subject }) => [to, subject]),
      [
        ["edit@example.com", welcome],
        ["view@example.com", welcome],
        ["view@example.com", "Your role was changed (watchpost.example)"],
      ],
    );
    for (const { to } of mails) await untilMailed(cast, to);
  },

  "rule 5: the welcome text of the branding": async (cast) => {
    const { ask, alice, mails, start, until, refused } = cast;
    cast.enableSystemMail();
    start();
    refused(
      await ask(alice, "PUT /branding", { welcome: "Hello {name}" }),
      400,
      "welcome: must say {password}, for nobody could sign in without it",
    );
    await ask(alice, "PUT /branding", { welcome: "Hello {name}: {password}" });
    await create(cast, { custrole: "view", newaddresses: [mail] });
    const welcome = await until("a welcome", async () => mails[0]);
    assert.match(welcome.text, /^Hello Dave: [a-z2-9]{20}\r?\n/);
  },
} satisfies RowTests<"4.3 contacts">;

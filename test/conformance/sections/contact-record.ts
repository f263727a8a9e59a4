import assert from "node:assert/strict";

import type { TestResponse } from "../../api-fixture.ts";
import type { ConformanceFixture, RowTests } from "../fixture.ts";

const phone = { type: "sms", address: "+15550100" };

/** The answer to the creation of a contact of Alice's. */
async function created(
  { ask, alice }: ConformanceFixture,
  parameters: object = {},
): Promise<TestResponse["body"]> {
  return (await ask(alice, "POST /contacts", { custrole: "notify", ...parameters })).body;
}

async function read({ ask, alice }: ConformanceFixture, id: string): Promise<TestResponse["body"]> {
  return (await ask(alice, `GET /contacts/${id}`)).body;
}

export const contactRecord = {
  _id: async (cast) => {
    const { _id } = await created(cast);
    assert.match(_id, new RegExp(`^${cast.alice.account.id}-[A-Z0-9]{5}$`));
    assert.equal((await read(cast, _id))._id, _id);
  },

  type: async (cast) => {
    assert.equal((await read(cast, cast.alice.contact.id)).type, "contact");
  },

  customer_id: async (cast) => {
    const customerid = cast.bob.account.id;
    assert.equal((await created(cast)).customer_id, cast.alice.account.id);
    assert.equal((await created(cast, { customerid })).customer_id, customerid);
  },

  name: async (cast) => {
    const { _id, name } = await created(cast, { name: "Zoë 电" });
    assert.equal(name, "Zoë 电");
    assert.equal((await read(cast, _id)).name, "Zoë 电");
  },

  custrole: async (cast) => {
    const { ask, alice } = cast;
    const { body: listed } = await ask(alice, "GET /contacts");
    assert.equal(listed[alice.contact.id].custrole, "owner");
    for (const custrole of ["edit", "view", "notify"]) {
      const { _id } = await created(cast, { custrole });
      assert.equal((await read(cast, _id)).custrole, custrole);
    }
  },

  addresses: async (cast) => {
    const { _id, addresses } = await created(cast, { newaddresses: [phone, phone] });
    assert.equal(Object.keys(addresses).length, 2);
    assert.deepEqual((await read(cast, _id)).addresses, addresses);
  },

  sdomain: async (cast) => {
    const { ask, alice } = cast;
    const { body } = await ask(alice, `PUT /contacts/${alice.contact.id}`, { name: "Alicia" });
    assert.equal(body.sdomain, "watchpost.example");
  },

  "address entry": async (cast) => {
    const { addresses } = await created(cast, {
      newaddresses: [
        phone,
        { ...phone, suppressup: true, suppressdown: true, suppressfirst: true, suppressall: true },
      ],
    });
    const plain = { ...phone, status: "new", accountsuppressall: false };
    assert.deepEqual(Object.values(addresses), [
      plain,
      { ...plain, suppressup: true, suppressdown: true, suppressfirst: true, suppressall: true },
    ]);
  },
} satisfies RowTests<"2.3 contact">;

export const groupRecord = {
  _id: async ({ ask, alice }) => {
    const { body: group } = await ask(alice, "POST /contactgroups");
    assert.match(group._id, new RegExp(`^${alice.account.id}-G-[A-Z0-9]{5}$`));
    const { body: listed } = await ask(alice, "GET /contactgroups");
    assert.deepEqual(listed, { [group._id]: group });
  },

  type: async ({ ask, alice }) => {
    const { body: group } = await ask(alice, "POST /contactgroups");
    assert.equal(group.type, "group");
  },

  customer_id: async ({ ask, alice, bob }) => {
    for (const { account } of [alice, bob]) {
      const { body } = await ask(alice, "POST /contactgroups", { customerid: account.id });
      assert.equal(body.customer_id, account.id);
    }
  },

  name: async ({ ask, alice }) => {
    const { body: group } = await ask(alice, "POST /contactgroups", { name: "Night shift" });
    const { body: read } = await ask(alice, `GET /contactgroups/${group._id}`);
    assert.equal(read.name, "Night shift");
  },

  members: async (cast) => {
    const { ask, alice, bob } = cast;
    const contact = await created(cast, { newaddresses: [phone] });
    const members = [alice.contact.id, ...Object.keys(contact.addresses)];
    const { body: group } = await ask(alice, "POST /contactgroups", { members });
    const { body: read } = await ask(alice, `GET /contactgroups/${group._id}`);
    assert.deepEqual(read.members, members);
    cast.refusedOrKept(
      await ask(alice, "POST /contactgroups", { members: [bob.contact.id] }),
      `members: no such contact or address "${bob.contact.id}"`,
    );
  },
} satisfies RowTests<"2.4 contact group">;

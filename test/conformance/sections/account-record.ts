import assert from "node:assert/strict";

import { plainCheck, withoutLimits, type TestResponse } from "../../api-fixture.ts";
import type { ConformanceFixture, RowTests } from "../fixture.ts";

/** Alice's account as it is read. */
async function own({ ask, alice }: ConformanceFixture): Promise<TestResponse["body"]> {
  return (await ask(alice, `GET /accounts/${alice.account.id}`)).body;
}

/** Alice's account as it is read after a change, which the answer to the change shows as well. */
async function changed(
  cast: ConformanceFixture,
  parameters: object,
): Promise<TestResponse["body"]> {
  const { ask, alice } = cast;
  const { body: written } = await ask(alice, "PUT /accounts", parameters);
  const read = await own(cast);
  assert.deepEqual(written, read);
  return read;
}

async function created(
  { ask, alice }: ConformanceFixture,
  parameters: object = {},
): Promise<TestResponse["body"]> {
  const { body } = await ask(alice, "POST /accounts", {
    name: "Dave & Sons",
    contactname: "Dave",
    email: "dave@example.net",
    timezone: "-7",
    location: "nam",
    ...parameters,
  });
  return body;
}

export const accountRecord = {
  _id: async (cast) => {
    assert.equal((await own(cast))._id, cast.alice.account.id);
  },

  type: async (cast) => {
    assert.equal((await own(cast)).type, "customer");
    assert.equal((await created(cast)).type, "customer");
  },

  parent: async (cast) => {
    assert.equal((await created(cast)).parent, cast.alice.account.id);
    assert.ok(!("parent" in (await own(cast))));
  },

  customer_name: async (cast) => {
    assert.equal((await own(cast)).customer_name, "Alice");
    assert.equal((await created(cast)).customer_name, "Dave & Sons");
    assert.equal((await changed(cast, { name: "Alice & Co" })).customer_name, "Alice & Co");
  },

  creation_date: async (cast) => {
    assert.equal((await own(cast)).creation_date, cast.clock.now());
    await cast.clock.advance(1234);
    assert.equal((await created(cast)).creation_date, cast.clock.now());
  },

  status: async ({ ask, alice, bob }) => {
    const read = async () => (await ask(alice, `GET /accounts/${bob.account.id}`)).body.status;
    assert.equal(await read(), "Active");
    await ask(alice, `PUT /accounts/${bob.account.id}`, { status: "Suspend" });
    assert.equal(await read(), "Suspend");
  },

  timezone: async (cast) => {
    assert.equal((await own(cast)).timezone, "-7.0");
    assert.equal((await changed(cast, { timezone: 1 })).timezone, "1.0");
    assert.equal((await changed(cast, { timezone: "5.5" })).timezone, "5.5");
  },

  nextBillingDate: async (cast) => {
    assert.equal((await own(cast)).nextBillingDate, "2026-02-01");
  },

  defaultlocations: async (cast) => {
    assert.deepEqual((await own(cast)).defaultlocations, ["wlw"]);
    assert.deepEqual((await created(cast)).defaultlocations, ["nam"]);
    assert.deepEqual((await changed(cast, { location: "eao" })).defaultlocations, ["eao"]);
  },

  emailme: async (cast) => {
    assert.equal((await created(cast)).emailme, false);
    assert.equal((await created(cast, { emailme: "yes" })).emailme, true);
  },

  accountsuppressall: async (cast) => {
    assert.ok(!("accountsuppressall" in (await own(cast))), "missing until it is set");
    assert.equal((await changed(cast, { accountsuppressall: "true" })).accountsuppressall, true);
    assert.equal((await changed(cast, { accountsuppressall: "false" })).accountsuppressall, false);
  },

  "list entry": async ({ ask, alice, bob }) => {
    const customerid = bob.account.id;
    await ask(alice, "POST /checks", { ...plainCheck, customerid, enabled: "true" });
    await ask(alice, "POST /checks", { ...plainCheck, customerid });
    const { text } = await ask(alice, "GET /accounts");
    // The order is part of it: there are clients that find the entries by it.
    assert.equal(
      withoutLimits(text),
      JSON.stringify({
        [alice.account.id]: { parent: 1, name: "Alice", status: "Active", count: 0 },
        [customerid]: { name: "Bob", status: "Active", count: 1 },
      }),
    );
    await ask(alice, `PUT /accounts/${customerid}`, { status: "Suspend" });
    const { body: later } = await ask(alice, "GET /accounts");
    assert.equal(later[customerid].status, "Suspend");
  },
} satisfies RowTests<"2.2 account">;

import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck } from "../../test/api-fixture.ts";
import { createResources } from "./registry.ts";

const CHOOSES_NO_RECORD = "_id: does not choose the record, send its id as id or in the path";
const CHOOSES_NO_ACCOUNT = "customer_id: does not choose the account, send its id as customerid";

test("no PUT or DELETE falls on the caller's own records where another record is sent by its members alone", async () => {
  await using cast = await createApiFixture();
  const { ask, alice, bob, store } = cast;
  const { body: own } = await ask(alice, `GET /accounts/${alice.account.id}`);
  const { body: his } = await ask(alice, `GET /accounts/${bob.account.id}`);
  const { body: branding } = await ask(alice, "GET /branding", { customerid: bob.account.id });
  const records = [
    { ...his, name: "Renamed" },
    { _id: `${bob.account.id}-ABCDEFGH` },
    { ...branding, from: "Renamed" },
    { customer_id: bob.account.id },
  ];
  for (const { name, operations } of createResources(cast.deps))
    for (const verb of ["PUT", "DELETE"].filter((each) => each in operations))
      for (const record of records) {
        const { status, body } = await ask(alice, `${verb} /${name}`, record);
        const error = "_id" in record ? CHOOSES_NO_RECORD : CHOOSES_NO_ACCOUNT;
        assert.deepEqual([status, body], [400, { error }], `${verb} /${name}`);
      }
  assert.deepEqual((await ask(alice, `GET /accounts/${alice.account.id}`)).body, own);
  assert.equal((await store.accounts.find(alice.account.id))?.branding, undefined);
});

test("a record of one's own, or one whose id is sent too, is changed as ever", async () => {
  await using cast = await createApiFixture();
  const { ask, alice, bob } = cast;
  for (const { account } of [alice, bob]) {
    const { body: record } = await ask(alice, `GET /accounts/${account.id}`);
    const by = account === alice.account ? {} : { customerid: account.id };
    const { status, body } = await ask(alice, "PUT /accounts", { ...record, ...by, name: "New" });
    assert.deepEqual([status, body._id, body.customer_name], [200, account.id, "New"]);
  }
  const { body: branding } = await ask(alice, "GET /branding");
  assert.equal((await ask(alice, "PUT /branding", branding)).status, 200);
  const { body: contact } = await ask(alice, `GET /contacts/${alice.contact.id}`);
  const changed = { ...contact, id: contact._id, name: "Ann" };
  assert.equal((await ask(alice, "PUT /contacts", changed)).body.name, "Ann");
});

test("a check that is sent back whole without its id is not created again", async () => {
  await using cast = await createApiFixture();
  const { ask, alice } = cast;
  const { body: made } = await ask(alice, "POST /checks", plainCheck);
  const { status, body } = await ask(alice, "PUT /checks", made);
  assert.deepEqual([status, body], [400, { error: CHOOSES_NO_RECORD }]);
  assert.deepEqual(Object.keys((await ask(alice, "GET /checks")).body), [made._id]);
});

import assert from "node:assert/strict";
import { test } from "node:test";

import { apiCast, plainCheck } from "../../../test/api-cast.ts";

test("the list begins with the caller's account and its count of subaccounts, in the order that clients match", async () => {
  await using cast = await apiCast();
  const { alice, bob } = cast;
  await cast.ask(alice, "POST /checks", { ...plainCheck, enabled: true });
  await cast.ask(alice, "POST /checks", plainCheck);
  const { text } = await cast.ask(alice, "GET /accounts");
  const list = {
    [alice.account.id]: { parent: 1, name: "Alice", status: "Active", count: 1 },
    [bob.account.id]: { name: "Bob", status: "Active", count: 0 },
  };
  assert.equal(text, JSON.stringify(list));
});

test("an account without subaccounts has a parent of 0", async () => {
  await using cast = await apiCast();
  const { body } = await cast.ask(cast.carol, "GET /accounts");
  assert.deepEqual(body, {
    [cast.carol.account.id]: { parent: 0, name: "Carol", status: "Active", count: 0 },
  });
});

test("one account is asked for by path, id or customerid", async () => {
  await using cast = await apiCast();
  const { alice, bob } = cast;
  const record = {
    _id: bob.account.id,
    type: "customer",
    parent: alice.account.id,
    customer_name: "Bob",
    creation_date: bob.account.createdAt,
    status: "Active",
    timezone: "-7.0",
    nextBillingDate: "2026-02-01",
    defaultlocations: ["wlw"],
    emailme: false,
  };
  for (const [path, parameters] of [
    [`/accounts/${bob.account.id}`, {}],
    ["/accounts", { id: bob.account.id }],
    ["/accounts", { customerid: bob.account.id }],
    [`/accounts/?id=${bob.account.id}`, { customerid: "" }],
  ] as const) {
    assert.deepEqual((await cast.ask(alice, `GET ${path}`, parameters)).body, record);
  }
});

test("a quarter of an hour in the time zone, a suspension and a suppression are shown", async () => {
  await using cast = await apiCast();
  await cast.store.write((tx) =>
    tx.accounts.update(
      { ...cast.bob.account, offsetHours: 5.75, status: "suspended", suppressAll: true },
      cast.clock.now(),
    ),
  );
  const { body } = await cast.ask(cast.alice, `GET /accounts/${cast.bob.account.id}`);
  assert.deepEqual(
    [body.timezone, body.status, body.accountsuppressall],
    ["5.75", "Suspend", true],
  );
});

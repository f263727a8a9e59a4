import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck } from "../../../test/api-fixture.ts";

const none = { count: 0, records: [] };

test("what names a contact, also by one of its addresses, is what would be changed", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const contact = alice.contact.id;
  const address = alice.contact.addresses[0]?.id ?? "";
  const { body: group } = await cast.ask(alice, "POST /contactgroups", {
    name: "On call",
    members: [address],
  });
  const { body: profile } = await cast.ask(alice, "POST /notificationprofiles", {
    name: "Nights",
    notifications: [{ [contact]: { schedule: "Nights", delay: 5 } }],
  });
  const { body: check } = await cast.ask(alice, "POST /checks", {
    ...plainCheck,
    label: "Shop",
    notifications: [{ [contact]: "Days" }],
  });
  const of = async (query: object): Promise<Record<string, unknown>> =>
    (await cast.ask(alice, "GET /dependents", query)).body;
  assert.deepEqual(await of({ id: contact }), {
    checks: { count: 1, records: [{ _id: check._id, name: "Shop" }] },
    contactgroups: { count: 1, records: [{ _id: group._id, name: "On call" }] },
    notificationprofiles: { count: 1, records: [{ _id: profile._id, name: "Nights" }] },
    maintenance: none,
    account: false,
  });
  assert.deepEqual((await of({ id: address })).checks, none);
  assert.deepEqual((await of({ schedule: "Days" })).checks, {
    count: 1,
    records: [{ _id: check._id, name: "Shop" }],
  });
  assert.deepEqual((await of({ schedule: "Nights" })).notificationprofiles, {
    count: 1,
    records: [{ _id: profile._id, name: "Nights" }],
  });
  await cast.ask(alice, "PUT /accounts", { defaultnotifications: [{ [group._id]: "All" }] });
  assert.equal((await of({ id: group._id })).account, true);
});

test("of a check these are its maintenances and the checks that depend on it, twenty of them by name", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const { body: check } = await cast.ask(alice, "POST /checks", plainCheck);
  for (let made = 0; made < 21; made += 1)
    await cast.ask(alice, "POST /checks", { ...plainCheck, dep: check._id });
  await cast.ask(alice, "POST /maintenance", {
    name: "Backup",
    duration: 5,
    cron: "0 2 * * *",
    checklist: [check._id],
  });
  const { body } = await cast.ask(alice, `GET /dependents/${check._id}`);
  assert.deepEqual([body.checks.count, body.checks.records.length], [21, 20]);
  assert.equal(body.maintenance.records[0].name, "Backup");
});

test("what is not there, or another's, has none", async () => {
  await using cast = await createApiFixture();
  const missing = { error: "Unable to find that record" };
  for (const query of [{ id: "gone" }, { id: cast.carol.contact.id }, { schedule: "gone" }])
    assert.deepEqual((await cast.ask(cast.alice, "GET /dependents", query)).body, missing);
  assert.deepEqual((await cast.ask(cast.alice, "GET /dependents")).body, {
    error: "id: required, or schedule",
  });
});

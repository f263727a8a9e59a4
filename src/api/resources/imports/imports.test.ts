import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../../test/api-fixture.ts";
import { createTokenAdmin } from "../../../store/transactions/token-admin.ts";

test("what a record was in another system is noted by system, and only of records of the account", async () => {
  await using cast = await createApiFixture();
  const { alice, carol } = cast;
  const sent = { type: "PING", target: "192.0.2.1" };
  const [first, second] = [
    (await cast.ask(alice, "POST /checks", sent)).body._id,
    (await cast.ask(alice, "POST /checks", sent)).body._id,
  ];
  const mark = { origin: "uptime-kuma", from: "12", id: first };
  const marked = await cast.ask(alice, "POST /imports", mark);
  assert.equal(marked.status, 200, marked.text);
  await cast.ask(alice, "POST /imports", { ...mark, id: second });
  const empty = { type: "imports", contacts: {}, maintenance: {}, statuspages: {} };
  const { body } = await cast.ask(alice, "GET /imports", { origin: "uptime-kuma" });
  const { digestkey, ...shown } = body;
  assert.match(digestkey, /^[\w-]{43}$/);
  assert.deepEqual(shown, {
    ...empty,
    customer_id: alice.account.id,
    origin: "uptime-kuma",
    checks: { 12: second },
  });
  const other = await cast.ask(alice, "GET /imports", { origin: "gatus" });
  assert.deepEqual(other.body.checks, {});
  const foreign = await cast.ask(carol, "POST /imports", mark);
  assert.deepEqual([foreign.status, foreign.body], [404, { error: "Unable to find that record" }]);
});

test("digests of what a record said are kept, and the key to them is for those who may change the account", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const sent = { type: "PING", target: "192.0.2.1" };
  const id = (await cast.ask(alice, "POST /checks", sent)).body._id;
  const fields = { label: ["abc", "def"] };
  const mark = { origin: "gatus", from: "1", id };
  assert.equal((await cast.ask(alice, "POST /imports", { ...mark, fields })).status, 200);
  const listed = await cast.ask(alice, "GET /imports", { origin: "gatus", fields: true });
  const none = { contacts: {}, maintenance: {}, statuspages: {} };
  assert.deepEqual(listed.body.fields, { ...none, checks: { 1: fields } });
  const { token } = await createTokenAdmin(cast.deps).create({
    accountId: alice.account.id,
    label: "viewer",
    access: "read",
  });
  const viewer = await cast.ask({ ...alice, token }, "GET /imports", { origin: "gatus" });
  assert.deepEqual([viewer.status, viewer.body.digestkey], [200, undefined]);
  for (const wrong of [{ label: "abc" }, { label: ["abc"] }, { label: ["a b", "c"] }]) {
    const refused = await cast.ask(alice, "POST /imports", { ...mark, fields: wrong });
    assert.equal(refused.status, 400, JSON.stringify(wrong));
    assert.match(refused.body.error, /^fields: must have a list of two digests by field/);
  }
});

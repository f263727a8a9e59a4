import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../../test/api-fixture.ts";

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
  assert.deepEqual(body, {
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

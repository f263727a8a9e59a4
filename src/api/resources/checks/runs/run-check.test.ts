import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, plainCheck } from "../../../../../test/api-fixture.ts";

test("a run on request is announced, and changes nothing of the check", async () => {
  await using cast = await createApiFixture();
  const { ask, alice, store } = cast;
  const { body: made } = await ask(alice, "POST /checks", { ...plainCheck, enabled: true });
  const { status, body } = await ask(alice, `POST /checks/run/${made._id}`);
  assert.deepEqual([status, body], [200, { ok: true, id: made._id }]);
  const record = await store.checks.find(alice.account.id, made._id);
  const checkNo = record?.check.no;
  assert.deepEqual(cast.changes.at(-1), { accountId: alice.account.id, checkNo, isRun: true });
  const { body: kept } = await ask(alice, `GET /checks/${made._id}`);
  assert.equal(kept._rev, made._rev);
  assert.equal(kept.modified, made.modified);
});

test("a check runs on request once in ten seconds", async () => {
  await using cast = await createApiFixture();
  const { ask, alice, clock } = cast;
  const { body: made } = await ask(alice, "POST /checks", { ...plainCheck, enabled: true });
  const { body: other } = await ask(alice, "POST /checks", { ...plainCheck, enabled: true });
  const run = (id: string) => ask(alice, `POST /checks/run/${id}`);
  assert.equal((await run(made._id)).status, 200);
  await clock.advance(4000);
  const { status, headers, body } = await run(made._id);
  assert.deepEqual(
    [status, headers["retry-after"], body.error],
    [429, "6", "id: the check was run on request less than 10 seconds ago"],
  );
  assert.equal((await run(other._id)).status, 200);
  await clock.advance(6000);
  assert.equal((await run(made._id)).status, 200);
});

for (const { name, sent, error } of [
  { name: "that is off", sent: plainCheck, error: "id: the check is off, and does not run" },
  {
    name: "that waits for heartbeats",
    sent: { type: "PUSH", enabled: true },
    error: "id: nothing runs a check of this type, your system reports",
  },
]) {
  test(`a check ${name} is not run on request`, async () => {
    await using cast = await createApiFixture();
    const { ask, alice } = cast;
    const { body: made } = await ask(alice, "POST /checks", sent);
    const before = cast.changes.length;
    const { status, body } = await ask(alice, `POST /checks/run/${made._id}`);
    assert.deepEqual([status, body.error, cast.changes.length], [400, error, before]);
  });
}

test("Carol runs no check of Alice's", async () => {
  await using cast = await createApiFixture();
  const { ask, alice, carol } = cast;
  const { body: made } = await ask(alice, "POST /checks", { ...plainCheck, enabled: true });
  assert.equal((await ask(carol, `POST /checks/run/${made._id}`)).status, 404);
});

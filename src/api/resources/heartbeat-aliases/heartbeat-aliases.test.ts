import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../../test/api-fixture.ts";

const address = "https://kuma.example.com/api/push/tIgDC7WDq2?status=up&msg=OK&ping=";

test("an old address is kept as a hash, shown without its secret, and ends with its record", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const check = (await cast.ask(alice, "POST /checks", { type: "PUSH", label: "backup" })).body._id;
  const made = await cast.ask(alice, `POST /heartbeataliases/${check}`, { address });
  assert.equal(made.status, 200, made.text);
  assert.deepEqual(made.body, {
    _id: made.body._id,
    type: "heartbeatalias",
    customer_id: alice.account.id,
    check,
    system: "uptime-kuma",
    hint: "tIgD…",
    created: cast.clock.now(),
  });
  const { _id: id } = made.body;
  const again = await cast.ask(alice, `POST /heartbeataliases/${check}`, { address });
  assert.deepEqual(again.body, made.body);
  const listed = await cast.ask(alice, `GET /heartbeataliases/${check}`);
  assert.deepEqual(listed.body, { [id]: made.body });
  assert.deepEqual((await cast.ask(alice, "GET /heartbeataliases")).body, listed.body);
  assert.ok(!listed.text.includes("tIgDC7WDq2"));
  assert.deepEqual((await cast.ask(alice, `GET /checks/${check}`)).body.aliases, [
    { system: "uptime-kuma", hint: "tIgD…" },
  ]);
  const unknown = await cast.ask(alice, `DELETE /heartbeataliases/${check}`, { alias: "x" });
  assert.deepEqual(unknown.body, { error: 'alias: the check has no such address "x"' });
  const removed = await cast.ask(alice, `DELETE /heartbeataliases/${check}`, { alias: id });
  assert.deepEqual(removed.body, { ok: true, id: check });
  assert.deepEqual((await cast.ask(alice, "GET /heartbeataliases")).body, {});
  assert.equal((await cast.ask(alice, `GET /checks/${check}`)).body.aliases, undefined);
});

test("an address leads to one check, of whichever account, and no other can take it", async () => {
  await using cast = await createApiFixture();
  const [hers, ours] = [cast.carol, cast.alice];
  const check = async (who: typeof hers): Promise<string> =>
    (await cast.ask(who, "POST /checks", { type: "PUSH", label: "backup" })).body._id;
  await cast.ask(ours, `POST /heartbeataliases/${await check(ours)}`, { address });
  const taken = await cast.ask(hers, `POST /heartbeataliases/${await check(hers)}`, { address });
  assert.deepEqual(
    [taken.status, taken.body],
    [400, { error: "address: a check has this address already" }],
  );
  assert.deepEqual((await cast.ask(hers, "GET /heartbeataliases")).body, {});
});

test("what is no address of heartbeats, or of no PUSH check, is refused with the reason", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const push = (await cast.ask(alice, "POST /checks", { type: "PUSH", label: "backup" })).body._id;
  const ping = { type: "PING", target: "192.0.2.1" };
  const other = (await cast.ask(alice, "POST /checks", ping)).body._id;
  const cases = [
    {
      sent: { id: push, address: "https://kuma.example.com/" },
      status: 400,
      error: /^address: must be/,
    },
    { sent: { id: push, address: "http://[" }, status: 400, error: /^address: must be/ },
    { sent: { id: other, address }, status: 400, error: /^id: must be a PUSH check/ },
    { sent: { id: `${other}X`, address }, status: 404, error: /^Unable to find that check/ },
    {
      sent: { id: push, address: "/api/v1/endpoints/core_backup/external" },
      status: 400,
      error: /^address: must have the token/,
    },
  ];
  for (const { sent, status, error } of cases) {
    const answer = await cast.ask(alice, "POST /heartbeataliases", sent);
    assert.equal(answer.status, status, answer.text);
    assert.match(answer.body.error, error);
  }
});

test("a check has at most twenty of them", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const check = (await cast.ask(alice, "POST /checks", { type: "PUSH", label: "backup" })).body._id;
  for (let each = 0; each <= 20; each += 1) {
    const sent = { id: check, address: `/api/push/tIgDC7WDq${each}` };
    const { status } = await cast.ask(alice, "POST /heartbeataliases", sent);
    assert.equal(status, each < 20 ? 200 : 403);
  }
});

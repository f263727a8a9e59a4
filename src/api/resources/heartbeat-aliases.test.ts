import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";

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

// guard: removal of one's own old address
test("an account that adds an address gets the same answers whether or not another account has it", async () => {
  const answers = async (isHeld: boolean) => {
    await using cast = await createApiFixture();
    const check = async (who: typeof cast.alice): Promise<string> =>
      (await cast.ask(who, "POST /checks", { type: "PUSH", label: "backup" })).body._id;
    const [hers, ours] = [await check(cast.carol), await check(cast.alice)];
    if (isHeld) await cast.ask(cast.alice, `POST /heartbeataliases/${ours}`, { address });
    const asked = [
      await cast.ask(cast.carol, `POST /heartbeataliases/${hers}`, { address }),
      await cast.ask(cast.carol, `POST /heartbeataliases/${hers}`, { address }),
      await cast.ask(cast.carol, `GET /heartbeataliases/${hers}`),
      await cast.ask(cast.carol, `DELETE /heartbeataliases/${hers}`),
      await cast.ask(cast.carol, `GET /heartbeataliases/${hers}`),
    ];
    const kept = (await cast.ask(cast.alice, "GET /heartbeataliases")).body;
    assert.equal(Object.keys(kept).length, isHeld ? 1 : 0, "a deletion is of one's own alone");
    return asked.map(({ status, text }) => ({
      status,
      text: text
        .replaceAll(hers, "CHECK")
        .replaceAll(cast.carol.account.id, "CAROL")
        .replaceAll(String(cast.clock.now()), "NOW"),
    }));
  };
  const alone = await answers(false);
  assert.deepEqual(
    alone.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  );
  assert.deepEqual(await answers(true), alone);
});

test("two checks of an account cannot have one address", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const check = async (): Promise<string> =>
    (await cast.ask(alice, "POST /checks", { type: "PUSH", label: "backup" })).body._id;
  await cast.ask(alice, `POST /heartbeataliases/${await check()}`, { address });
  const { status, body } = await cast.ask(alice, `POST /heartbeataliases/${await check()}`, {
    address,
  });
  assert.equal(status, 400);
  assert.deepEqual(body, {
    error: "address: another check of the account has this address already",
  });
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

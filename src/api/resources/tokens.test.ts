import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { waitFor } from "../../../test/time/wait-for.ts";

const HOUR_MS = 3_600_000;

test("a token that is made works, is shown once, and is listed by its handle", async () => {
  await using cast = await createApiFixture();
  const made = await cast.ask(cast.alice, "POST /tokens", { label: "laptop" });
  assert.equal(made.status, 200, made.text);
  const { token, ...record } = made.body;
  assert.deepEqual(record, {
    _id: record._id,
    type: "token",
    customer_id: cast.alice.account.id,
    label: "laptop",
    access: "write",
    compatibility: "standard",
    created: cast.clock.now(),
    expires: false,
    used: false,
  });
  assert.deepEqual((await cast.ask(cast.alice, `GET /tokens/${record._id}`)).body, record);
  assert.equal((await cast.ask(token, "POST /contactgroups", { name: "x" })).status, 200);
  const { text, body } = await cast.ask(cast.alice, "GET /tokens");
  assert.equal(body[record._id].label, "laptop");
  assert.ok(!text.includes(token) && !text.includes(cast.alice.token));
});

test("a token that reads changes nothing, and one of a subaccount reaches no other account", async () => {
  await using cast = await createApiFixture();
  const reads = { label: "graphs", access: "read", customerid: cast.bob.account.id };
  const { token } = (await cast.ask(cast.alice, "POST /tokens", reads)).body;
  assert.equal((await cast.ask(token, "GET /checks")).status, 200);
  for (const request of ["POST /checks", "POST /tokens", "GET /tokens"])
    assert.equal((await cast.ask(token, request, { label: "x", type: "PUSH" })).status, 403);
  const foreign = await cast.ask(token, "GET /checks", { customerid: cast.alice.account.id });
  assert.equal(foreign.status, 403);
});

// guard: end of tokens
test("a token ends when it was said to, as if it had never been", async () => {
  await using cast = await createApiFixture();
  const expires = cast.clock.now() + HOUR_MS;
  const { token } = (await cast.ask(cast.alice, "POST /tokens", { label: "ci", expires })).body;
  assert.equal((await cast.ask(token, "GET /checks")).status, 200);
  await cast.clock.advance(HOUR_MS);
  const ended = await cast.ask(token, "GET /checks");
  assert.deepEqual([ended.status, ended.body], [403, { error: "Token not found" }]);
});

test("a token is revoked at once, the last of an account only by force", async () => {
  await using cast = await createApiFixture();
  const { _id, token } = (await cast.ask(cast.alice, "POST /tokens", { label: "old" })).body;
  const revoked = await cast.ask(cast.alice, `DELETE /tokens/${_id}`);
  assert.deepEqual(revoked.body, { ok: true, id: _id });
  assert.equal((await cast.ask(token, "GET /checks")).status, 403);
  const [own] = Object.keys((await cast.ask(cast.alice, "GET /tokens")).body);
  const last = await cast.ask(cast.alice, `DELETE /tokens/${own}`);
  assert.deepEqual(
    [last.status, last.body],
    [400, { error: "force: needed for the last token of an account" }],
  );
  assert.equal((await cast.ask(cast.alice, `DELETE /tokens/${own}`, { force: true })).status, 200);
  assert.equal((await cast.ask(cast.alice, "GET /tokens")).status, 403);
});

test("when a token was used last is noted once an hour", async () => {
  await using cast = await createApiFixture();
  const { _id, token } = (await cast.ask(cast.alice, "POST /tokens", { label: "cron" })).body;
  const used = async (): Promise<unknown> =>
    (await cast.ask(cast.alice, `GET /tokens/${_id}`)).body.used;
  const first = cast.clock.now();
  await cast.ask(token, "GET /checks");
  await waitFor("the use to be noted", async () => (await used()) === first);
  await cast.clock.advance(HOUR_MS / 2);
  await cast.ask(token, "GET /checks");
  assert.equal(await used(), first);
  await cast.clock.advance(HOUR_MS / 2);
  await cast.ask(token, "GET /checks");
  await waitFor("the use to be noted", async () => (await used()) === first + HOUR_MS);
});

for (const [sent, error] of [
  [{}, /^label: required/],
  [{ label: "a\nb" }, /^label: must be 1 to 100 printable characters/],
  [{ label: "x", access: "all" }, /^access: must be one of write, read/],
  [{ label: "x", expires: 1 }, /^expires: must lie ahead/],
] as const) {
  test(`${JSON.stringify(sent)} makes no token`, async () => {
    await using cast = await createApiFixture();
    const { status, body } = await cast.ask(cast.alice, "POST /tokens", sent);
    assert.equal(status, 400);
    assert.match(body.error, error);
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";

const missing = { error: "Unable to find that configuration" };
const web = { id: "A-WEB", digest: "0a" };

test("a configuration is made once for each name, and remembers records by key until they are taken from it", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const { body: made } = await cast.ask(alice, "POST /configurations", { name: "shop" });
  const now = cast.clock.now();
  assert.match(made.digestkey, /^[\w-]{43}$/);
  assert.deepEqual(made, {
    _id: made._id,
    digestkey: made.digestkey,
    type: "configuration",
    customer_id: alice.account.id,
    name: "shop",
    size: 0,
    created: now,
    modified: now,
    records: {},
  });
  assert.deepEqual((await cast.ask(alice, "POST /configurations", { name: "shop" })).body, made);
  const path = `/configurations/${made._id}`;
  await cast.clock.advance(1000);
  const records = { "checks/web": web, "checks/a": { id: "A-A", digest: "1" } };
  const { body: changed } = await cast.ask(alice, `PUT ${path}`, { records });
  assert.deepEqual([changed.size, changed.modified, changed.records], [2, now + 1000, undefined]);
  await cast.ask(alice, `PUT ${path}`, { records: { "checks/a": null, "checks/none": null } });
  const { body } = await cast.ask(alice, `GET ${path}`);
  assert.deepEqual(body.records, { "checks/web": web });
  const { records: _, digestkey, ...summary } = body;
  assert.equal(digestkey, made.digestkey);
  assert.deepEqual((await cast.ask(alice, "GET /configurations")).body, { [made._id]: summary });
  assert.equal((await cast.ask(alice, `DELETE ${path}`)).status, 200);
  for (const request of [`GET ${path}`, `PUT ${path}`, `DELETE ${path}`]) {
    const { status, body: refused } = await cast.ask(alice, request);
    assert.deepEqual([status, refused], [404, missing]);
  }
});

test("the key for digests of secrets is another one for each configuration, and viewers do not get it", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const { body: shop } = await cast.ask(alice, "POST /configurations", { name: "shop" });
  const { body: other } = await cast.ask(alice, "POST /configurations", { name: "other" });
  assert.notEqual(shop.digestkey, other.digestkey);
  const { body: reader } = await cast.ask(alice, "POST /tokens", { label: "r", access: "read" });
  const { body: read } = await cast.ask(reader, `GET /configurations/${shop._id}`);
  assert.deepEqual([read.name, "digestkey" in read], ["shop", false]);
});

test("what is no configuration is refused by its name, and nothing of it is stored", async () => {
  await using cast = await createApiFixture();
  const { alice } = cast;
  const { body } = await cast.ask(alice, "POST /configurations", { name: "shop" });
  const put = `PUT /configurations/${body._id}`;
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`checks/${at}`, null]));
  for (const [request, sent, said] of [
    ["POST /configurations", {}, /^name: required$/],
    ["POST /configurations", { name: "a b" }, /^name: must be 1 to 100 letters/],
    [put, { records: [1] }, /^records: must be an object of at most 1000 members$/],
    [put, { records: many }, /^records: must be an object of at most 1000 members$/],
    [put, { records: { a: 1 } }, /^records: must have objects of id and digest, or null "a"$/],
    [put, { records: { a: { id: "x" } } }, /^records: must have objects of id and digest/],
    [put, { records: { [`k${"y".repeat(300)}`]: web } }, /^records: keys have at most 300 /],
  ] as const) {
    const { status, body: refused } = await cast.ask(alice, request, sent);
    assert.equal(status, 400);
    assert.match(refused.error, said);
  }
  assert.equal((await cast.ask(alice, "GET /configurations")).body[body._id].size, 0);
});

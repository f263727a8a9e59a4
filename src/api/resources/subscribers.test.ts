import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture } from "../../../test/api-fixture.ts";
import { toResponse } from "./subscribers.ts";

const missing = { error: "Unable to find that subscriber" };
const hook = { kind: "webhook", address: "https://hooks.example.com/status?key=1" };

async function withPage() {
  const fixture = await createApiFixture({ mails: true });
  const { body } = await fixture.ask(fixture.alice, "POST /statuspages", { name: "Shop" });
  return { ...fixture, page: String(body._id), fixture };
}

test("a webhook is added, listed with its secret to owners, and deleted", async () => {
  const { fixture, alice, ask, page, clock } = await withPage();
  await using _ = fixture;
  const { status, body } = await ask(alice, "POST /subscribers", { page, ...hook });
  assert.equal(status, 200, JSON.stringify(body));
  assert.match(body.secret, /^whsec_/);
  assert.deepEqual(body, {
    _id: body._id,
    type: "subscriber",
    customer_id: alice.account.id,
    page,
    ...hook,
    state: "confirmed",
    secret: body.secret,
    created: clock.now(),
    confirmed: clock.now(),
  });
  const again = await ask(alice, "POST /subscribers", hook);
  assert.equal(again.body._id, body._id);
  assert.equal(again.body.warning, "address: it was added before");
  const list = await ask(alice, `GET /subscribers?page=${page}`);
  const counts = { pending: 0, confirmed: 1, webhooks: 1 };
  assert.deepEqual(list.body, { ...counts, subscribers: [body] });
  assert.deepEqual((await ask(alice, `GET /subscribers/${body._id}`)).body, body);
  const deleted = await ask(alice, `DELETE /subscribers/${body._id}`);
  assert.deepEqual(deleted.body, { ok: true, id: body._id });
  assert.deepEqual((await ask(alice, `GET /subscribers/${body._id}`)).body, missing);
});

test("the owner of a mailbox that an account adds is asked, once, and an account cannot ask again by deleting", async () => {
  const { fixture, alice, ask, page, store } = await withPage();
  await using _ = fixture;
  const sent = { page, kind: "email", address: "ann@example.net" };
  const { body } = await ask(alice, "POST /subscribers", sent);
  assert.deepEqual([body.state, body.address], ["pending", "ann@example.net"]);
  const again = await ask(alice, "POST /subscribers", { ...sent, address: "Ann+1@example.net" });
  assert.equal(again.body._id, body._id);
  assert.equal(store.count("page_messages"), 1);
  await ask(alice, `DELETE /subscribers/${body._id}`);
  assert.equal(store.count("page_messages"), 0);
  const third = await ask(alice, "POST /subscribers", sent);
  assert.equal(third.status, 400);
  assert.match(third.body.error, /^address: its owner was asked before/);
  assert.equal(store.count("page_messages"), 0);
  const { body: list } = await ask(alice, `GET /subscribers?page=${page}`);
  assert.deepEqual(list, { pending: 0, confirmed: 0, webhooks: 0, subscribers: [] });
});

// guard: addresses of subscribers
test("only owners are shown addresses and secrets", async () => {
  const { fixture, alice, ask, page, store, deps } = await withPage();
  await using _ = fixture;
  await ask(alice, "POST /subscribers", { page, ...hook });
  await ask(alice, "POST /subscribers", { page, kind: "email", address: "ann@example.net" });
  const key = { accountId: alice.account.id, pageId: page };
  const listed = await store.subscribers.list(key, { after: undefined, limit: 9 });
  const shown = listed.map((each) =>
    toResponse(each, { access: "edit", webhooks: deps.channels.webhook }),
  );
  const addresses = shown.map(({ address }) => address);
  assert.deepEqual(addresses, ["hooks.example.com", "…@example.net"]);
  assert.doesNotMatch(JSON.stringify(shown), /ann@|key=1|whsec/);
});

test("nobody adds to, sees or deletes what is another account's", async () => {
  const { fixture, alice, bob, carol, ask, page } = await withPage();
  await using _ = fixture;
  const { body } = await ask(alice, "POST /subscribers", { page, ...hook });
  for (const who of [bob, carol]) {
    const noPage = { error: `page: no such status page ${JSON.stringify(page)}` };
    assert.deepEqual((await ask(who, "POST /subscribers", { page, ...hook })).body, noPage);
    assert.deepEqual((await ask(who, `GET /subscribers?page=${page}`)).body, noPage);
    for (const verb of ["GET", "DELETE"] as const)
      assert.deepEqual((await ask(who, `${verb} /subscribers/${body._id}`)).body, missing);
  }
  assert.equal((await ask(alice, `GET /subscribers/${body._id}`)).status, 200);
});

test("a page has so many webhooks and no more", async () => {
  const { fixture, alice, ask, page } = await withPage();
  await using _ = fixture;
  const add = (number: number) =>
    ask(alice, "POST /subscribers", {
      page,
      kind: "webhook",
      address: `https://h.example/${number}`,
    });
  for (let number = 0; number < 100; number += 1) assert.equal((await add(number)).status, 200);
  const { status, body } = await add(100);
  assert.equal(status, 403);
  assert.match(body.error, /^limit reached: a status page has at most 100 webhooks/);
});

for (const [parameters, error] of [
  [{}, /^kind: required/],
  [{ kind: "sms" }, /^kind: must be one of email, webhook/],
  [{ kind: "email" }, /^address: required/],
  [{ kind: "email", address: "ann" }, /^address: must be one mailbox/],
  [{ kind: "email", address: "a@b.example\r\nBcc: c@d.example" }, /^address: must be one mailbox/],
  [{ kind: "webhook", address: "ftp://example.com" }, /^address: must be a URL/],
  [{ kind: "webhook", address: "http://watchpost.example/x" }, /^address: must not be this/],
] as const)
  test(`${JSON.stringify(parameters)} is refused`, async () => {
    const { fixture, alice, ask } = await withPage();
    await using _ = fixture;
    const { status, body } = await ask(alice, "POST /subscribers", parameters);
    assert.equal(status, 400);
    assert.match(body.error, error);
  });

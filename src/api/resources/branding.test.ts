import assert from "node:assert/strict";
import { test } from "node:test";

import { createApiFixture, type ApiFixture, type Person } from "../../../test/api-fixture.ts";

const usual = {
  from: "",
  downsubject: "",
  downtext: "",
  upsubject: "",
  uptext: "",
  firstsubject: "",
  firsttext: "",
  welcome: "",
};

const own = {
  from: "Shop <alerts@watchpost.example>",
  downsubject: "{label} is down",
  downtext: "{if message}{m}{else}?{/if}\nsince {checktime}",
  upsubject: "{label} is up",
  uptext: "after {downtime} minutes",
  firstsubject: "{label}: {event}",
  firsttext: "{label}",
  welcome: "Hello {name}, {password}",
};

async function brandingOf(cast: ApiFixture, who: Person): Promise<unknown> {
  const { status, body } = await cast.ask(who, "GET /branding");
  assert.equal(status, 200);
  const { type, customer_id, ...parts } = body;
  assert.deepEqual([type, customer_id], ["branding", who.account.id]);
  return parts;
}

test("branding comes back as it was sent, and is as usual before that and when it is deleted", async () => {
  await using cast = await createApiFixture();
  assert.deepEqual(await brandingOf(cast, cast.alice), usual);
  const put = await cast.ask(cast.alice, "PUT /branding", own);
  const record = { type: "branding", customer_id: cast.alice.account.id, ...own };
  assert.deepEqual([put.status, put.body], [200, record]);
  assert.deepEqual(await brandingOf(cast, cast.alice), own);
  const removed = await cast.ask(cast.alice, "DELETE /branding");
  assert.deepEqual([removed.status, removed.body], [200, { ok: true, id: cast.alice.account.id }]);
  assert.deepEqual(await brandingOf(cast, cast.alice), usual);
  assert.equal((await cast.ask(cast.alice, "DELETE /branding")).status, 200);
});

test("a PUT changes only what is sent, and empty text takes one back", async () => {
  await using cast = await createApiFixture();
  await cast.ask(cast.alice, "PUT /branding", own);
  await cast.ask(cast.alice, "PUT /branding", {
    uptext: "up",
    from: "",
    downtext: " \r\n",
    welcome: null,
  });
  const changed = { ...own, uptext: "up", from: "", downtext: "" };
  assert.deepEqual(await brandingOf(cast, cast.alice), changed);
  await cast.ask(cast.alice, "PUT /branding?uptext=");
  assert.deepEqual(await brandingOf(cast, cast.alice), { ...changed, uptext: "" });
});

test("a record that is sent back whole changes nothing, and nothing else of the account does either", async () => {
  await using cast = await createApiFixture();
  await cast.ask(cast.alice, "PUT /accounts", { accountsuppressall: true });
  const { body } = await cast.ask(cast.alice, "PUT /branding", own);
  assert.deepEqual((await cast.ask(cast.alice, "PUT /branding", body)).body, body);
  await cast.ask(cast.alice, "PUT /accounts", { name: "Alice & sons" });
  assert.deepEqual(await brandingOf(cast, cast.alice), own);
  const account = await cast.store.accounts.find(cast.alice.account.id);
  assert.deepEqual([account?.name, account?.suppressAll], ["Alice & sons", true]);
});

for (const [parameters, error] of [
  [
    { from: "Bank <help@bank.example>" },
    /^from: must be a name, or one with a mailbox of watchpost\.example .*WATCHPOST_MAIL_FROM_DOMAINS/,
  ],
  [{ from: "a\r\nBcc: eve@bank.example" }, /^from: must be/],
  [{ from: "help@bank.example <alerts@watchpost.example>" }, /^from: must be a name without/],
  [{ from: "x".repeat(101) }, /^from: must have a name of at most 100 characters$/],
  [{ from: ["Shop"] }, /^from: must be text/],
  [{ downsubject: "a\r\nBcc: eve@bank.example" }, /^downsubject: must be one line of at most 250/],
  [{ upsubject: "x".repeat(251) }, /^upsubject: must be one line of at most 250/],
  [{ firstsubject: "{if lable}a{/if}" }, /^firstsubject: no such variable: \{if lable\}$/],
  [{ downtext: "{if label}" }, /^downtext: \{if label\} must be closed by \{\/if\}$/],
  [{ uptext: "x".repeat(20_001) }, /^uptext: must be text of at most 20000 characters/],
  [{ firsttext: "\u0007" }, /^firsttext: must be text/],
  [{ firsttext: 5 }, /^firsttext: must be text of at most 20000 characters, without/],
  [{ welcome: "Hello {name}" }, /^welcome: must say \{password\}/],
] as const)
  test(`${JSON.stringify(parameters).slice(0, 60)} is refused, and what is sent beside it too`, async () => {
    await using cast = await createApiFixture();
    const put = await cast.ask(cast.alice, "PUT /branding", { uptext: "up", ...parameters });
    assert.equal(put.status, 400);
    assert.match(put.body.error, error);
    assert.deepEqual(await brandingOf(cast, cast.alice), usual);
  });

test("Alice reads, changes and deletes the branding of Bob, her subaccount, and has her own", async () => {
  await using cast = await createApiFixture();
  const { id: customerid } = cast.bob.account;
  await cast.ask(cast.alice, "PUT /branding", { customerid, from: "Bob's" });
  assert.deepEqual(await brandingOf(cast, cast.bob), { ...usual, from: "Bob's" });
  assert.deepEqual(await brandingOf(cast, cast.alice), usual);
  for (const request of [`GET /branding?customerid=${customerid}`, `GET /branding/${customerid}`])
    assert.equal((await cast.ask(cast.alice, request)).body.from, "Bob's");
  const removed = await cast.ask(cast.alice, "DELETE /branding", { customerid });
  assert.deepEqual(removed.body, { ok: true, id: customerid });
  assert.deepEqual(await brandingOf(cast, cast.bob), usual);
});

test("neither Carol nor Bob sees or changes the branding of Alice", async () => {
  await using cast = await createApiFixture();
  await cast.ask(cast.alice, "PUT /branding", own);
  const { id: customerid } = cast.alice.account;
  for (const who of [cast.carol, cast.bob]) {
    for (const request of ["GET /branding", "PUT /branding", "DELETE /branding"]) {
      const answer = await cast.ask(who, request, { customerid, from: "Eve" });
      assert.equal(answer.status, 403);
      assert.equal(answer.body.error, "You do not have the correct permissions for that account.");
      assert.equal((await cast.ask(who, request)).status, 200);
    }
    assert.deepEqual(await brandingOf(cast, who), usual);
  }
  assert.deepEqual(await brandingOf(cast, cast.alice), own);
});

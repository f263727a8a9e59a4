import assert from "node:assert/strict";
import { test } from "node:test";

import { alice, bob, carol } from "../../../test/record-builders.ts";
import { fakeClock } from "../../../test/time/fake-clock.ts";
import { tempStore, type TempStore } from "../../../test/stores/temp-store.ts";
import type { Account } from "../../domain/account/account.ts";
import { createIds } from "../../kit/ids.ts";
import { hashToken } from "../../kit/crypto/seal.ts";
import { createTokenAdmin, type TokenAdmin } from "./token-admin.ts";

async function deskOf(
  accounts: readonly Account[],
): Promise<{ store: TempStore; desk: TokenAdmin }> {
  const clock = fakeClock();
  const store = await tempStore({ clock });
  await store.write(async (tx) => {
    for (const account of accounts) await tx.accounts.insert(account);
  });
  return {
    store,
    desk: createTokenAdmin({ store, ids: createIds(), clock, compatibility: "standard" }),
  };
}

test("a token that is made leads to its account, and is listed without being shown", async () => {
  const { store, desk } = await deskOf([alice, bob]);
  await using _ = store;
  const { token, ...listed } = await desk.create({ label: "backup" });
  assert.deepEqual((await store.accounts.findByToken(hashToken(token)))?.account, alice);
  assert.deepEqual(await desk.list(), [listed]);
  assert.deepEqual(
    { accountId: listed.accountId, accountName: listed.accountName, label: listed.label },
    { accountId: alice.id, accountName: alice.name, label: "backup" },
  );
  assert.match(listed.handle, /^[0-9a-f]{12}$/);
  assert.ok(!JSON.stringify(listed).includes(token));
});

test("where there are several primary accounts, one has to be named", async () => {
  const { store, desk } = await deskOf([alice, bob, carol]);
  await using _ = store;
  await assert.rejects(desk.create({ label: "x" }), {
    code: "invalid_input",
    message: "account: must be one of ALICE, CAROL",
  });
  const { accountId } = await desk.create({ accountId: carol.id, label: "x" });
  assert.equal(accountId, carol.id);
});

const refused: readonly {
  name: string;
  wish: { accountId?: string; label: string };
  message: RegExp;
}[] = [
  {
    name: "for a subaccount",
    wish: { accountId: bob.id, label: "x" },
    message: /^account: a subaccount has no tokens of its own, those of ALICE reach it$/,
  },
  {
    name: "for an account that is not there",
    wish: { accountId: "NOBODY", label: "x" },
    message: /^account: no such account "NOBODY"$/,
  },
  { name: "without a label", wish: { label: "" }, message: /^label: must be 1 to 100/ },
  { name: "with a label of two lines", wish: { label: "a\nb" }, message: /^label: must be/ },
];

for (const { name, wish, message } of refused) {
  test(`no token is made ${name}`, async () => {
    const { store, desk } = await deskOf([alice, bob]);
    await using _ = store;
    await assert.rejects(desk.create(wish), { message });
    assert.deepEqual(await desk.list(), []);
  });
}

test("no token is made before the very first start", async () => {
  const { store, desk } = await deskOf([]);
  await using _ = store;
  await assert.rejects(desk.create({ label: "x" }), { code: "not_found" });
});

test("a token is revoked by a part of its handle that is its alone", async () => {
  const { store, desk } = await deskOf([alice]);
  await using _ = store;
  const one = await desk.create({ label: "one" });
  const other = await desk.create({ label: "other" });
  const { handle } = await desk.revoke({ handle: one.handle.slice(0, 8), force: false });
  assert.equal(handle, one.handle);
  assert.equal(await store.accounts.findByToken(hashToken(one.token)), undefined);
  assert.deepEqual(
    (await desk.list()).map(({ label }) => label),
    [other.label],
  );
});

test("a handle that is too short, no handle, unknown or ambiguous revokes nothing", async () => {
  const { store, desk } = await deskOf([alice]);
  await using _ = store;
  const insert = (digestHex: string): Promise<void> =>
    store.write((tx) =>
      tx.tokens.insert({
        digest: Buffer.from(digestHex, "hex").toString("base64url"),
        accountId: alice.id,
        label: digestHex,
        createdAt: 0,
        compatibility: "standard",
      }),
    );
  await insert("abcdef01");
  await insert("abcdef02");
  for (const [handle, message] of [
    ["abc", /4 or more hex digits/],
    ["", /4 or more hex digits/],
    ["ABCDEF01", /4 or more hex digits/],
    ["ffff", /no such token "ffff"/],
    ["abcdef", /2 tokens begin with "abcdef"/],
  ] as const)
    await assert.rejects(desk.revoke({ handle, force: true }), { message });
  assert.equal((await desk.list()).length, 2);
  await desk.revoke({ handle: "abcdef01", force: false });
});

test("the last token of an account goes by force alone, whatever tokens others have", async () => {
  const { store, desk } = await deskOf([alice, carol]);
  await using _ = store;
  const { handle } = await desk.create({ accountId: alice.id, label: "only" });
  await desk.create({ accountId: carol.id, label: "hers" });
  await assert.rejects(desk.revoke({ handle, force: false }), { code: "conflict" });
  assert.equal((await desk.list()).length, 2);
  await desk.revoke({ handle, force: true });
  assert.deepEqual(
    (await desk.list()).map(({ label }) => label),
    ["hers"],
  );
});

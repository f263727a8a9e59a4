import assert from "node:assert/strict";
import { test } from "node:test";

import type { Token } from "../../../../src/domain/account/token.ts";
import { alice, bob, carol, noon } from "../../../record-builders.ts";
import type { OpenStore } from "../store.ts";

const aToken = (digest: string, changes: Partial<Token> = {}): Token => ({
  digest,
  accountId: alice.id,
  label: `label of ${digest}`,
  createdAt: noon,
  compatibility: "standard",
  access: "write",
  expiresAt: undefined,
  usedAt: undefined,
  ...changes,
});

export function tokenContract(open: OpenStore): void {
  test("tokens come back as they were given, by age, and each leads to its account", async () => {
    await using store = await open();
    const young = aToken("a", { createdAt: noon + 1 });
    const old = aToken("b");
    const hers = aToken("c", { accountId: carol.id, createdAt: noon + 2 });
    await store.write(async ({ tokens }) => {
      for (const token of [young, hers, old]) await tokens.insert(token);
    });
    assert.deepEqual(await store.tokens.list(), [old, young, hers]);
    assert.deepEqual((await store.accounts.findByToken("a"))?.account, alice);
    assert.deepEqual((await store.accounts.findByToken("c"))?.account, carol);
    assert.equal(await store.accounts.findByToken("A"), undefined);
  });

  test("a token that is removed leads nowhere, from then on, and the others stay", async () => {
    await using store = await open();
    await store.write(async ({ tokens }) => {
      await tokens.insert(aToken("a"));
      await tokens.insert(aToken("b"));
    });
    await store.write(({ tokens }) => tokens.remove("a"));
    assert.equal(await store.accounts.findByToken("a"), undefined);
    assert.deepEqual(await store.tokens.list(), [aToken("b")]);
  });

  test("no two tokens have one digest", async () => {
    await using store = await open();
    await store.write(({ tokens }) => tokens.insert(aToken("a")));
    await assert.rejects(
      store.write(({ tokens }) => tokens.insert(aToken("a", { accountId: carol.id }))),
    );
    assert.deepEqual((await store.accounts.findByToken("a"))?.account, alice);
  });

  test("what a token may do, and its end, come back with it, and its account has it in a list", async () => {
    await using store = await open();
    const reads = aToken("a", { access: "read", expiresAt: noon + 1 });
    await store.write(async ({ tokens }) => {
      await tokens.insert(reads);
      await tokens.insert(aToken("b", { accountId: carol.id }));
    });
    assert.deepEqual(await store.tokens.listOf(alice.id), [reads]);
    const { label, compatibility, access, expiresAt } = reads;
    assert.deepEqual((await store.accounts.findByToken("a"))?.token, {
      digest: "a",
      label,
      compatibility,
      access,
      expiresAt,
    });
  });

  test("a use is noted unless one is noted that is as young", async () => {
    await using store = await open();
    await store.write(({ tokens }) => tokens.insert(aToken("a")));
    const note = async (at: number, since: number): Promise<unknown> => {
      await store.write(({ tokens }) => tokens.noteUse({ digest: "a", at, since }));
      return (await store.tokens.listOf(alice.id))[0]?.usedAt;
    };
    assert.equal(await note(noon, noon - 10), noon);
    assert.equal(await note(noon + 5, noon - 5), noon);
    assert.equal(await note(noon + 10, noon), noon + 10);
  });

  test("the primary accounts are those of nobody else, by age", async () => {
    await using store = await open();
    const ids = (await store.accounts.listPrimary()).map(({ id }) => id);
    assert.deepEqual(ids, [alice.id, carol.id]);
    assert.ok(!ids.includes(bob.id));
  });
}

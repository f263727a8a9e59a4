import assert from "node:assert/strict";
import { test } from "node:test";

import type { Token } from "../../../src/domain/account/token.ts";
import { alice, bob, carol, noon } from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";

const aToken = (digest: string, changes: Partial<Token> = {}): Token => ({
  digest,
  accountId: alice.id,
  label: `label of ${digest}`,
  createdAt: noon,
  compatibility: "standard",
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

  test("the primary accounts are those of nobody else, by age", async () => {
    await using store = await open();
    const ids = (await store.accounts.listPrimary()).map(({ id }) => id);
    assert.deepEqual(ids, [alice.id, carol.id]);
    assert.ok(!ids.includes(bob.id));
  });
}

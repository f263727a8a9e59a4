import assert from "node:assert/strict";
import { test } from "node:test";

import { aConfiguration, alice, bob, carol, noon } from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";

export function configurationContract(open: OpenStore): void {
  test("a configuration comes back as it was given, is found by its name, and counts in the bytes of its account", async () => {
    await using store = await open();
    const shop = aConfiguration("shop", {
      records: { "checks/wéb": { id: "A", digest: "1" }, __proto: { id: "B", digest: "2" } },
    });
    const before = await store.usage.of(alice.id);
    await store.write(async ({ configurations }) => {
      await configurations.insert(shop);
      await configurations.insert(aConfiguration("bare", { records: {} }));
      await configurations.insert(aConfiguration("carols", { accountId: carol.id, name: "shop" }));
    });
    assert.deepEqual(await store.configurations.find(alice.id, "shop"), shop);
    assert.deepEqual(await store.configurations.findByName(alice.id, "shop"), shop);
    const { records: _, ...described } = shop;
    const [first, second, ...rest] = await store.configurations.list(alice.id);
    assert.deepEqual(first, { ...described, size: 2 });
    assert.deepEqual([second?.name, second?.size, rest], ["bare", 0, []]);
    const changed = { ...shop, records: {}, modifiedAt: noon + 1 };
    const largest = (await store.usage.of(alice.id)).configuration ?? 0;
    await store.write(({ configurations }) => configurations.update(changed));
    assert.deepEqual(await store.configurations.find(alice.id, "shop"), changed);
    assert.ok(((await store.usage.of(alice.id)).configuration ?? 0) < largest);
    await store.write(async ({ configurations }) => {
      for (const id of ["shop", "bare"]) await configurations.remove(alice.id, id);
    });
    assert.deepEqual(await store.usage.of(alice.id), before);
  });

  test("nobody sees, changes or removes a configuration of another account", async () => {
    await using store = await open();
    const shop = aConfiguration("shop");
    await store.write(({ configurations }) => configurations.insert(shop));
    for (const { id: stranger } of [bob, carol]) {
      assert.equal(await store.configurations.find(stranger, "shop"), undefined);
      assert.equal(await store.configurations.findByName(stranger, "shop"), undefined);
      assert.deepEqual(await store.configurations.list(stranger), []);
      await assert.rejects(
        store.write(({ configurations }) =>
          configurations.update({ ...shop, accountId: stranger }),
        ),
      );
      assert.equal(
        await store.write(({ configurations }) => configurations.remove(stranger, "shop")),
        false,
      );
    }
    assert.deepEqual(await store.configurations.find(alice.id, "shop"), shop);
  });
}

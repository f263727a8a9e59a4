import assert from "node:assert/strict";
import { test } from "node:test";

import {
  byKind,
  exceeded,
  limitedKinds,
  type AccountLimits,
  type Usage,
} from "../../../src/domain/account/limits.ts";
import {
  aCheck,
  aContact,
  alice,
  anAddress,
  anAccount,
  bob,
  minute,
  noon,
} from "../../record-builders.ts";
import type { ContractStore } from "./contract-store.ts";
import type { OpenStore } from "./store.ts";

/** As the rows themselves say. */
async function counted(store: ContractStore, accountId: string): Promise<Usage> {
  const checks = (await Array.fromAsync(store.checks.list(accountId))).flat().length;
  const contacts = (await store.contacts.list(accountId)).length;
  return { checks, contacts };
}

export function usageContract(open: OpenStore): void {
  test("what an account keeps is counted by kind and in bytes, with its subaccounts, however it comes and goes", async () => {
    await using store = await open();
    const before = { alice: await store.usage.of(alice.id), bob: await store.usage.of(bob.id) };
    assert.equal(before.alice.subaccounts, 1);
    await store.write(async (tx) => {
      await tx.contacts.insert(
        aContact("ann", { addresses: [anAddress("one"), anAddress("two")] }),
      );
      await tx.checks.insert(aCheck("a", { label: "é" }));
      await tx.checks.insert(aCheck("b", { accountId: bob.id }));
      await tx.groups.insert({ id: "group", accountId: bob.id, name: "all", members: ["x"] });
      await tx.profiles.insert({ id: "profile", accountId: bob.id, name: "p", subscriptions: [] });
      await tx.schedules.put(bob.id, { name: "Days", days: {} });
      await tx.schedules.put(bob.id, { name: "Days", days: {} });
    });
    const ofBob = await store.usage.of(bob.id);
    const ofAlice = await store.usage.of(alice.id);
    assert.deepEqual(
      [ofBob.checks, ofBob.contactgroups, ofBob.notificationprofiles, ofBob.schedules],
      [1, 1, 1, 1],
    );
    assert.deepEqual(
      [ofAlice.checks, ofAlice.contacts, ofAlice.contactgroups, ofAlice.schedules],
      [2, 1, 1, 1],
    );
    assert.deepEqual(await counted(store, bob.id), { checks: 1, contacts: 0 });

    const bytes = ofAlice.configuration ?? 0;
    await store.write(async (tx) => {
      const found = await tx.checks.find(alice.id, "a");
      assert.ok(found !== undefined);
      await tx.checks.update({ ...found.check, label: "é".repeat(11) }, noon);
      await tx.contacts.update(aContact("ann", { addresses: [anAddress("one")] }));
    });
    const shorter = (await store.usage.of(alice.id)).configuration ?? 0;
    await store.write((tx) =>
      tx.contacts.update(aContact("ann", { addresses: [anAddress("one"), anAddress("two")] })),
    );
    assert.equal((await store.usage.of(alice.id)).configuration, bytes + 20);
    assert.ok(shorter < bytes);

    await store.write(async (tx) => {
      await tx.checks.remove(alice.id, "a", noon);
      await tx.checks.remove(bob.id, "b", noon);
      await tx.contacts.remove(alice.id, "ann");
      await tx.groups.remove(bob.id, "group");
      await tx.profiles.remove(bob.id, "profile");
      await tx.schedules.remove(bob.id, "Days");
    });
    const used = (usage: Usage) => limitedKinds.map((kind) => [kind, usage[kind] ?? 0]);
    assert.deepEqual(used(await store.usage.of(bob.id)), used(before.bob));
    assert.deepEqual(used(await store.usage.of(alice.id)), used(before.alice));
  });

  test("a subaccount counts until it is purged, with all that it had", async () => {
    await using store = await open();
    const before = await store.usage.of(alice.id);
    const sub = anAccount("SUB", { parentId: alice.id });
    await store.write(async (tx) => {
      await tx.accounts.insert(sub);
      await tx.contacts.insert({
        ...aContact("c", { addresses: [anAddress("x")] }),
        accountId: sub.id,
      });
      await tx.checks.insert(aCheck("k", { accountId: sub.id }));
    });
    assert.equal((await store.usage.of(alice.id)).subaccounts, 2);
    assert.equal((await store.usage.most()).subaccounts, 2);
    await store.write((tx) => tx.accounts.remove(sub.id, noon));
    for (let round = 0; round < 6; round += 1) {
      await store.pass(10 * minute);
      await store.runHousekeeping();
    }
    assert.equal(await store.accounts.find(sub.id), undefined);
    const after = await store.usage.of(alice.id);
    assert.deepEqual(
      [after.subaccounts, after.checks, after.contacts, after.configuration],
      [1, 0, before.contacts ?? 0, before.configuration],
    );
  });

  test("of two units that reach a limit at the same moment exactly one passes", async () => {
    await using store = await open();
    const one: AccountLimits = { ...byKind(() => 0), checks: 1 };
    const add = (id: string, accountId: string): Promise<void> =>
      store.write(async (tx) => {
        await tx.checks.insert(aCheck(id, { accountId }));
        if (exceeded(one, {}, await tx.usage.of(alice.id)).length > 0) throw new Error("refused");
      });
    const settled = await Promise.allSettled([
      add("a", alice.id),
      add("b", bob.id),
      add("c", bob.id),
    ]);
    assert.deepEqual(settled.map(({ status }) => status).toSorted(), [
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    assert.equal((await store.usage.of(alice.id)).checks, 1);
  });
}

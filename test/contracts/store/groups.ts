import assert from "node:assert/strict";
import { test } from "node:test";

import type { ContactGroup } from "../../../src/domain/contact/group.ts";
import type { NotificationProfile } from "../../../src/domain/contact/profile.ts";
import type { Reads, Transaction } from "../../../src/store/store.ts";
import { alice, bob, carol } from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";

interface Item {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
}

interface ItemReads<Of> {
  readonly find: (accountId: string, id: string) => Promise<Of | undefined>;
  readonly list: (accountId: string) => Promise<readonly Of[]>;
  readonly findMany: (accountId: string, ids: readonly string[]) => Promise<readonly Of[]>;
}

interface ItemWrites<Of> {
  readonly insert: (item: Of) => Promise<void>;
  readonly update: (item: Of) => Promise<void>;
  readonly remove: (accountId: string, id: string) => Promise<boolean>;
}

interface Kind<Of extends Item> {
  readonly name: string;
  readonly make: (id: string, accountId: string) => Of;
  readonly changes: Partial<Of>;
  readonly reads: (store: Reads) => ItemReads<Of>;
  readonly writes: (tx: Transaction) => ItemReads<Of> & ItemWrites<Of>;
}

/** Recipients under a name, of both kinds. */
export function groupContract(open: OpenStore): void {
  itemContract<ContactGroup>(open, {
    name: "contact group",
    make: (id, accountId) => ({ id, accountId, name: id, members: ["mail", "ann"] }),
    changes: { name: "Größe", members: ["__proto__"] },
    reads: ({ groups }) => groups,
    writes: ({ groups }) => groups,
  });
  itemContract<NotificationProfile>(open, {
    name: "notification profile",
    make: (id, accountId) => ({
      id,
      accountId,
      name: id,
      subscriptions: [{ recipientId: "ann", schedule: "Days", delayMinutes: 5 }],
    }),
    changes: { name: "Größe", subscriptions: [] },
    reads: ({ profiles }) => profiles,
    writes: ({ profiles }) => profiles,
  });
}

function itemContract<Of extends Item>(open: OpenStore, kind: Kind<Of>): void {
  const { name, make, changes, reads, writes } = kind;
  const older = make("z", alice.id);
  const newer = make("a", alice.id);

  test(`a ${name} comes back as it was given, changes whole, and is listed by age`, async () => {
    await using store = await open();
    await store.write(async (tx) => {
      await writes(tx).insert(older);
      await writes(tx).insert(newer);
    });
    assert.deepEqual(await reads(store).find(alice.id, older.id), older);
    assert.deepEqual(await reads(store).list(alice.id), [older, newer]);
    const changed = { ...older, ...changes };
    await store.write((tx) => writes(tx).update(changed));
    assert.deepEqual(await reads(store).list(alice.id), [changed, newer]);
  });

  test(`of many ids those are found that name a ${name} of the account`, async () => {
    await using store = await open();
    await store.write(async (tx) => {
      for (const item of [older, newer, make("carols", carol.id)]) await writes(tx).insert(item);
    });
    const ids = ["nobody", newer.id, "carols", newer.id];
    assert.deepEqual(await reads(store).findMany(alice.id, ids), [newer]);
    assert.deepEqual(await reads(store).findMany(bob.id, ids), []);
    assert.deepEqual(await reads(store).findMany(alice.id, []), []);
  });

  test(`nobody sees, changes or removes a ${name} of another account`, async () => {
    await using store = await open();
    await store.write((tx) => writes(tx).insert(older));
    for (const stranger of [bob, carol]) {
      assert.equal(await reads(store).find(stranger.id, older.id), undefined);
      assert.deepEqual(await reads(store).list(stranger.id), []);
      await assert.rejects(
        store.write((tx) => writes(tx).update({ ...older, accountId: stranger.id })),
      );
      assert.equal(await store.write((tx) => writes(tx).remove(stranger.id, older.id)), false);
    }
    assert.deepEqual(await reads(store).list(alice.id), [older]);
    assert.equal(await store.write((tx) => writes(tx).remove(alice.id, older.id)), true);
    assert.equal(await store.write((tx) => writes(tx).remove(alice.id, older.id)), false);
    assert.deepEqual(await reads(store).list(alice.id), []);
  });
}

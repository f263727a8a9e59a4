import assert from "node:assert/strict";
import { test } from "node:test";

import { aContact, alice, aPasskey, aTotp, carol, noon } from "../../../record-builders.ts";
import type { ContractStore } from "../contract-store.ts";
import type { OpenStore } from "../store.ts";

const ann = { accountId: alice.id, contactId: "ann" };
const stranger = { accountId: carol.id, contactId: "ann" };

async function withAnn(open: OpenStore): Promise<ContractStore> {
  const store = await open();
  await store.write(async ({ contacts }) => {
    await contacts.insert(aContact("ann", { role: "owner" }));
    await contacts.insert(aContact("ben"));
  });
  return store;
}

export function secondFactorContract(open: OpenStore): void {
  test("an authenticator app comes back as it was put, in its account alone", async () => {
    await using store = await withAnn(open);
    await store.write((tx) => tx.secondFactors.putTotp(aTotp));
    assert.deepEqual(await store.secondFactors.findTotp(ann), aTotp);
    assert.equal(await store.secondFactors.findTotp(stranger), undefined);
    const none = { totpSince: undefined, passkeys: [], recoveryCodes: 0 };
    assert.deepEqual(await store.secondFactors.of(ann), none, "it is not confirmed");
    const next = { ...aTotp, secret: "MFRGG===" };
    await store.write((tx) => tx.secondFactors.putTotp(next));
    assert.deepEqual(await store.secondFactors.findTotp(ann), next);
  });

  test("the first code confirms an app, and none of a step counts twice", async () => {
    await using store = await withAnn(open);
    await store.write((tx) => tx.secondFactors.putTotp(aTotp));
    const take = (step: number, of = ann) =>
      store.write((tx) => tx.secondFactors.takeTotpStep({ ...of, step, at: noon + step }));
    await store.write((tx) => tx.secondFactors.noteWrongCode({ ...ann, at: noon + 5 }));
    const wrong = await store.secondFactors.findTotp(ann);
    assert.deepEqual([wrong?.failures, wrong?.failedAt], [1, noon + 5]);
    assert.equal(await take(7, stranger), false);
    const taken = await Promise.all([take(7), take(7)]);
    assert.deepEqual(taken.toSorted(), [false, true]);
    assert.deepEqual([await take(6), await take(8)], [false, true]);
    const totp = await store.secondFactors.findTotp(ann);
    assert.deepEqual([totp?.confirmedAt, totp?.lastStep, totp?.failures], [noon + 7, 8, 0]);
    assert.equal((await store.secondFactors.of(ann)).totpSince, noon + 7);
  });

  test("a passkey comes back as it was put, and a signature counts once where its holder counts", async () => {
    await using store = await withAnn(open);
    const [one, other] = [aPasskey("one", { createdAt: noon - 1, counter: 4 }), aPasskey("other")];
    await store.write(async ({ secondFactors }) => {
      for (const each of [other, one]) await secondFactors.insertPasskey(each);
    });
    assert.deepEqual((await store.secondFactors.of(ann)).passkeys, [one, other]);
    assert.deepEqual((await store.secondFactors.of(stranger)).passkeys, []);
    const take = (id: string, counter: number, of = ann) =>
      store.write((tx) => tx.secondFactors.takePasskey({ ...of, id, counter, at: noon + 1 }));
    assert.deepEqual([await take("one", 4), await take("one", 0)], [false, false]);
    const taken = await Promise.all([take("one", 5), take("one", 5)]);
    assert.deepEqual(taken.toSorted(), [false, true]);
    assert.deepEqual([await take("other", 0), await take("other", 0)], [true, true]);
    assert.equal(await take("other", 0, stranger), false);
    const { passkeys } = await store.secondFactors.of(ann);
    assert.deepEqual(
      passkeys.map(({ counter, usedAt }) => [counter, usedAt]),
      [
        [5, noon + 1],
        [0, noon + 1],
      ],
    );
    const remove = (of = ann) => store.write((tx) => tx.secondFactors.removePasskey(of, "one"));
    assert.equal(await remove(stranger), false);
    assert.deepEqual([await remove(), await remove()], [true, false]);
    await store.write((tx) => tx.secondFactors.removeAll(ann));
    assert.deepEqual((await store.secondFactors.of(ann)).passkeys, []);
  });

  test("a recovery code is taken once, by its contact, and new ones replace all", async () => {
    await using store = await withAnn(open);
    const replace = (...digests: readonly string[]) =>
      store.write((tx) => tx.secondFactors.replaceRecoveryCodes(ann, digests));
    const take = (digest: string, of = ann) =>
      store.write((tx) => tx.secondFactors.takeRecoveryCode(of, digest));
    await replace("a", "b");
    assert.equal(await take("a", stranger), false);
    assert.deepEqual([await take("a"), await take("a")], [true, false]);
    assert.equal((await store.secondFactors.of(ann)).recoveryCodes, 1);
    await replace("c", "d", "e");
    assert.equal(await take("b"), false);
    assert.equal((await store.secondFactors.of(ann)).recoveryCodes, 3);
    await store.write((tx) => tx.secondFactors.putTotp(aTotp));
    await store.write((tx) => tx.secondFactors.removeAll(stranger));
    assert.equal((await store.secondFactors.of(ann)).recoveryCodes, 3);
    await store.write((tx) => tx.secondFactors.removeAll(ann));
    assert.equal((await store.secondFactors.of(ann)).recoveryCodes, 0);
    assert.equal(await store.secondFactors.findTotp(ann), undefined);
  });

  test("a sign-in waits for its second factor once, and ends with the password and the contact", async () => {
    await using store = await withAnn(open);
    const insert = (digest: string, endsAt = noon + 100) =>
      store.write((tx) =>
        tx.secondFactors.insertPending({ ...ann, digest, endsAt }, { most: 2, now: noon }),
      );
    const remove = () => store.write((tx) => tx.secondFactors.removePending("a"));
    const known = async () => {
      const found = ["a", "b", "c", "d"].map((digest) => store.secondFactors.findPending(digest));
      return (await Promise.all(found)).flatMap((each) => each?.digest ?? []);
    };
    await insert("a");
    assert.deepEqual(await store.secondFactors.findPending("a"), {
      ...ann,
      digest: "a",
      endsAt: noon + 100,
    });
    const removed = await Promise.all([remove(), remove()]);
    assert.deepEqual(removed.toSorted(), [false, true]);
    await insert("a", noon);
    await insert("b", noon + 1);
    await insert("c", noon + 2);
    assert.deepEqual(await known(), ["b", "c"], "what has ended is removed");
    await insert("d", noon + 3);
    assert.deepEqual(await known(), ["c", "d"], "and the oldest of too many");
    const password = { ...ann, hash: "hash", at: noon };
    await store.write((tx) => tx.contacts.setPassword(password));
    assert.deepEqual(await known(), []);
    await insert("a");
    await store.write((tx) => tx.contacts.remove(alice.id, "ann"));
    assert.deepEqual(await known(), []);
  });
}

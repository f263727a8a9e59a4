import assert from "node:assert/strict";
import { test } from "node:test";

import {
  aCheck,
  aFlip,
  alice,
  anAccount,
  anAlert,
  bob,
  carol,
  minute,
  noon,
} from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";
import type { ContractStore } from "./contract-store.ts";

async function endOf(store: ContractStore, alertId: string): Promise<readonly unknown[]> {
  const found = await store.alerts.listNotifications({
    accountIds: [bob.id],
    checkId: undefined,
    from: 0,
    limit: 9,
    dropped: true,
  });
  const alert = found.find((each) => each.alertId === alertId);
  return [alert?.status, alert?.reason];
}

export function accountContract(open: OpenStore): void {
  test("an account comes back as it was given, and changes as a whole", async () => {
    await using store = await open();
    assert.equal(await store.accounts.hasAny(), false);
    await store.write(({ accounts }) => accounts.insert(alice));
    assert.equal(await store.accounts.hasAny(), true);
    assert.deepEqual(await store.accounts.find(alice.id), alice);
    const changed = {
      ...alice,
      name: "Ålice",
      timeZone: "Europe/Berlin",
      defaultRegions: ["eur", "ld"],
      wantsNews: true,
      suppressAll: true,
      branding: { from: "Ålice", downText: "{label}\nis down" },
    };
    await store.write(({ accounts }) => accounts.update(changed, noon));
    assert.deepEqual(await store.accounts.find(alice.id), changed);
    await store.write(({ accounts }) => accounts.update(alice, noon));
    assert.deepEqual(await store.accounts.find(alice.id), alice);
    assert.equal(await store.accounts.find(bob.id), undefined);
  });

  test("a family is the account, then its subaccounts by age, each with its active checks", async () => {
    await using store = await open();
    const older = anAccount("ZOE", { parentId: alice.id, createdAt: noon - 5 });
    await store.write(async ({ accounts, checks }) => {
      for (const account of [carol, alice, older, bob]) await accounts.insert(account);
      await checks.insert(aCheck("one"));
      await checks.insert(aCheck("off", { enabled: false }));
      await checks.insert(aCheck("off-with-all", { disabledWithAll: true }));
      await checks.insert(aCheck("bobs", { accountId: bob.id }));
    });
    assert.deepEqual(await store.accounts.listWithSubaccounts(alice.id), [
      { account: alice, activeChecks: 1 },
      { account: older, activeChecks: 0 },
      { account: bob, activeChecks: 1 },
    ]);
    assert.deepEqual(await store.accounts.listWithSubaccounts(bob.id), [
      { account: bob, activeChecks: 1 },
    ]);
    assert.deepEqual(await store.accounts.listWithSubaccounts("nobody"), []);
  });

  test("a token leads to its account by its digest alone", async () => {
    await using store = await open();
    await store.write(async ({ accounts, tokens }) => {
      await accounts.insert(alice);
      await tokens.insert({
        digest: "digest",
        accountId: alice.id,
        label: "first",
        createdAt: noon,
        compatibility: "standard",
      });
    });
    assert.deepEqual((await store.accounts.findByToken("digest"))?.account, alice);
    assert.equal(await store.accounts.findByToken("DIGEST"), undefined);
  });

  test("a removed account is in no family, runs nothing, sends nothing, and its tokens are unknown", async () => {
    await using store = await open();
    const check = await store.write(async ({ accounts, tokens, checks, alerts, states }) => {
      for (const account of [alice, bob]) await accounts.insert(account);
      await tokens.insert({
        digest: "bobs",
        accountId: bob.id,
        label: "",
        createdAt: noon,
        compatibility: "standard",
      });
      const bobs = await checks.insert(aCheck("bobs", { accountId: bob.id }));
      const hers = await checks.insert(aCheck("hers"));
      await states.flip(aFlip(bobs.no));
      await alerts.insert(anAlert("to-bob", bobs));
      await alerts.insert(anAlert("to-her", hers));
      return bobs;
    });
    await store.write(({ accounts }) => accounts.remove(bob.id, noon + 2 * minute));
    assert.equal((await store.accounts.find(bob.id))?.status, "deleted");
    assert.deepEqual(await store.accounts.listWithSubaccounts(alice.id), [
      { account: alice, activeChecks: 1 },
    ]);
    assert.equal(await store.accounts.findByToken("bobs"), undefined);
    assert.equal(await store.checks.findActive(check.no), undefined);
    const [down] = await store.states.listDownSpans(check.no, noon, noon + 3 * minute);
    assert.equal(down?.end, noon + 2 * minute);
    assert.deepEqual(
      (await (await store.at(noon)).alerts.listDue(9)).map(({ id }) => id),
      ["to-her"],
    );
    assert.deepEqual(await endOf(store, "to-bob"), ["dropped", "account_deleted"]);
  });

  test("a held alert that surely did not leave is dropped when its account was removed meanwhile", async () => {
    await using store = await open();
    await store.write(async ({ accounts, checks, alerts }) => {
      for (const account of [alice, bob]) await accounts.insert(account);
      await alerts.insert(
        anAlert("held", await checks.insert(aCheck("his", { accountId: bob.id }))),
      );
      await alerts.claim({ leaseMs: minute, limit: 9 });
      await accounts.remove(bob.id, noon);
      await alerts.finishAttempt("held", {
        status: "waiting",
        nextAttemptAt: noon + 1,
        possiblySent: false,
      });
    });
    assert.deepEqual(await endOf(store, "held"), ["dropped", "account_deleted"]);
  });

  test("nothing starts a check of a removed account again", async () => {
    await using store = await open();
    const { no } = await store.write(async ({ accounts, checks }) => {
      for (const account of [alice, bob]) await accounts.insert(account);
      const check = await checks.insert(aCheck("bobs", { accountId: bob.id }));
      await accounts.remove(bob.id, noon);
      await checks.update({ ...check, revision: 3, runRevision: 3 }, noon);
      await checks.disableAll(bob.id, false, noon);
      return check;
    });
    assert.equal(await store.checks.findActive(no), undefined);
  });

  test("only an account that is there can be removed", async () => {
    await using store = await open();
    await assert.rejects(store.write(({ accounts }) => accounts.remove(carol.id, noon)));
  });
}

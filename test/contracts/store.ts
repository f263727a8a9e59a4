import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { Schedule } from "../../src/domain/schedule.ts";
import type { Store } from "../../src/store/store.ts";
import { aCheck, aContact, alice, anAccount, anAddress, bob, carol, noon } from "../records.ts";
import { alertContract } from "./store-alerts.ts";
import { checkContract } from "./store-checks.ts";
import { stateContract } from "./store-states.ts";
import { unitContract } from "./store-units.ts";

export type OpenStore = () => Promise<Store & AsyncDisposable>;

/** What every engine behind the store's ports must do. */
export function storeContract(name: string, open: OpenStore): void {
  const openWithCast: OpenStore = async () => {
    const store = await open();
    await store.write(async ({ accounts }) => {
      for (const account of [alice, bob, carol]) await accounts.insert(account);
    });
    return store;
  };
  suite(`the ${name} store`, () => {
    accountContract(open);
    contactContract(openWithCast);
    scheduleContract(openWithCast);
    checkContract(openWithCast);
    stateContract(openWithCast);
    alertContract(openWithCast);
    unitContract(openWithCast);
  });
}

function accountContract(open: OpenStore): void {
  test("an account comes back as it was given, and changes as a whole", async () => {
    await using store = await open();
    assert.equal(await store.accounts.exists(), false);
    await store.write(({ accounts }) => accounts.insert(alice));
    assert.equal(await store.accounts.exists(), true);
    assert.deepEqual(await store.accounts.find(alice.id), alice);
    const changed = {
      ...alice,
      name: "Ålice",
      offsetHours: 5.75,
      defaultRegions: ["eur", "ld"],
      wantsNews: true,
      suppressAll: true,
    };
    await store.write(({ accounts }) => accounts.update(changed, noon));
    assert.deepEqual(await store.accounts.find(alice.id), changed);
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
    assert.deepEqual(await store.accounts.family(alice.id), [
      { account: alice, activeChecks: 1 },
      { account: older, activeChecks: 0 },
      { account: bob, activeChecks: 1 },
    ]);
    assert.deepEqual(await store.accounts.family(bob.id), [{ account: bob, activeChecks: 1 }]);
    assert.deepEqual(await store.accounts.family("nobody"), []);
  });

  test("a token leads to its account by its digest alone", async () => {
    await using store = await open();
    await store.write(async ({ accounts }) => {
      await accounts.insert(alice);
      await accounts.addToken({
        digest: "digest",
        accountId: alice.id,
        label: "first",
        createdAt: noon,
      });
    });
    assert.deepEqual(await store.accounts.ofToken("digest"), alice);
    assert.equal(await store.accounts.ofToken("DIGEST"), undefined);
  });
}

function contactContract(open: OpenStore): void {
  const both = aContact("both", {
    addresses: [
      anAddress("z", { suppress: { up: true, down: false, first: true, all: false } }),
      anAddress("a", {
        kind: "webhook",
        address: "http://127.0.0.1/",
        suppress: { up: false, down: true, first: false, all: true },
      }),
    ],
  });

  test("contacts come back by age, their addresses in their order, and only to their account", async () => {
    await using store = await open();
    const bare = aContact("bare", { addresses: [] });
    await store.write(async ({ contacts }) => {
      await contacts.insert(both);
      await contacts.insert(bare);
    });
    assert.deepEqual(await store.contacts.list(alice.id), [both, bare]);
    assert.deepEqual(await store.contacts.find(alice.id, both.id), both);
    for (const stranger of [bob, carol]) {
      assert.equal(await store.contacts.find(stranger.id, both.id), undefined);
      assert.deepEqual(await store.contacts.list(stranger.id), []);
    }
  });

  test("updating a contact replaces its addresses", async () => {
    await using store = await open();
    const changed: typeof both = {
      ...both,
      name: "new",
      role: "owner",
      addresses: [anAddress("a", { address: "new@example.net" })],
    };
    await store.write(({ contacts }) => contacts.insert(both));
    await store.write(({ contacts }) => contacts.update(changed));
    assert.deepEqual(await store.contacts.list(alice.id), [changed]);
    await assert.rejects(
      store.write(({ contacts }) =>
        contacts.update({ ...changed, accountId: carol.id, name: "hers" }),
      ),
    );
    assert.deepEqual(await store.contacts.list(alice.id), [changed]);
  });

  test("removing a contact takes its addresses along, and nobody removes a stranger's", async () => {
    await using store = await open();
    await store.write(({ contacts }) => contacts.insert(both));
    assert.equal(await store.write(({ contacts }) => contacts.remove(carol.id, both.id)), false);
    assert.deepEqual(await store.contacts.list(alice.id), [both]);
    assert.equal(await store.write(({ contacts }) => contacts.remove(alice.id, both.id)), true);
    assert.equal(await store.write(({ contacts }) => contacts.remove(alice.id, both.id)), false);
    assert.deepEqual(await store.contacts.addressesOf(alice.id, "a"), []);
  });

  test("a recipient is a contact with all its addresses, or an address wherever it occurs in the account", async () => {
    await using store = await open();
    const other = aContact("other", { addresses: [anAddress("a")] });
    await store.write(async ({ contacts }) => {
      await contacts.insert(both);
      await contacts.insert(other);
      await contacts.insert(
        aContact("hers", { accountId: carol.id, addresses: [anAddress("a"), anAddress("c")] }),
      );
    });
    const idsOf = async (accountId: string, recipientId: string): Promise<readonly string[]> =>
      (await store.contacts.addressesOf(accountId, recipientId)).map(
        ({ contactId, address }) => `${contactId} ${address.id}`,
      );
    assert.deepEqual(await idsOf(alice.id, "both"), ["both z", "both a"]);
    assert.deepEqual(await idsOf(alice.id, "a"), ["both a", "other a"]);
    assert.deepEqual(await idsOf(carol.id, "both"), []);
    assert.deepEqual(
      (await store.contacts.addressesOf(alice.id, "z"))[0]?.address,
      both.addresses[0],
    );
    assert.deepEqual(await store.contacts.unknown(alice.id, ["both", "c", "a", "hers", "nobody"]), [
      "c",
      "hers",
      "nobody",
    ]);
  });

  test("an address may be called like a member of every object", async () => {
    await using store = await open();
    const odd = aContact("odd", { addresses: [anAddress("__proto__"), anAddress("constructor")] });
    await store.write(({ contacts }) => contacts.insert(odd));
    assert.deepEqual(await store.contacts.find(alice.id, odd.id), odd);
    assert.deepEqual(await store.contacts.unknown(alice.id, ["__proto__", "toString"]), [
      "toString",
    ]);
  });
}

function scheduleContract(open: OpenStore): void {
  const nights: Schedule = {
    name: "Nights",
    days: { monday: { time1: "6:00", time2: "", exclude: 1 }, sunday: { allday: "true" } },
  };
  const days: Schedule = { name: "Days", days: {} };

  test("a schedule is created, replaced whole and removed, for its account only", async () => {
    await using store = await open();
    await store.write(async ({ schedules }) => {
      await schedules.put(alice.id, nights);
      await schedules.put(alice.id, days);
    });
    assert.deepEqual(await store.schedules.list(alice.id), [days, nights]);
    for (const stranger of [bob, carol]) {
      assert.deepEqual(await store.schedules.list(stranger.id), []);
      assert.equal(await store.schedules.find(stranger.id, nights.name), undefined);
      assert.equal(
        await store.write(({ schedules }) => schedules.remove(stranger.id, nights.name)),
        false,
      );
    }
    const replaced: Schedule = { name: "Nights", days: { tuesday: { allday: true } } };
    await store.write(({ schedules }) => schedules.put(alice.id, replaced));
    assert.deepEqual(await store.schedules.find(alice.id, "Nights"), replaced);
    assert.equal(await store.write(({ schedules }) => schedules.remove(alice.id, "Nights")), true);
    assert.deepEqual(await store.schedules.list(alice.id), [days]);
  });

  test("a day named __proto__ stays a key like any other", async () => {
    await using store = await open();
    const odd: Schedule = { name: "__proto__", days: JSON.parse('{"__proto__":{"allday":true}}') };
    await store.write(({ schedules }) => schedules.put(alice.id, odd));
    const found = await store.schedules.find(alice.id, "__proto__");
    assert.deepEqual(Object.entries(found?.days ?? {}), [["__proto__", { allday: true }]]);
    assert.equal("allday" in {}, false);
  });
}

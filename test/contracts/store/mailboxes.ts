import assert from "node:assert/strict";
import { test } from "node:test";

import type { SpentBudget } from "../../../src/domain/contact/mail-limits.ts";
import type { Transaction } from "../../../src/store/store.ts";
import type { BudgetedMail } from "../../../src/store/tables/mail-budget.ts";
import { recordFlip } from "../../../src/store/transactions/record-flip.ts";
import {
  aCheck,
  aContact,
  aResult,
  alice,
  anAddress,
  bob,
  carol,
  minute,
  noon,
} from "../../record-builders.ts";
import type { ContractStore } from "./contract-store.ts";
import type { OpenStore } from "./store.ts";

const mailbox = "ann@example.net";
const unconfirmed = anAddress("mail", { address: mailbox, confirmed: false });
const ann = aContact("ann", { addresses: [unconfirmed] });
const again = { status: "waiting", nextAttemptAt: noon, possiblySent: false } as const;

const hour = 3_600_000;
const day = 24 * hour;
const AT_ONCE = 6;

export function mailBudgetContract(open: OpenStore): void {
  const take = (
    store: ContractStore,
    mail: Partial<BudgetedMail> & Pick<BudgetedMail, "limits">,
  ): Promise<SpentBudget | undefined> =>
    store.write(({ mailBudget }) =>
      mailBudget.take({ mailbox, accountId: alice.id, at: noon, ...mail }),
    );

  test("a mailbox gets so many mails an hour and a day, however it is spelled and whoever asks", async () => {
    await using store = await open();
    const limits = { perMailbox: 1, perAccount: 0 };
    assert.equal(await take(store, { limits }), undefined);
    for (const mail of [
      { accountId: carol.id },
      { mailbox: "A.nn+tag@Example.net" },
      { at: noon + hour - 1 },
    ])
      assert.equal((await take(store, { limits, ...mail }))?.of, "mailbox");
    assert.equal(await take(store, { limits, mailbox: "ben@example.net" }), undefined);
    for (let sent = 1; sent < 4; sent += 1)
      assert.equal(await take(store, { limits, at: noon + sent * hour }), undefined);
    assert.deepEqual(await take(store, { limits, at: noon + 4 * hour }), {
      of: "mailbox",
      forMs: day - 4 * hour,
    });
    assert.equal(await take(store, { limits, at: noon + day }), undefined);
  });

  test("an account has so many mails a day, those that its subaccounts ask for included", async () => {
    await using store = await open();
    const limits = { perMailbox: 0, perAccount: 1 };
    assert.equal(await take(store, { limits, accountId: bob.id }), undefined);
    assert.deepEqual(await take(store, { limits, mailbox: "ben@example.net" }), {
      of: "account",
      forMs: day,
    });
    assert.equal(await take(store, { limits, accountId: carol.id }), undefined);
  });

  test("mails of alerts to a mailbox are counted within a day that begins with the first", async () => {
    await using store = await open();
    const count = (at: number, to = mailbox): Promise<void> =>
      store.write(({ mailBudget }) => mailBudget.countAlertMail({ mailbox: to, at }));
    const resumeAt = (at: number, limit = 2): Promise<number | undefined> =>
      store.mailBudget.alertsResumeAt({ mailbox: "A.nn+tag@Example.net", at, limit });
    await Promise.all([count(noon), count(noon, "ben@example.net")]);
    assert.equal(await resumeAt(noon + hour), undefined);
    await count(noon + hour);
    assert.equal(await resumeAt(noon + hour), noon + day);
    assert.equal(await resumeAt(noon + hour, 3), undefined);
    assert.equal(await resumeAt(noon + hour, 0), undefined);
    assert.equal(await resumeAt(noon + day), undefined);
    // The clock was set back.
    assert.equal(await resumeAt(noon - 1), undefined);
    await Promise.all(Array.from({ length: AT_ONCE }, () => count(noon + day)));
    assert.equal(await resumeAt(noon + day, AT_ONCE + 1), undefined);
    assert.equal(await resumeAt(noon + day, AT_ONCE), noon + 2 * day);
  });

  for (const [name, limits, spread] of [
    ["to one mailbox", { perMailbox: 1, perAccount: 0 }, { accountIds: [alice.id, carol.id] }],
    ["by one account", { perMailbox: 0, perAccount: 1 }, { accountIds: [alice.id, bob.id] }],
  ] as const)
    test(`of mails ${name} at the same time, as many pass as are left`, async () => {
      await using store = await open();
      const taken = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, index) => {
          const accountId = spread.accountIds[index % spread.accountIds.length] ?? alice.id;
          const to = limits.perMailbox === 0 ? `m${index}@example.net` : mailbox;
          return take(store, { limits, accountId, mailbox: to });
        }),
      );
      assert.equal(taken.filter((spent) => spent === undefined).length, 1);
    });
}

export function confirmationContract(open: OpenStore): void {
  const confirm = (store: ContractStore, of = mailbox, accountId = alice.id): Promise<boolean> =>
    store.write(({ contacts }) => contacts.confirmMailbox(accountId, of));
  const confirmed = async (store: ContractStore, accountId = alice.id) =>
    Object.fromEntries(
      (await store.contacts.list(accountId)).flatMap(({ addresses }) =>
        addresses.map((address) => [address.id, address.confirmed]),
      ),
    );

  test("a mailbox is confirmed for an account, wherever it stands there, once, and for no other account", async () => {
    await using store = await open();
    await store.write(async ({ contacts }) => {
      await contacts.insert(ann);
      const [same, other] = [
        anAddress("same", { address: "Ann@Example.net", confirmed: false }),
        anAddress("other", { confirmed: false }),
      ];
      await contacts.insert(aContact("ben", { addresses: [same, other] }));
      const ofBob = { ...unconfirmed, id: "bobs" };
      await contacts.insert(aContact("carl", { accountId: bob.id, addresses: [ofBob] }));
    });
    assert.equal(await store.contacts.isConfirmed(alice.id, mailbox), false);
    assert.equal(await confirm(store, "nobody@example.net"), false);
    const both = await Promise.all([confirm(store), confirm(store)]);
    assert.deepEqual(both.toSorted(), [false, true]);
    assert.equal(await confirm(store), false);
    assert.deepEqual(await confirmed(store), { mail: true, same: true, other: false });
    assert.deepEqual(await confirmed(store, bob.id), { bobs: false });
    assert.equal(await store.contacts.isConfirmed(alice.id, "ANN@example.net"), true);
    assert.equal(await store.contacts.isConfirmed(bob.id, mailbox), false);
  });

  test("a mailbox that the account confirmed is confirmed in each of its contacts, and as long as it stands in one", async () => {
    await using store = await open();
    await store.write(({ contacts }) => contacts.insert(ann));
    await confirm(store);
    await store.write(async ({ contacts }) => {
      await contacts.insert(aContact("ben", { addresses: [{ ...unconfirmed, id: "second" }] }));
      // A client that read the contact before it was confirmed writes it back.
      await contacts.update({ ...ann, name: "Anna" });
    });
    assert.deepEqual(await confirmed(store), { mail: true, second: true });
    await store.write(async ({ contacts }) => {
      await contacts.remove(alice.id, "ben");
      await contacts.update({
        ...ann,
        addresses: [{ ...unconfirmed, address: "else@example.net" }],
      });
    });
    assert.deepEqual(await confirmed(store), { mail: false });
    await store.write(({ contacts }) => contacts.update(ann));
    assert.deepEqual(await confirmed(store), { mail: false });
  });

  test("a contact that is changed while its mailbox is confirmed ends confirmed", async () => {
    await using store = await open();
    await store.write(({ contacts }) => contacts.insert(ann));
    for (let round = 0; round < 5; round += 1) {
      await Promise.all([
        store.write(({ contacts }) => contacts.update({ ...ann, name: `Ann ${round}` })),
        confirm(store),
        store.write(({ contacts }) => contacts.update({ ...ann, name: `Anna ${round}` })),
      ]);
      assert.deepEqual(await confirmed(store), { mail: true });
      await store.write(async ({ contacts }) => {
        await contacts.remove(alice.id, ann.id);
        await contacts.insert(ann);
      });
    }
  });

  /** A check that is down, with an alert to Ann's mailbox that was held for want of a confirmation. */
  const withHeldDown = async (): Promise<ContractStore> => {
    const store = await open();
    await store.write(async (tx) => {
      await tx.contacts.insert(ann);
      await tx.checks.insert(aCheck("check", { notifications: [{ ann: "All" }] }));
    });
    await flip(store, { from: undefined, to: "failing", at: noon });
    await store.at(noon);
    await hold(store);
    return store;
  };
  const flip = async (
    store: ContractStore,
    { from, to, at }: { from: "failing" | undefined; to: "failing" | "passing"; at: number },
  ): Promise<void> => {
    const found = await store.checks.find(alice.id, "check");
    assert.ok(found);
    const { check } = found;
    const result = aResult(check.no, at, { passed: to === "passing" });
    await store.write((tx: Transaction) =>
      recordFlip(
        tx,
        { check, from, to, result, since: at, confirmations: [], at },
        { alert: () => `${to}-${at}` },
      ),
    );
  };
  const hold = (store: ContractStore): Promise<void> =>
    store.write(async ({ alerts }) => {
      for (const { id } of await alerts.claim({ leaseMs: minute, limit: 9 }))
        await alerts.finishAttempt(id, again);
    });
  const alertsOf = async (store: ContractStore) =>
    (
      await store.alerts.listNotifications({
        accountIds: [alice.id],
        checkId: undefined,
        from: 0,
        limit: 9,
        dropped: true,
      })
    ).map(({ kind, status, reason }) => [kind, status, reason].join(" ").trim());

  test("an alert to a mailbox that is not confirmed is held, and goes on once it is, with its whole time", async () => {
    await using store = await withHeldDown();
    assert.deepEqual(await alertsOf(store), ["first held address_unconfirmed"]);
    assert.equal(await store.alerts.msUntilDue(), undefined);
    await store.at(noon + 24 * 60 * minute);
    await confirm(store);
    assert.deepEqual(await alertsOf(store), ["first waiting"]);
    const [alert] = await store.write(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 9 }));
    assert.equal(alert?.retryUntil, noon + 30 * 60 * minute);
    assert.equal(alert?.judged, false);
  });

  test("a Down that was held for a confirmation is not sent once its check recovered", async () => {
    await using store = await withHeldDown();
    await flip(store, { from: "failing", to: "passing", at: noon + minute });
    await confirm(store);
    assert.deepEqual((await alertsOf(store)).toSorted(), ["first dropped recovered", "up waiting"]);
  });

  test("a retry does not follow an address to a mailbox that is not confirmed", async () => {
    await using store = await withHeldDown();
    await confirm(store);
    await store.write(async ({ alerts, contacts }) => {
      const [alert] = await alerts.claim({ leaseMs: minute, limit: 9 });
      assert.ok(alert);
      const elsewhere = { ...unconfirmed, address: "else@example.net" };
      await contacts.update({ ...ann, addresses: [elsewhere] });
      await alerts.finishAttempt(alert.id, { ...again, possiblySent: true });
    });
    assert.deepEqual(await alertsOf(store), ["first held address_unconfirmed"]);
  });

  test("what was held for a confirmation is judged again where its address goes, or is one that was confirmed", async () => {
    for (const end of [
      ({ contacts }: Transaction) => contacts.remove(alice.id, ann.id),
      ({ contacts }: Transaction) =>
        contacts.update({ ...ann, addresses: [{ ...unconfirmed, confirmed: true }] }),
      ({ contacts }: Transaction) => contacts.confirmAll(),
    ]) {
      await using store = await withHeldDown();
      await store.write(async (tx) => {
        await end(tx);
      });
      assert.deepEqual(await alertsOf(store), ["first waiting"]);
    }
  });

  test("an alert is not held for a confirmation that came first, nor kept for one that is no more awaited", async () => {
    await using store = await withHeldDown();
    await confirm(store);
    await Promise.all([hold(store), confirm(store)]);
    assert.deepEqual(await alertsOf(store), ["first waiting"]);
  });

  test("a pause of the check does not end what is held for a confirmation, nor does its end", async () => {
    await using store = await withHeldDown();
    const switchTo = (enabled: boolean): Promise<void> =>
      store.write(async ({ checks }) => {
        const found = await checks.find(alice.id, "check");
        assert.ok(found);
        await checks.update(
          {
            ...found.check,
            enabled,
            revision: found.check.revision + 1,
            runRevision: found.check.runRevision + 1,
          },
          noon + minute,
        );
      });
    await switchTo(false);
    await confirm(store);
    await hold(store);
    assert.deepEqual(await alertsOf(store), ["first held disabled"]);
  });
}

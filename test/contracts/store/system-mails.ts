import assert from "node:assert/strict";
import { test } from "node:test";

import type {
  DiagnosticsMail,
  NewSystemMail,
  OutageReport,
  SystemMail,
} from "../../../src/domain/system-mail.ts";
import { aContact, aWelcome, alice, bob, carol, minute, noon } from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";
import type { ContractStore } from "./contract-store.ts";

export function systemMailContract(open: OpenStore): void {
  const openWithContacts: OpenStore = async () => {
    const store = await open();
    await store.write(async ({ contacts }) => {
      for (const id of ["ann", "ben"]) await contacts.insert(aContact(id));
    });
    return store;
  };
  const insert = (store: ContractStore, ...mails: readonly NewSystemMail[]): Promise<void> =>
    store.write(async (tx) => {
      for (const mail of mails) await tx.systemMails.insert(mail);
    });
  const claim = async (store: ContractStore, now: number): Promise<SystemMail | undefined> => {
    await store.at(now);
    return store.write(({ systemMails }) => systemMails.claim({ leaseMs: minute }));
  };

  test("a mail comes back as it was given, the one that has waited longest first, once", async () => {
    await using store = await openWithContacts();
    const [older, newer] = [aWelcome("ben"), aWelcome("ann", { createdAt: noon + 5 })];
    await insert(store, newer, older);
    assert.equal(await (await store.at(noon - 1)).systemMails.isDue(), false);
    assert.equal(await claim(store, noon - 1), undefined);
    assert.equal(await (await store.at(noon)).systemMails.isDue(), true);
    assert.deepEqual(await claim(store, noon + 5), { ...older, attempts: 1 });
    assert.deepEqual(await claim(store, noon + 5), { ...newer, attempts: 1 });
    assert.equal(await (await store.at(noon + 5)).systemMails.isDue(), false);
    assert.equal(await claim(store, noon + 5), undefined);
  });

  test("a lease that ran out leaves the mail to the next, and whoever had it can no longer postpone it", async () => {
    await using store = await openWithContacts();
    await insert(store, aWelcome("ann"));
    const first = await claim(store, noon);
    assert.ok(first);
    const second = await claim(store, noon + minute);
    assert.deepEqual(second, { ...first, attempts: 2 });
    await store.write(({ systemMails }) => systemMails.postpone(first, noon));
    assert.equal(await (await store.at(noon + minute)).systemMails.isDue(), false);
    await store.write(({ systemMails }) => systemMails.postpone(second, noon));
    assert.equal(await (await store.at(noon)).systemMails.isDue(), true);
  });

  test("a mail that was removed is gone", async () => {
    await using store = await openWithContacts();
    await insert(store, aWelcome("ann"), aWelcome("ben"));
    await store.write(({ systemMails }) => systemMails.remove(aWelcome("ann").id));
    assert.equal((await claim(store, noon))?.contactId, "ben");
    assert.equal(await claim(store, noon), undefined);
  });

  test("a mail takes the place of an earlier one to the same contact, and of no other", async () => {
    await using store = await openWithContacts();
    await insert(store, aWelcome("ann"), aWelcome("ben"));
    await insert(store, aWelcome("ann", { id: "again", password: "newer" }));
    const claimed = [await claim(store, noon), await claim(store, noon)];
    assert.deepEqual(
      claimed.map((mail) => mail?.id),
      [aWelcome("ben").id, "again"],
    );
    assert.equal(await claim(store, noon), undefined);
  });

  test("a contact that is removed takes its mail along", async () => {
    await using store = await openWithContacts();
    await insert(store, aWelcome("ann"));
    await store.write(({ contacts }) => contacts.remove(alice.id, "ann"));
    assert.equal(await (await store.at(noon)).systemMails.isDue(), false);
  });

  test("a password is set for a contact of the account alone, and a change of the contact keeps it", async () => {
    await using store = await openWithContacts();
    const set = (accountId: string, contactId: string): Promise<boolean> =>
      store.write(({ contacts }) =>
        contacts.setPassword({ accountId, contactId, hash: "$scrypt$", at: noon }),
      );
    assert.equal(await store.contacts.passwordSetAt(alice.id, "ann"), undefined);
    for (const stranger of [bob, carol]) assert.equal(await set(stranger.id, "ann"), false);
    assert.equal(await set(alice.id, "nobody"), false);
    assert.equal(await set(alice.id, "ann"), true);
    await store.write(({ contacts }) => contacts.update(aContact("ann", { name: "Anna" })));
    assert.equal(await store.contacts.passwordSetAt(alice.id, "ann"), noon);
    assert.equal(await store.contacts.passwordSetAt(alice.id, "ben"), undefined);
    for (const stranger of [bob, carol])
      assert.equal(await store.contacts.passwordSetAt(stranger.id, "ann"), undefined);
  });

  const report = (outage: string): OutageReport => ({
    outage,
    checkId: outage,
    label: outage,
    target: "",
    downSince: noon,
    location: "fra",
    at: noon,
    findings: [],
  });
  const diagnosis = (id: string, outage: string, follows = "bundle") =>
    ({
      id,
      accountId: alice.id,
      contactId: "ann",
      addressId: "mail",
      kind: "diagnosis",
      to: "ann@example.net",
      createdAt: noon,
      follows,
      timeZone: "+00:00",
      reports: [report(outage)],
    }) as const;

  test("diagnostics that follow one message come in one mail, as early as any of them is due, until it was tried", async () => {
    await using store = await openWithContacts();
    const add = (mail: Omit<DiagnosticsMail, "attempts">, dueAt: number): Promise<boolean> =>
      store.write(({ systemMails }) => systemMails.addDiagnostics(mail, dueAt));
    assert.equal(await add(diagnosis("first", "one"), noon + minute), true);
    assert.equal(await add(diagnosis("other", "else", "another"), noon + minute), true);
    assert.equal(await claim(store, noon), undefined);
    assert.equal(await add(diagnosis("second", "two"), noon), false);
    const claimed = await claim(store, noon);
    assert.deepEqual(claimed, {
      ...diagnosis("first", "one"),
      reports: [report("one"), report("two")],
      attempts: 1,
    });
    await store.write(({ systemMails }) => systemMails.remove("first"));
    const long = { tool: "page", about: "", text: "x".repeat(300_000) } as const;
    const full = diagnosis("full", "four", "third");
    await add({ ...full, reports: [{ ...report("four"), findings: [long] }] }, noon);
    await add({ ...full, reports: [{ ...report("five"), findings: [long] }] }, noon);
    const filled = await claim(store, noon);
    assert.ok(filled?.kind === "diagnosis");
    assert.deepEqual(
      filled.reports.map(({ outage, findings }) => [outage, findings.length]),
      [
        ["four", 1],
        ["five", 0],
      ],
    );
    await store.write(({ systemMails }) => systemMails.remove("full"));
    assert.equal(await claim(store, noon + minute - 1), undefined);
    assert.equal((await claim(store, noon + minute))?.id, "other");
    assert.equal(await add(diagnosis("late", "three", "another"), noon), true);
    assert.equal((await claim(store, noon + minute))?.id, "late");
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";

import type { Session } from "../../../../src/domain/account/session.ts";
import { aContact, alice, anAddress, bob, carol, noon } from "../../../record-builders.ts";
import type { ContractStore } from "../contract-store.ts";
import type { OpenStore } from "../store.ts";

const MAILBOX = "ann@example.net";

const mail = (id: string, address = MAILBOX) => anAddress(id, { kind: "email", address });

function aSession(digest: string, changes: Partial<Session> = {}): Session {
  return {
    digest,
    accountId: alice.id,
    contactId: "ann",
    createdAt: noon,
    usedAt: noon,
    endsAt: noon + 100,
    client: "192.0.2.1",
    agent: "browser",
    ...changes,
  };
}

async function withAnn(open: OpenStore): Promise<ContractStore> {
  const store = await open();
  await store.write(async ({ contacts }) => {
    await contacts.insert(aContact("ann", { role: "owner", addresses: [mail("mail")] }));
    await contacts.insert(aContact("ben", { addresses: [mail("bens", "ben@example.net")] }));
  });
  return store;
}

const password = { accountId: alice.id, contactId: "ann", hash: "hash", at: noon };

export function sessionContract(open: OpenStore): void {
  test("a session comes back with whom it is of, as they are now", async () => {
    await using store = await withAnn(open);
    const session = aSession("a");
    await store.write((tx) => tx.sessions.insert(session, 9));
    const found = await store.sessions.find("a");
    assert.deepEqual([found?.session, found?.account], [session, alice]);
    assert.equal(await store.sessions.find("A"), undefined);
    await store.write(async ({ contacts }) => {
      const ann = await contacts.find(alice.id, "ann");
      assert.ok(ann);
      await contacts.update({ ...ann, name: "Anna" });
    });
    const { contact } = (await store.sessions.find("a")) ?? {};
    assert.deepEqual({ ...contact }, { id: "ann", name: "Anna", role: "owner" });
  });

  test("the sessions of a contact are listed, the newest first, and only in its account", async () => {
    await using store = await withAnn(open);
    const [old, young] = [aSession("a"), aSession("b", { createdAt: noon + 1 })];
    await store.write(async ({ sessions }) => {
      for (const each of [old, young, aSession("c", { contactId: "ben" })])
        await sessions.insert(each, 9);
    });
    assert.deepEqual(await store.sessions.listOf(alice.id, "ann"), [young, old]);
    assert.deepEqual(await store.sessions.listOf(carol.id, "ann"), []);
  });

  test("a new session removes those of its contact that have ended, and the oldest of too many", async () => {
    await using store = await withAnn(open);
    await store.write(async ({ sessions }) => {
      for (const [digest, changes] of [
        ["ended", { endsAt: noon + 3 }],
        ["bens", { contactId: "ben", endsAt: noon + 3 }],
        ["a", { createdAt: noon + 1 }],
        ["b", { createdAt: noon + 2 }],
        ["c", { createdAt: noon + 3 }],
      ] as const)
        await sessions.insert(aSession(digest, changes), 3);
    });
    const left = async (contact: string): Promise<readonly string[]> =>
      (await store.sessions.listOf(alice.id, contact)).map(({ digest }) => digest);
    assert.deepEqual([await left("ann"), await left("ben")], [["c", "b", "a"], ["bens"]]);
    await store.write((tx) => tx.sessions.insert(aSession("d", { createdAt: noon + 4 }), 3));
    assert.deepEqual(await left("ann"), ["d", "c", "b"]);
  });

  test("an address is known while a session lasts that began there", async () => {
    await using store = await withAnn(open);
    await store.write((tx) => tx.sessions.insert(aSession("a"), 9));
    const isKnown = (client: string, now: number) => store.sessions.isClientKnown(client, now);
    assert.deepEqual(
      [
        await isKnown("192.0.2.1", noon),
        await isKnown("192.0.2.2", noon),
        await isKnown("192.0.2.1", noon + 100),
      ],
      [true, false, false],
    );
  });

  test("a use of a session is noted unless one is noted that is as young", async () => {
    await using store = await withAnn(open);
    await store.write((tx) => tx.sessions.insert(aSession("a"), 9));
    const note = async (at: number, since: number): Promise<unknown> => {
      await store.write((tx) => tx.sessions.noteUse({ digest: "a", at, since }));
      return (await store.sessions.find("a"))?.session.usedAt;
    };
    assert.equal(await note(noon + 5, noon - 5), noon);
    assert.equal(await note(noon + 10, noon), noon + 10);
  });

  test("a session ends once, with a new password of its contact, and with the contact", async () => {
    await using store = await withAnn(open);
    const begin = () => store.write((tx) => tx.sessions.insert(aSession("a"), 9));
    await begin();
    assert.equal(await store.write((tx) => tx.sessions.remove("a")), true);
    assert.equal(await store.write((tx) => tx.sessions.remove("a")), false);
    await begin();
    await store.write((tx) => tx.sessions.insert(aSession("b", { contactId: "ben" }), 9));
    await store.write(({ contacts }) => contacts.setPassword(password));
    assert.equal(await store.sessions.find("a"), undefined);
    assert.ok(await store.sessions.find("b"), "that of another contact goes on");
    await begin();
    await store.write(({ contacts }) => contacts.remove(alice.id, "ann"));
    assert.equal(await store.sessions.find("a"), undefined);
  });

  test("another role or first mailbox ends the sessions of a contact, and what would lead to one; nothing else does", async () => {
    await using store = await withAnn(open);
    const ref = { accountId: alice.id, contactId: "ann" };
    const end = { ...ref, endsAt: noon + 100 };
    const ann = await store.contacts.find(alice.id, "ann");
    assert.ok(ann);
    const isLeft = async (): Promise<readonly boolean[]> => [
      (await store.sessions.find("a")) !== undefined,
      (await store.sessions.findLink("l")) !== undefined,
      (await store.secondFactors.findPending("p")) !== undefined,
    ];
    const other = mail("other", "other@example.net");
    for (const [changes, ends] of [
      [{ name: "Anna" }, false],
      [{ addresses: [mail("mail"), other] }, false],
      [{ role: "edit" }, true],
      [{ addresses: [other, mail("mail")] }, true],
      [{ addresses: [] }, true],
    ] as const) {
      await store.write(async (tx) => {
        await tx.contacts.update(ann);
        await tx.sessions.insert(aSession("a"), 9);
        await tx.sessions.insertLink({ ...end, digest: "l" });
        await tx.secondFactors.insertPending({ ...end, digest: "p" }, { most: 9, now: noon });
      });
      await store.write(({ contacts }) => contacts.update({ ...ann, ...changes }));
      const left = !ends;
      assert.deepEqual(await isLeft(), [left, left, left], JSON.stringify(changes));
      await store.write(({ sessions }) => sessions.endAll("ann"));
    }
  });

  test("all sessions of a contact end but the one that is kept", async () => {
    await using store = await withAnn(open);
    await store.write(async ({ sessions }) => {
      for (const each of [aSession("a"), aSession("b"), aSession("c", { contactId: "ben" })])
        await sessions.insert(each, 9);
      await sessions.endAll("ann", "b");
    });
    const left = await Promise.all(["a", "b", "c"].map((each) => store.sessions.find(each)));
    assert.deepEqual(
      left.map((found) => found !== undefined),
      [false, true, true],
    );
  });

  test("a link to sign in works once, until another one or a password", async () => {
    await using store = await withAnn(open);
    const link = { accountId: alice.id, contactId: "ann", endsAt: noon };
    const give = (digest: string) =>
      store.write((tx) => tx.sessions.insertLink({ ...link, digest }));
    await give("a");
    assert.deepEqual(await store.sessions.findLink("a"), { ...link, digest: "a" });
    await give("b");
    assert.equal(await store.sessions.findLink("a"), undefined);
    const follow = () => store.write((tx) => tx.sessions.removeLink("b"));
    assert.deepEqual([await follow(), await follow()], [true, false]);
    await give("c");
    await store.write(({ contacts }) => contacts.setPassword(password));
    assert.equal(await store.sessions.findLink("c"), undefined);
  });

  test("who signs in elsewhere is found by a mailbox that is confirmed, with or without a password", async () => {
    await using store = await withAnn(open);
    const found = async (mailbox: string, accountId?: string) =>
      (await store.contacts.findConfirmedSignIn({ mailbox, accountId }))?.contactId;
    assert.equal(await found("Ann@Example.net"), "ann");
    assert.equal(await found("ben@example.net"), undefined, "only gets alerts");
    assert.equal(await found("nobody@example.net"), undefined);
    await store.write(async ({ contacts }) => {
      for (const [id, accountId, addresses] of [
        ["unasked", bob.id, [{ ...mail("u"), confirmed: false }]],
        ["other", carol.id, [mail("y", "first@example.net"), mail("z")]],
        ["second", carol.id, [mail("x")]],
      ] as const)
        await contacts.insert(aContact(id, { accountId, role: "view", addresses }));
    });
    assert.equal(await found(MAILBOX), "ann");
    assert.equal(await found(MAILBOX, bob.id), undefined, "nobody has agreed there");
    assert.equal(await found(MAILBOX, carol.id), "second");
  });

  test("who signs in is found by the first mailbox, in any account, the oldest first", async () => {
    await using store = await withAnn(open);
    const found = async (mailbox: string, accountId?: string): Promise<readonly unknown[]> =>
      (await store.contacts.findSignIns({ mailbox, accountId, limit: 2 })).map((each) => [
        each.contactId,
        each.password,
      ]);
    const ids = async (limit: number): Promise<readonly string[]> =>
      (await store.contacts.findByMailbox("Ann@Example.net", limit)).map((each) => each.contactId);
    assert.deepEqual(await found(MAILBOX), [], "without a password nobody does");
    assert.deepEqual(await ids(9), ["ann"], "but may choose one");
    await store.write(async ({ contacts }) => {
      for (const [id, accountId, role, addresses] of [
        ["second", carol.id, "view", [mail("x")]],
        ["other", carol.id, "edit", [mail("y", "first@example.net"), mail("z")]],
        ["notified", carol.id, "notify", [mail("n")]],
        ["third", bob.id, "owner", [mail("t")]],
      ] as const) {
        await contacts.insert(aContact(id, { accountId, role, addresses }));
        await contacts.setPassword({ ...password, accountId, contactId: id, hash: id });
      }
      await contacts.setPassword(password);
    });
    assert.deepEqual(await found("Ann@Example.net"), [
      ["ann", "hash"],
      ["second", "second"],
    ]);
    assert.deepEqual(await ids(9), ["ann", "second", "third"]);
    assert.deepEqual(await ids(1), ["ann"]);
    assert.deepEqual(await found(MAILBOX, bob.id), [["third", "third"]]);
    assert.equal(await store.contacts.passwordOf(alice.id, "ann"), "hash");
    assert.equal(await store.contacts.passwordOf(carol.id, "ann"), undefined);
  });
}

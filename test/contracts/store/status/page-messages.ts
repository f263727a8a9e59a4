import assert from "node:assert/strict";
import { test } from "node:test";

import type { Incident } from "../../../../src/domain/status/incident.ts";
import { saveIncident } from "../../../../src/store/transactions/save-incident.ts";
import { postWaitMs, type PageMessage } from "../../../../src/domain/status/subscriber.ts";
import {
  alice,
  anIncident,
  aStatusPage,
  aSubscriber,
  bob,
  carol,
  minute,
  noon,
} from "../../../record-builders.ts";
import type { ContractStore } from "../contract-store.ts";
import type { OpenStore } from "../store.ts";

const due = noon + postWaitMs;
const first = { at: noon, stage: "investigating", text: "" } as const;
const second = { at: noon + 30_000, stage: "identified", text: "" } as const;
const third = { at: noon + 2 * minute, stage: "monitoring", text: "" } as const;

function withUpdates(...updates: Incident["updates"]): Incident {
  return anIncident("trouble", { updates });
}

export function pageMessageContract(open: OpenStore): void {
  const openWithReaders = async (): Promise<ContractStore> => {
    const store = await open();
    await store.write(async ({ statusPages, subscribers }) => {
      for (const id of ["page", "other", "lonely"]) await statusPages.insert(aStatusPage(id));
      await statusPages.insert(aStatusPage("off", { enabled: false }));
      for (const id of ["ann", "ben", "cid"]) await subscribers.insert(aSubscriber(id));
      await subscribers.insert(aSubscriber("dan", { state: "pending", confirmedAt: undefined }));
      await subscribers.insert(aSubscriber("hook", { kind: "webhook" }));
      await subscribers.insert(aSubscriber("eve", { pageId: "other" }));
      await subscribers.insert(aSubscriber("fay", { pageId: "off" }));
    });
    return store;
  };
  const post = (store: ContractStore, incident: Incident) =>
    store.write((tx) => saveIncident(tx, incident));
  const change = (store: ContractStore, incident: Incident) =>
    store.write(async (tx) =>
      saveIncident(tx, incident, await tx.incidents.find(alice.id, incident.id)),
    );
  const spreadAll = async (store: ContractStore, at: number): Promise<void> => {
    await store.at(at);
    while (await store.write(({ pageMessages }) => pageMessages.spread(2)));
  };
  const claim = async (
    store: ContractStore,
    {
      at,
      kind = "email",
      of = { primaryId: alice.id },
    }: {
      readonly at: number;
      readonly kind?: PageMessage["kind"];
      readonly of?: { readonly primaryId: string | undefined };
    },
  ) => {
    await store.at(at);
    const wanted = { kind, ...of, leaseMs: minute };
    return store.write(({ pageMessages }) => pageMessages.claim(wanted));
  };
  const claimAll = async (
    store: ContractStore,
    wanted: Parameters<typeof claim>[1],
  ): Promise<readonly PageMessage[]> => {
    const found: PageMessage[] = [];
    for (let one = await claim(store, wanted); one; one = await claim(store, wanted))
      found.push(one);
    return found;
  };

  test("an update goes to the confirmed subscribers of every page that shows it, once, a minute later", async () => {
    await using store = await openWithReaders();
    await post(store, withUpdates(first));
    assert.deepEqual(await store.pageMessages.sendingAccounts(), [alice.id]);
    assert.equal(await (await store.at(due - 1)).pageMessages.isDue(), false);
    await spreadAll(store, due - 1);
    assert.equal(await store.count("page_messages"), 0);
    assert.equal(await (await store.at(due)).pageMessages.isDue(), true);
    await spreadAll(store, due);
    const mails = await claimAll(store, { at: due });
    assert.deepEqual(mails.map(({ subscriberId }) => subscriberId).toSorted(), [
      "ann",
      "ben",
      "cid",
      "eve",
    ]);
    const ann = mails.find(({ subscriberId }) => subscriberId === "ann");
    assert.deepEqual(ann, {
      seq: ann?.seq,
      subscriberId: "ann",
      kind: "email",
      accountId: alice.id,
      primaryId: alice.id,
      post: { id: "trouble-0-page", pageId: "page", incidentId: "trouble", from: 0, to: 1 },
      createdAt: due,
      attempts: 1,
    });
    const hooks = await claimAll(store, { at: due, kind: "webhook" });
    assert.deepEqual(
      hooks.map(({ subscriberId }) => subscriberId),
      ["hook"],
    );
    assert.equal(await (await store.at(due)).pageMessages.isDue(), false);
    assert.equal(await claim(store, { at: due, of: { primaryId: carol.id } }), undefined);
    await store.write(async ({ pageMessages }) => {
      for (const { seq } of [...mails, ...hooks]) await pageMessages.remove(seq);
      await pageMessages.removeSentPosts();
    });
    assert.deepEqual(await store.pageMessages.sendingAccounts(), []);
  });

  test("only subscribers of the pages that an incident names get its updates, and its subaccount's share is that of the primary", async () => {
    await using store = await openWithReaders();
    await store.write(async (tx) => {
      const { statusPages, subscribers } = tx;
      const bobs = { accountId: bob.id };
      await statusPages.insert(aStatusPage("bobs", bobs));
      await subscribers.insert(aSubscriber("gil", { ...bobs, pageId: "bobs" }));
      await saveIncident(tx, anIncident("bobs", { ...bobs, updates: [first] }));
      await saveIncident(tx, anIncident("named", { pageIds: ["other"], updates: [first] }));
    });
    await spreadAll(store, due);
    const found = await claimAll(store, { at: due });
    assert.deepEqual(
      found.map(({ subscriberId, accountId }) => `${subscriberId} of ${accountId}`).toSorted(),
      ["eve of ALICE", "gil of BOB"],
    );
  });

  test("updates within a minute go as one, and later ones on their own", async () => {
    await using store = await openWithReaders();
    await post(store, withUpdates(first));
    await change(store, withUpdates(first, second));
    await change(store, { ...withUpdates(first, second), title: "Renamed" });
    await spreadAll(store, due);
    await change(store, withUpdates(first, second, third));
    await spreadAll(store, third.at + postWaitMs);
    const ofAnn = (await claimAll(store, { at: third.at + postWaitMs })).flatMap(
      ({ subscriberId, post: posted }) => (subscriberId === "ann" ? [posted] : []),
    );
    assert.deepEqual(
      ofAnn.map((posted) => [posted?.id, posted?.from, posted?.to]),
      [
        ["trouble-0-page", 0, 2],
        ["trouble-2-page", 2, 3],
      ],
    );
  });

  test("an incident that is deleted, and a subscriber that ends, are sent nothing more", async () => {
    await using store = await openWithReaders();
    await post(store, withUpdates(first));
    await post(store, anIncident("mistake", { updates: [first] }));
    await spreadAll(store, due);
    await store.write(async ({ incidents, subscribers }) => {
      await incidents.remove(alice.id, "mistake");
      await subscribers.end("ann", noon + minute);
    });
    const left = await claimAll(store, { at: due });
    assert.deepEqual(left.map(({ subscriberId }) => subscriberId).toSorted(), [
      "ben",
      "cid",
      "eve",
    ]);
  });

  test("a lease that ran out leaves a message to the next; a request to confirm has its own way", async () => {
    await using store = await openWithReaders();
    const dan = aSubscriber("dan");
    await store.write(({ pageMessages }) => pageMessages.request(dan));
    const requests = { at: noon, of: { primaryId: undefined } };
    assert.equal(await claim(store, { at: noon }), undefined);
    const one = await claim(store, requests);
    assert.deepEqual([one?.subscriberId, one?.post, one?.attempts], ["dan", undefined, 1]);
    assert.equal(await claim(store, requests), undefined);
    const two = await claim(store, { ...requests, at: noon + minute });
    assert.ok(one && two);
    assert.equal(two.attempts, 2);
    await store.write(({ pageMessages }) => pageMessages.postpone(one, noon));
    assert.equal(await claim(store, { ...requests, at: noon + minute }), undefined);
    await store.write(({ pageMessages }) => pageMessages.giveBack(two, noon));
    assert.equal((await claim(store, { ...requests, at: noon + minute }))?.attempts, 2);
    await store.write(({ pageMessages }) => pageMessages.shiftTimes(minute));
    assert.equal(await claim(store, { ...requests, at: noon + 2 * minute }), undefined);
    assert.equal((await claim(store, { ...requests, at: noon + 3 * minute }))?.attempts, 3);
  });
}

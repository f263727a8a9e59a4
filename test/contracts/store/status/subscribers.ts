import assert from "node:assert/strict";
import { test } from "node:test";

import { pendingMs, refusedMs, unansweredMs } from "../../../../src/domain/status/subscriber.ts";
import { alice, aStatusPage, aSubscriber, carol, minute, noon } from "../../../record-builders.ts";
import type { ContractStore } from "../contract-store.ts";
import type { OpenStore } from "../store.ts";

const page = { accountId: alice.id, pageId: "page" };
const all = { after: undefined, limit: 100 };
const pending = {
  state: "pending",
  confirmedAt: undefined,
  endsAt: noon + pendingMs,
} as const;

export function subscriberContract(open: OpenStore): void {
  const openWithPages = async (): Promise<ContractStore> => {
    const store = await open();
    await store.write(async ({ statusPages }) => {
      await statusPages.insert(aStatusPage("page"));
      await statusPages.insert(aStatusPage("other"));
    });
    return store;
  };
  const insert = (
    store: ContractStore,
    ...subscribers: readonly ReturnType<typeof aSubscriber>[]
  ) =>
    store.write(async (tx) => {
      const found = [];
      for (const each of subscribers) found.push((await tx.subscribers.insert(each)).id);
      return found;
    });

  test("subscribers come back as they were given, to their page and account alone, a page of the list at a time", async () => {
    await using store = await openWithPages();
    const [ann, ben] = [aSubscriber("ann"), aSubscriber("ben", pending)];
    const hook = aSubscriber("hook", { kind: "webhook", address: "https://example.com/?key=1" });
    await insert(store, ann, ben, hook, aSubscriber("cid", { pageId: "other" }));
    assert.deepEqual(await store.subscribers.list(page, all), [ann, ben, hook]);
    assert.deepEqual(await store.subscribers.list(page, { after: "ann", limit: 1 }), [ben]);
    const counts = { pending: 1, confirmed: 2, webhooks: 1 };
    assert.deepEqual(await store.subscribers.counts(page), counts);
    const carols = { ...page, accountId: carol.id };
    assert.deepEqual(await store.subscribers.list(carols, all), []);
    assert.equal((await store.subscribers.counts(carols)).confirmed, 0);
    assert.deepEqual(await store.subscribers.find("hook"), hook);
    const remove = (accountId: string) =>
      store.write(({ subscribers }) => subscribers.remove(accountId, "ann"));
    assert.deepEqual([await remove(carol.id), await remove(alice.id)], [false, true]);
    assert.equal(await store.subscribers.find("ann"), undefined);
    await store.write(({ statusPages }) => statusPages.remove(alice.id, "page"));
    assert.equal(await store.subscribers.find("hook"), undefined);
  });

  test("a mailbox subscribes once to a page, however it is written, and to another page too", async () => {
    await using store = await openWithPages();
    const spelled = (id: string, address: string, changes = {}) =>
      aSubscriber(id, { address, ...changes });
    const found = await insert(
      store,
      spelled("one", "Ann.Lee@Example.com"),
      spelled("two", "ann.lee+news@example.COM"),
      spelled("three", "annlee@example.com"),
      spelled("four", "an.n@gmail.com"),
      spelled("five", "ann+1@gmail.com"),
      spelled("six", "jö@bücher.example"),
      spelled("seven", "jo\u0308@xn--bcher-kva.example"),
      spelled("eight", "ann.lee@example.com", { pageId: "other" }),
    );
    assert.deepEqual(found, ["one", "one", "three", "four", "four", "six", "six", "eight"]);
  });

  test("who is pending confirms once, and who has ended leaves a hash that keeps the address from being asked", async () => {
    await using store = await openWithPages();
    await insert(store, aSubscriber("ann", pending));
    const confirm = () =>
      store.write(({ subscribers }) => subscribers.confirm("ann", noon + minute));
    assert.deepEqual([await confirm(), await confirm()], [true, false]);
    const confirmed = { ...aSubscriber("ann"), confirmedAt: noon + minute };
    assert.deepEqual(await store.subscribers.find("ann"), confirmed);
    await store.write(({ subscribers }) => subscribers.end("ann", noon + refusedMs));
    const ended = { state: "ended", address: undefined, confirmedAt: undefined };
    const found = await store.subscribers.find("ann");
    assert.deepEqual(found, { ...confirmed, ...ended, endsAt: noon + refusedMs });
    assert.deepEqual(await insert(store, aSubscriber("eve", { address: "ANN@example.net" })), [
      "ann",
    ]);
    assert.equal(await confirm(), false);
    assert.deepEqual(await store.subscribers.list(page, all), []);
    const resume = (address: string) =>
      store.write(({ subscribers }) => subscribers.resume("ann", { address, at: noon }));
    assert.equal(await resume("ben@example.net"), false);
    assert.equal(await resume("ann@example.net"), true);
    assert.deepEqual(await store.subscribers.find("ann"), aSubscriber("ann"));
    assert.equal(await resume("ann@example.net"), false);
  });

  test("who does not confirm is forgotten but for a hash, and that in its time as well", async () => {
    await using store = await openWithPages();
    await insert(store, aSubscriber("ann", pending), aSubscriber("ben"));
    const housekeepAt = async (at: number) => (await store.at(at)).runHousekeeping();
    await housekeepAt(noon + pendingMs - minute);
    assert.equal((await store.subscribers.find("ann"))?.state, "pending");
    await housekeepAt(noon + pendingMs);
    const late = await store.subscribers.find("ann");
    assert.deepEqual([late?.state, late?.address], ["ended", undefined]);
    await housekeepAt(noon + unansweredMs);
    assert.equal(await store.subscribers.find("ann"), undefined);
    assert.deepEqual(await store.subscribers.list(page, all), [aSubscriber("ben")]);
  });
}

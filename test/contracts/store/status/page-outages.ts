import assert from "node:assert/strict";
import { test } from "node:test";

import type { Store } from "../../../../src/store/store.ts";
import { followOutages } from "../../../../src/store/transactions/follow-outages.ts";
import { aCheck, aFlip, alice, aStatusPage, minute, noon } from "../../../record-builders.ts";
import type { OpenStore } from "../store.ts";

const key = { accountId: alice.id, id: "page" };
const sections = [{ name: "", checks: [{ id: "shop", name: "Shop" }] }];
const range = { from: 0, limit: 9 };
const began = noon - 10 * minute;

/** A page whose check is down. */
async function addOutage(
  store: Store,
  changes: Parameters<typeof aStatusPage>[1],
): Promise<number> {
  return store.write(async (tx) => {
    const { no } = await tx.checks.insert(aCheck("shop"));
    await tx.states.flip(aFlip(no, { id: "outage", at: began, since: began }));
    await tx.statusPages.insert(aStatusPage("page", { sections, ...changes }));
    return no;
  });
}

export function pageOutageContract(open: OpenStore): void {
  test("a page is followed where it is on and a check of its account is down, and until what was opened is over", async () => {
    await using store = await open();
    const no = await addOutage(store, { outageIncidents: "off" });
    const change = (changes: Parameters<typeof aStatusPage>[1]) =>
      store.write(({ statusPages }) =>
        statusPages.update(aStatusPage("page", { sections, ...changes })),
      );
    assert.deepEqual(await store.pageOutages.listToFollow(), []);
    await change({ outageIncidents: "post", enabled: false });
    assert.deepEqual(await store.pageOutages.listToFollow(), []);
    await change({ outageIncidents: "post" });
    assert.deepEqual(await store.pageOutages.listToFollow(), [key]);
    const follow = () =>
      store.write((tx) => followOutages(tx, key, { incident: () => "incident" }));
    assert.deepEqual(await follow(), ["opened"]);
    await change({ outageIncidents: "off" });
    assert.deepEqual(await store.pageOutages.listToFollow(), [key]);
    const up = { id: "over", from: "failing", to: "passing", at: noon, since: noon } as const;
    await store.write(({ states }) => states.flip(aFlip(no, up)));
    assert.deepEqual(await store.pageOutages.listToFollow(), [key]);
    assert.deepEqual(await follow(), ["ended"]);
    assert.deepEqual(await store.pageOutages.listToFollow(), []);
    assert.equal((await store.incidents.find(alice.id, "incident"))?.updates.length, 2);
  });

  test("of several who follow a page at one time one opens the incident", async () => {
    await using store = await open();
    await addOutage(store, { outageIncidents: "post" });
    let ids = 0;
    const incident = (): string => {
      ids += 1;
      return `incident${ids}`;
    };
    const follow = () => store.write((tx) => followOutages(tx, key, { incident }));
    const steps = await Promise.all(Array.from({ length: 8 }, follow));
    assert.deepEqual(steps.flat(), ["opened"]);
    assert.equal((await store.incidents.list(alice.id, range)).length, 1);
  });

  test("the outages of a page are gone with it", async () => {
    await using store = await open();
    await addOutage(store, { outageIncidents: "post" });
    await store.write((tx) => followOutages(tx, key, { incident: () => "incident" }));
    const handled = { checkId: "shop", outage: "outage", incidentId: "incident" };
    assert.deepEqual(await store.pageOutages.handled("page"), [handled]);
    await store.write(({ statusPages }) => statusPages.remove(alice.id, "page"));
    assert.deepEqual(await store.pageOutages.handled("page"), []);
  });
}

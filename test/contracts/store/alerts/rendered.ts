import assert from "node:assert/strict";
import { test } from "node:test";

import type { Store } from "../../../../src/store/store.ts";
import type { AttemptEnd, RenderedMessage } from "../../../../src/store/tables/alerts.ts";
import { aCheck, alice, anAlert, minute, noon } from "../../../record-builders.ts";
import type { ContractStore } from "../contract-store.ts";
import type { OpenStore } from "../store.ts";

const rendered: RenderedMessage = {
  kind: "down",
  to: "ann@example.net",
  from: "watch@example.net",
  subject: "DOWN",
  body: "it is down",
  network: "email",
  details: '{"html":"<p>it is down</p>"}',
};

async function withAlerts(store: Store, ...ids: readonly string[]): Promise<void> {
  await store.write(async ({ checks, alerts }) => {
    for (const id of ids) await alerts.insert(anAlert(id, await checks.insert(aCheck(id))));
  });
}

async function claimAt(store: ContractStore, now: number): Promise<void> {
  await store.at(now);
  await store.write(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 100 }));
}

const idsIn = async (store: Store, ...ids: readonly string[]): Promise<readonly string[]> =>
  [...(await store.alerts.findRendered(ids)).keys()].toSorted();

export function renderedContract(open: OpenStore): void {
  test("what an alert was rendered to comes back as it was, for as long as the alert is open", async () => {
    await using store = await open();
    await withAlerts(store, "one", "two", "unrendered");
    await claimAt(store, noon);
    await store.write(async ({ alerts }) => {
      await alerts.setRendered("one", rendered, 1);
      await alerts.setRendered("two", { ...rendered, body: "other" }, 1);
      const end = { status: "waiting", nextAttemptAt: noon + 1, possiblySent: true } as const;
      await alerts.finishAttempt("one", end);
    });
    assert.deepEqual(
      await store.alerts.findRendered(["one", "two", "unrendered", "unknown"]),
      new Map([
        ["one", rendered],
        ["two", { ...rendered, body: "other" }],
      ]),
    );
    assert.deepEqual(await idsIn(store, "two"), ["two"]);
    assert.deepEqual(await idsIn(store), []);
  });

  const ends: readonly AttemptEnd[] = [
    { status: "delivered", at: noon },
    { status: "failed", at: noon, reason: "550", possiblySent: false },
    { status: "dropped", at: noon, reason: "outside_window" },
  ];
  for (const end of ends) {
    test(`of an alert that is ${end.status} only what people are shown is kept`, async () => {
      await using store = await open();
      await withAlerts(store, "one");
      await claimAt(store, noon);
      await store.write(async ({ alerts }) => {
        await alerts.setRendered("one", rendered, 1);
        await alerts.finishAttempt("one", end);
      });
      assert.deepEqual(await idsIn(store, "one"), []);
      const query = { accountIds: [alice.id], checkId: undefined, from: 0, limit: 9 };
      const [shown] = await store.alerts.listNotifications({ ...query, dropped: true });
      assert.deepEqual([shown?.subject, shown?.body], [rendered.subject, rendered.body]);
    });
  }

  test("what a later attempt has rendered is not replaced by an earlier one", async () => {
    await using store = await open();
    await withAlerts(store, "one");
    await claimAt(store, noon);
    await claimAt(store, noon + minute);
    await store.write(async ({ alerts }) => {
      await alerts.setRendered("one", rendered, 2);
      await alerts.setRendered("one", { ...rendered, body: "late" }, 1);
    });
    assert.equal((await store.alerts.findRendered(["one"])).get("one")?.body, rendered.body);
  });

  test("an alert that joins a bundle is not sent again on its own as it was", async () => {
    await using store = await open();
    await withAlerts(store, "one", "two");
    await claimAt(store, noon);
    const { details: _, ...wording } = rendered;
    await store.write(async ({ alerts }) => {
      await alerts.setRendered("one", rendered, 1);
      const members = ["one", "two"].map((alertId) => ({ alertId, attempt: 1, wording }));
      await alerts.bundle({ id: "bundle", accountId: alice.id, message: "{}", members });
      await alerts.unbundle([{ alertId: "one", attempt: 1 }]);
    });
    assert.deepEqual(await idsIn(store, "one", "two"), []);
  });
}

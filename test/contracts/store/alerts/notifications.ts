import assert from "node:assert/strict";
import { test } from "node:test";

import type { NotificationQuery } from "../../../../src/store/tables/alerts.ts";
import { aCheck, alice, anAlert, bob, carol, minute, noon } from "../../../record-builders.ts";
import { everything, insertAlerts as insert, withCheck } from "./alerts.ts";
import type { OpenStore } from "../store.ts";

export function notificationContract(open: OpenStore): void {
  test("a notification says what was sent, to whom, and what came back", async () => {
    await using store = await open();
    const check = await withCheck(store);
    await insert(store, check, { alert: { kind: "first" } });
    await store.at(noon);
    await store.write(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 9 }));
    const wording = {
      kind: "down",
      to: "to@example.net",
      from: "from@example.net",
      subject: "s",
      body: "b",
      network: "email",
    } as const;
    await store.write(async ({ alerts }) => {
      await alerts.setRendered("alert", wording);
      const tried = { alertId: "alert", startedAt: noon + 1, accepted: false };
      await alerts.addDelivery({ ...tried, attempt: 1, endedAt: noon + 2, response: "451" });
      await alerts.addDelivery({ ...tried, attempt: 2, endedAt: noon + 4, response: "250" });
      await alerts.finishAttempt("alert", { status: "delivered", at: noon + 4 });
    });
    assert.deepEqual(await store.alerts.listNotifications(everything), [
      {
        ...wording,
        alertId: "alert",
        accountId: alice.id,
        checkId: check.id,
        contactId: "contact",
        addressId: "address",
        status: "delivered",
        reason: undefined,
        createdAt: noon,
        dueAt: noon,
        at: noon + 4,
        attempts: 1,
        nextAttemptAt: undefined,
        response: "250",
        bundle: undefined,
      },
    ]);
  });

  test("a long list of notifications comes in short pages, in the same order", async () => {
    await using store = await open();
    const check = await withCheck(store);
    const count = 4060;
    await store.write(({ alerts }) =>
      alerts.insert(
        ...Array.from({ length: count }, (_, index) =>
          anAlert(`alert-${index}`, check, { createdAt: noon + (index % 7) }),
        ),
      ),
    );
    for (const limit of [count, 70]) {
      const query = { ...everything, dropped: true, limit };
      const pages = await Array.fromAsync(store.alerts.pageNotifications(query));
      assert.ok(pages.every(({ length }) => length <= 50));
      assert.equal(pages.flat().length, limit);
      assert.deepEqual(pages.flat(), await store.alerts.listNotifications(query));
    }
  });

  test("notifications are those of the given accounts and check since an instant, newest first", async () => {
    await using store = await open();
    const check = await withCheck(store);
    const [bobs, carols] = await store.write(
      async ({ checks }) =>
        [
          await checks.insert(aCheck("bobs", { accountId: bob.id })),
          await checks.insert(aCheck("carols", { accountId: carol.id })),
        ] as const,
    );
    await insert(store, check, {
      old: {},
      new: { createdAt: noon + 1 },
      twin: { createdAt: noon + 1 },
    });
    await insert(store, bobs, { sub: { createdAt: noon + 2 } });
    await insert(store, carols, { hers: { createdAt: noon + 3 } });
    await store.write(({ alerts }) => alerts.drop(["old"], "outside_window", noon));
    const idsOf = async (query: Partial<NotificationQuery>): Promise<readonly string[]> =>
      (await store.alerts.listNotifications({ ...everything, ...query })).map(
        ({ alertId }) => alertId,
      );
    assert.deepEqual(await idsOf({}), ["twin", "new", "old"]);
    assert.deepEqual(await idsOf({ dropped: false }), []);
    assert.deepEqual(await idsOf({ accountIds: [alice.id, bob.id] }), [
      "sub",
      "twin",
      "new",
      "old",
    ]);
    assert.deepEqual(await idsOf({ limit: 1 }), ["twin"]);
    assert.deepEqual(await idsOf({ from: noon + 1 }), ["twin", "new"]);
    assert.deepEqual(await idsOf({ checkId: "bobs" }), []);
    assert.deepEqual(await idsOf({ checkId: "bobs", accountIds: [bob.id] }), ["sub"]);
    assert.deepEqual(await idsOf({ after: "twin" }), ["new", "old"]);
    assert.deepEqual(await idsOf({ after: "twin", limit: 1 }), ["new"]);
    assert.deepEqual(await idsOf({ after: "carols" }), []);
    const pages = store.alerts.pageNotifications({ ...everything, after: "new" });
    assert.deepEqual(
      (await Array.fromAsync(pages)).flat().map(({ alertId }) => alertId),
      ["old"],
    );
  });

  test("notifications are chosen by contact, kind, status, network and time", async () => {
    await using store = await open();
    const check = await withCheck(store);
    await insert(store, check, {
      one: { contactId: "ann" },
      two: { contactId: "ben", kind: "up", createdAt: noon + 1 },
    });
    await store.write(async ({ alerts }) => {
      const common = { from: "", subject: "", body: "" };
      await alerts.setRendered("one", { ...common, kind: "down", to: "x", network: "sms" });
      await alerts.drop(["two"], "recovered", noon + 2);
    });
    const idsOf = async (query: Partial<NotificationQuery>): Promise<readonly string[]> =>
      (await store.alerts.listNotifications({ ...everything, ...query })).map(
        ({ alertId }) => alertId,
      );
    assert.deepEqual(await idsOf({}), ["two", "one"]);
    assert.deepEqual(await idsOf({ contactId: "ann" }), ["one"]);
    assert.deepEqual(await idsOf({ kind: "up" }), ["two"]);
    assert.deepEqual(await idsOf({ status: "dropped" }), ["two"]);
    assert.deepEqual(await idsOf({ status: "waiting" }), ["one"]);
    assert.deepEqual(await idsOf({ network: "sms" }), ["one"]);
    assert.deepEqual(await idsOf({ to: noon }), ["one"]);
  });

  test("notifications are in the order in which they ended, and what was not sent is listed when asked for only", async () => {
    await using store = await open();
    const check = await withCheck(store);
    await insert(store, check, {
      delayed: { addressId: "1", dueAt: noon + 5 * minute },
      immediate: { addressId: "2" },
      refused: { addressId: "3" },
      waits: { addressId: "4", dueAt: noon + 9 * minute },
      held: { addressId: "5", createdAt: noon + 1 },
    });
    await store.at(noon + 5 * minute);
    await store.write(async ({ alerts }) => {
      await alerts.finishAttempt("immediate", { status: "delivered", at: noon + minute });
      await alerts.finishAttempt("delayed", { status: "delivered", at: noon + 5 * minute });
      await alerts.finishAttempt("refused", {
        status: "failed",
        at: noon + 2 * minute,
        reason: "410",
        possiblySent: false,
      });
      await alerts.drop(["waits"], "recovered", noon + 3 * minute);
    });
    await store.write(({ checks }) => checks.disableAll(alice.id, true, noon + 5 * minute));
    const idsOf = async (query: Partial<NotificationQuery>): Promise<readonly string[]> =>
      (await store.alerts.listNotifications({ ...everything, ...query })).map(
        ({ alertId }) => alertId,
      );
    assert.deepEqual(await idsOf({}), ["delayed", "waits", "refused", "immediate", "held"]);
    assert.deepEqual(await idsOf({ dropped: false }), ["delayed", "refused", "immediate"]);
    assert.deepEqual(await idsOf({ dropped: false, limit: 2 }), ["delayed", "refused"]);
    assert.deepEqual(await idsOf({ dropped: false, from: noon + 5 * minute }), ["delayed"]);
  });

  test("an alert that was tried before it was dropped is listed like a sent one", async () => {
    await using store = await open();
    const check = await withCheck(store);
    await insert(store, check, { tried: {} });
    await store.write(async ({ alerts }) => {
      await alerts.addDelivery({
        alertId: "tried",
        attempt: 1,
        startedAt: noon,
        endedAt: noon,
        accepted: false,
        response: "451",
      });
      await alerts.finishAttempt("tried", { status: "dropped", at: noon, reason: "deleted" });
    });
    assert.equal(
      (await store.alerts.listNotifications({ ...everything, dropped: false })).length,
      1,
    );
  });
}

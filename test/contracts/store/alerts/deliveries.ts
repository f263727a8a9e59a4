import assert from "node:assert/strict";
import { test } from "node:test";

import type { Alert } from "../../../../src/domain/alert/alert.ts";
import type { AttemptEnd, Delivery } from "../../../../src/store/tables/alerts.ts";
import { aCheck, alice, anAlert, bob, carol, minute, noon } from "../../../record-builders.ts";
import type { OpenStore } from "../store.ts";
import { nextDueAt } from "../contract-store.ts";

export function deliveryContract(open: OpenStore): void {
  test("the attempts at alerts are listed in their order, for the accounts whose alerts they are", async () => {
    await using store = await open();
    const delivery = (alertId: string, attempt: number): Delivery => ({
      alertId,
      attempt,
      startedAt: noon + attempt,
      endedAt: noon + 2 * attempt,
      accepted: attempt > 1,
      response: `${alertId} ${attempt}`,
    });
    await store.write(async ({ checks, alerts }) => {
      const hers = await checks.insert(aCheck("hers"));
      const his = await checks.insert(aCheck("his", { accountId: bob.id }));
      for (const id of ["one", "two", "untried"]) await alerts.insert(anAlert(id, hers));
      await alerts.insert(anAlert("bobs", his));
      for (const [id, attempt] of [
        ["one", 1],
        ["two", 1],
        ["bobs", 1],
        ["one", 2],
      ] as const)
        await alerts.addDelivery(delivery(id, attempt));
    });
    const { deliveries } = store;
    assert.deepEqual(
      await deliveries.list([alice.id], ["one", "two", "untried", "bobs", "missing"]),
      [delivery("one", 1), delivery("two", 1), delivery("one", 2)],
    );
    assert.deepEqual(await deliveries.list([alice.id], ["two"]), [delivery("two", 1)]);
    assert.deepEqual(await deliveries.list([alice.id, bob.id], ["bobs"]), [delivery("bobs", 1)]);
    assert.deepEqual(await deliveries.list([carol.id], ["one", "bobs"]), []);
    assert.deepEqual(await deliveries.list([alice.id], []), []);
  });

  const late: readonly { readonly end: AttemptEnd; readonly counts: boolean }[] = [
    { end: { status: "delivered", at: noon + 2 }, counts: true },
    { end: { status: "failed", at: noon + 2, reason: "550", possiblySent: false }, counts: false },
    { end: { status: "dropped", at: noon + 2, reason: "check_muted" }, counts: false },
    { end: { status: "waiting", nextAttemptAt: noon + 3, possiblySent: false }, counts: false },
  ];
  for (const { end, counts } of late) {
    test(`of an attempt whose lease ran out, ${end.status} ${counts ? "counts" : "does not count"} once somebody else has the alert`, async () => {
      await using store = await open();
      const claim = async (now: number): Promise<readonly Alert[]> => {
        await store.at(now);
        return store.write(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 1 }));
      };
      const settle = (end: AttemptEnd, attempts: number): Promise<boolean> =>
        store.write(({ alerts }) =>
          alerts.finishAttempt("alert", end, { attempts, possiblySent: attempts > 1 }),
        );
      await store.write(async ({ checks, alerts }) =>
        alerts.insert(anAlert("alert", await checks.insert(aCheck("check")))),
      );
      assert.equal((await claim(noon))[0]?.attempts, 1);
      assert.equal((await claim(noon + minute))[0]?.attempts, 2);
      assert.equal(await settle(end, 1), counts);
      assert.deepEqual(
        await (await store.at(noon + 2 * minute - 1)).alerts.listDue(1),
        [],
        "it is still held",
      );
      assert.equal(await settle({ status: "delivered", at: noon }, 2), !counts);
      assert.equal(await nextDueAt(store), undefined);
    });
  }

  test("an alert that was purged with its account while it was sent settles once, and nothing is kept of it", async () => {
    await using store = await open();
    await store.at(noon);
    const check = await store.write(async ({ checks, alerts }) => {
      const inserted = await checks.insert(aCheck("his", { accountId: bob.id }));
      await alerts.insert(anAlert("alert", inserted));
      await alerts.claim({ leaseMs: minute, limit: 9 });
      return inserted;
    });
    await store.write(({ accounts }) => accounts.remove(bob.id, noon));
    for (let rounds = 0; rounds < 3; rounds += 1) await store.runHousekeeping();
    const wording = { kind: "down", to: "", from: "", subject: "", body: "", network: "" } as const;
    const settled = store.write(
      async ({ alerts, contacts }) => {
        await alerts.setRendered("alert", wording, 1);
        const isOpen = await alerts.finishAttempt("alert", { status: "delivered", at: noon });
        const tried = { startedAt: noon, endedAt: noon, accepted: true, response: "250" };
        await alerts.addDelivery({ alertId: "alert", attempt: 1, ...tried, to: "bob" });
        await contacts.changeAddressStatus({
          accountId: bob.id,
          contactId: "contact",
          addressId: "address",
          address: "bob",
          status: "new",
          refusal: undefined,
        });
        return isOpen;
      },
      { checks: [check.no] },
    );
    assert.equal(await settled, false);
    const members = [{ alertId: "alert", attempt: 1, wording }];
    const bundle = { id: "bundle", accountId: bob.id, message: "", members };
    await assert.rejects(
      store.write(({ alerts }) => alerts.bundle(bundle)),
      { code: "conflict" },
    );
    assert.deepEqual(await store.deliveries.list([bob.id], ["alert"]), []);
  });
}

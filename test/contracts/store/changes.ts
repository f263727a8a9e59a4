import assert from "node:assert/strict";
import { test } from "node:test";

import { aCheck, aFlip, alice, anAlert, bob, noon } from "../../record-builders.ts";
import { waitFor } from "../../time/wait-for.ts";
import type { OpenStore } from "./store.ts";

export function changeContract(open: OpenStore): void {
  test("the log says what happened to a check, and whoever runs checks is notified of the configuration alone", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const [all, configuration]: [unknown[], unknown[]] = [[], []];
    store.changes.subscribeAll((change) => all.push(change));
    store.changes.subscribe((change) => configuration.push(change));
    const before = store.changes.position();
    const accountId = alice.id;
    await store.write(async ({ states, alerts }) => {
      await states.flip(aFlip(no, { id: "outage" }));
      await alerts.insert(anAlert("sent", { no, id: "check", accountId }));
    });
    await store.write(({ states }) =>
      states.acknowledge(no, "outage", { at: noon, by: "Ann", note: "" }),
    );
    await store.write(({ alerts }) =>
      alerts.finishAttempt("sent", { status: "delivered", at: noon }),
    );
    await store.write(({ changes }) =>
      changes.record({ accountId, checkNo: no, removedId: "check" }),
    );
    await waitFor("all to be passed on", () => all.length === 4);
    const logged = (["state", "acknowledgement", "alert", "configuration"] as const).map(
      (kind) => ({
        accountId,
        checkNo: no,
        kind,
        removedId: kind === "configuration" ? "check" : undefined,
      }),
    );
    assert.deepEqual(all, logged);
    assert.deepEqual(configuration, [{ accountId, checkNo: no }]);
    assert.deepEqual(await store.changes.since(accountId, before, 4), logged);
    assert.equal(await store.changes.since(accountId, before, 3), undefined);
    assert.deepEqual(await store.changes.since(bob.id, before, 4), []);
    assert.deepEqual(await store.changes.since(accountId, store.changes.position(), 4), []);
  });

  test("what is no position, or none of this log, is not known", async () => {
    await using store = await open();
    for (const position of ["", "x", "-1", "999999", "1/2/3", "1/9:1:", "1/1:2:'", "0/1:1:"])
      assert.equal(await store.changes.since(alice.id, position, 4), undefined, position);
  });
}

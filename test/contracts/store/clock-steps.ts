import assert from "node:assert/strict";
import { test } from "node:test";

import { shiftTimes } from "../../../src/store/transactions/shift-times.ts";
import { recordFlip } from "../../../src/store/transactions/record-flip.ts";
import { aCheck, aContact, aResult, alice, minute, noon } from "../../record-builders.ts";
import { nextDueAt } from "./contract-store.ts";
import type { OpenStore } from "./store.ts";

const hour = 60 * minute;

export function clockStepContract(open: OpenStore): void {
  test("the latest result by an instant is not one that began later", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("CHECK")));
    for (const at of [noon, noon + minute, noon + hour]) await store.append(aResult(no, at));
    for (const [by, found] of [
      [noon - 1, undefined],
      [noon + minute, noon + minute],
      [noon + hour - 1, noon + minute],
      [undefined, noon + hour],
    ] as const) {
      assert.equal((await store.results.last(no, by))?.startedAt, found);
      const inTx = await store.write((tx) => tx.results.last(no, by));
      assert.equal(inTx?.startedAt, found);
    }
  });

  test("when the clock is set, what waits for an instant moves with it, and so does what a clock recorded that was ahead", async () => {
    await using store = await open();
    const check = await store.write(async (tx) => {
      await tx.contacts.insert(aContact("CONTACT"));
      const notifications = [{ CONTACT: { schedule: "All", delay: 5 } }];
      return tx.checks.insert(
        aCheck("CHECK", { createdAt: noon - hour, rechecks: 0, notifications }),
      );
    });
    const result = aResult(check.no, noon, { passed: false, reason: "refused" });
    const flip = { check, target: "x", to: "failing", result, since: noon } as const;
    let serial = 0;
    const ids = { alert: () => `alert-${(serial += 1)}` };
    await store.write((tx) =>
      recordFlip(tx, { ...flip, from: undefined, at: noon, confirmations: [] }, ids),
    );
    await store.write(async ({ systemMails, diagnostics }) => {
      const { id: accountId } = alice;
      await systemMails.insert({
        kind: "welcome",
        id: "mail",
        accountId,
        contactId: "CONTACT",
        createdAt: noon + 5 * minute,
        name: "Ann",
        to: "ann@example.net",
        password: "secret",
      });
      await diagnostics.insert({
        id: "run",
        accountId,
        checkNo: check.no,
        checkId: check.id,
        outage: "alert-1",
        location: "ld",
        createdAt: noon + 5 * minute,
      });
    });
    assert.equal(await nextDueAt(store), noon + 5 * minute);
    for (const [byMs, now, downFrom, dueAt] of [
      [hour, noon + hour, noon, noon + hour + 5 * minute],
      [-hour, noon + 1, noon, noon + 5 * minute],
      [-2 * hour, noon - hour, noon - 2 * hour, noon - 2 * hour + 5 * minute],
    ] as const) {
      await store.write((tx) => shiftTimes(tx, { byMs, now }));
      assert.equal(await nextDueAt(store), dueAt);
      for (const [at, isDue] of [
        [dueAt - 1, false],
        [dueAt, true],
      ] as const) {
        const then = await store.at(at);
        assert.deepEqual(
          [await then.systemMails.isDue(), await then.diagnostics.isDue()],
          [isDue, isDue],
        );
      }
      const [span] = await store.states.listDownSpans(check.no, 0, noon + 9 * hour);
      assert.deepEqual([span?.start, span?.end], [downFrom, undefined]);
      assert.equal((await store.states.get(check.no)).downSince, downFrom);
    }
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";

import type { WaitReason } from "../../../../src/domain/alert/alert.ts";
import type { Check } from "../../../../src/domain/check.ts";
import type { Store } from "../../../../src/store/store.ts";
import type { AlertRecord, AttemptEnd } from "../../../../src/store/tables/alerts.ts";
import { aCheck, aFlip, anAlert, minute, noon } from "../../../record-builders.ts";
import type { OpenStore } from "../store.ts";

const outage = "outage";

/** The end of an outage must know which of its Downs could not be delivered because of their receiver. */
export function unreachedContract(open: OpenStore): void {
  const insert = (store: Store, check: Check, ...alerts: readonly (readonly [string, object])[]) =>
    store.write((tx) =>
      tx.alerts.insert(
        ...alerts.map(([id, changes]): AlertRecord =>
          anAlert(id, check, { outage, addressId: id, ...changes }),
        ),
      ),
    );
  const unreachedOf = async (store: Store, of = outage): Promise<readonly string[]> =>
    (await store.alerts.listByOutage(of)).flatMap(({ id, unreached }) => (unreached ? [id] : []));

  test("an alert that waited for its receiver, or failed because of it, is known to be unreached until it is refused", async () => {
    await using store = await open();
    const check = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const ids = ["tried", "expired", "refused", "given-back", "waited", "untried"];
    await insert(store, check, ...ids.map((id) => [id, {}] as const));
    await store.at(noon);
    await store.write(({ alerts }) => alerts.awaitReceiver(["waited", "refused", "given-back"], 1));
    await store.at(noon + minute);
    await store.write(({ alerts }) =>
      alerts.claim({ leaseMs: minute, limit: 9, ids: ids.slice(0, 4) }),
    );
    const at = noon + minute;
    const ends: Readonly<Record<string, AttemptEnd>> = {
      tried: { status: "waiting", nextAttemptAt: at, possiblySent: false, unreached: true },
      expired: { status: "failed", at, reason: "timeout", possiblySent: false, unreached: true },
      refused: { status: "failed", at, reason: "gone", possiblySent: false, unreached: false },
      "given-back": { status: "waiting", nextAttemptAt: at, possiblySent: false },
    };
    await store.write(async ({ alerts }) => {
      for (const [id, end] of Object.entries(ends)) await alerts.finishAttempt(id, end);
    });
    assert.deepEqual(await unreachedOf(store), ["tried", "expired", "given-back", "waited"]);
  });

  test("a Down that was due and not tried is unreached once its outage is over, but not one that a rule of its recipient delays", async () => {
    await using store = await open();
    const check = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const waits: Readonly<Record<string, WaitReason>> = {
      "limited-mailbox": "mailbox_limit",
      "closed-window": "outside_window",
      "open-window": "outside_window",
    };
    const ids = ["behind", "grouped", "delayed", ...Object.keys(waits)];
    await store.write(({ states }) => states.flip(aFlip(check.no, { id: outage })));
    await insert(store, check, ["away", { outage: "earlier", kind: "up", addressId: "behind" }]);
    const delays: Readonly<Record<string, object>> = { delayed: { dueAt: noon + 5 * minute } };
    await insert(store, check, ...ids.map((id) => [id, delays[id] ?? {}] as const));
    await store.at(noon);
    await store.write(async ({ alerts }) => {
      await alerts.claim({ leaseMs: minute, limit: 9, ids: Object.keys(waits) });
      for (const [id, reason] of Object.entries(waits)) {
        const nextAttemptAt = noon + (id === "open-window" ? 0 : 5 * minute);
        await alerts.finishAttempt(id, {
          status: "waiting",
          nextAttemptAt,
          possiblySent: false,
          reason,
        });
      }
    });
    await store.write(({ alerts }) => alerts.drop(ids, "recovered", noon + minute));
    const untried = ["behind", "grouped", "limited-mailbox", "open-window"];
    assert.deepEqual(await unreachedOf(store), untried);
  });

  test("a claimed Down that is not sent in the end is unreached where its outage is over by then, but not one that a rule of its recipient delays", async () => {
    await using store = await open();
    const check = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const ids = ["given-back", "closed-window"];
    await insert(store, check, ...ids.map((id) => [id, {}] as const));
    await store.at(noon);
    await store.write(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 9, ids }));
    const at = noon + minute;
    const end = { status: "waiting", nextAttemptAt: at, possiblySent: false } as const;
    await store.write(async ({ alerts }) => {
      await alerts.finishAttempt("given-back", end);
      await alerts.finishAttempt("closed-window", { ...end, reason: "outside_window" });
    });
    assert.deepEqual(await unreachedOf(store), ["given-back"]);
  });
}

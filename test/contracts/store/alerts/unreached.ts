import assert from "node:assert/strict";
import { test } from "node:test";

import type { Check } from "../../../../src/domain/check.ts";
import type { AlertRecord, AttemptEnd } from "../../../../src/store/alerts.ts";
import type { Store } from "../../../../src/store/store.ts";
import { aCheck, anAlert, minute, noon } from "../../../record-builders.ts";
import type { OpenStore } from "../store.ts";

const outage = "outage";

/** Which Downs of an outage could not be delivered because of their receiver is known when it ends. */
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

  test("a Down that was due behind an alert of its check to the same address that waits for its receiver is unreached once its outage is over", async () => {
    await using store = await open();
    const check = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const first = { outage: "earlier", kind: "up" } as const;
    await insert(
      store,
      check,
      ["away", { ...first, addressId: "behind" }],
      ["late", { ...first, addressId: "delayed" }],
      ["well", { ...first, addressId: "well-behind" }],
    );
    await store.at(noon);
    await store.write(({ alerts }) => alerts.awaitReceiver(["away", "late"], minute));
    await insert(
      store,
      check,
      ["behind", {}],
      ["delayed", { dueAt: noon + 5 * minute }],
      ["well-behind", {}],
    );
    await store.write(({ alerts }) =>
      alerts.drop(["behind", "delayed", "well-behind"], "recovered", noon + minute),
    );
    assert.deepEqual(await unreachedOf(store), ["behind"]);
  });
}

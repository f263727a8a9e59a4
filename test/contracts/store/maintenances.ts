import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { isSwitchedOn, type Check } from "../../../src/domain/check.ts";
import type { Transaction } from "../../../src/store/store.ts";
import {
  aCheck,
  alice,
  aMaintenance,
  anAlert,
  bob,
  carol,
  minute,
  noon,
} from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";
import type { ContractStore } from "./contract-store.ts";

const one = aMaintenance("one", { nextAt: noon + 2 * minute });
const other = aMaintenance("other", { nextAt: noon + minute });

export function maintenanceContract(open: OpenStore): void {
  const openWithBoth = async () => {
    const store = await open();
    const check = await store.write(async ({ checks, maintenances }) => {
      await maintenances.insert(one);
      await maintenances.insert(other);
      return checks.insert(aCheck("check"));
    });
    return { store, check };
  };
  const read = async (store: ContractStore): Promise<Check> => {
    const record = await store.checks.find(alice.id, "check");
    assert.ok(record);
    return record.check;
  };
  const isActive = async (store: ContractStore): Promise<boolean> =>
    (await store.checks.listActiveNumbers(alice.id)).length === 1;

  test("maintenances come back as they were given, by age, and to their account alone", async () => {
    await using store = await open();
    const whole = aMaintenance("whole", {
      durationMinutes: 10_080,
      checkIds: ["b", "a"],
      endsAt: noon + minute,
      history: [{ at: noon, held: ["b"], skipped: ["a"] }],
    });
    const bare = aMaintenance("bare", { enabled: false, cron: undefined, nextAt: undefined });
    const carols = aMaintenance("whole", { accountId: carol.id });
    await store.write(async ({ maintenances }) => {
      for (const each of [whole, bare, carols]) await maintenances.insert(each);
    });
    assert.deepEqual(await store.maintenances.list(alice.id), [whole, bare]);
    assert.deepEqual(await store.maintenances.find(alice.id, "whole"), whole);
    assert.deepEqual(await store.maintenances.list(carol.id), [carols]);
    assert.deepEqual(await store.maintenances.list(bob.id), []);
    assert.equal(await store.maintenances.find(carol.id, "bare"), undefined);
    const changed = { ...bare, name: "new", cron: "0 2 * * *", enabled: true, nextAt: noon };
    await store.write(({ maintenances }) => maintenances.update(changed));
    assert.deepEqual(await store.maintenances.list(alice.id), [whole, changed]);
    assert.equal(
      await store.write(({ maintenances }) => maintenances.remove(carol.id, "bare", noon)),
      false,
    );
    assert.equal(
      await store.write(({ maintenances }) => maintenances.remove(alice.id, "bare", noon)),
      true,
    );
    assert.deepEqual(await store.maintenances.list(alice.id), [whole]);
  });

  test("what is to end or to begin is due, and one that is under way only for its end", async () => {
    const { store } = await openWithBoth();
    await using _ = store;
    const dueAt = async (at: number): Promise<readonly string[]> =>
      (await (await store.at(at)).maintenances.listDue()).map(({ id }) => id);
    assert.deepEqual(await dueAt(noon + minute - 1), []);
    assert.deepEqual(await dueAt(noon + minute), ["other"]);
    assert.deepEqual(await dueAt(noon + 2 * minute), ["other", "one"]);
    await store.write(async ({ maintenances }) => {
      await maintenances.update({ ...one, endsAt: noon + 9 * minute });
      await maintenances.update({ ...other, nextAt: undefined });
    });
    assert.deepEqual(await dueAt(noon + 9 * minute - 1), []);
    assert.deepEqual(await dueAt(noon + 9 * minute), ["one"]);
  });

  test("a check that is switched off, gone or another's is not held", async () => {
    const { store } = await openWithBoth();
    await using _ = store;
    await store.write(async ({ checks }) => {
      await checks.insert(aCheck("off", { enabled: false }));
      await checks.insert(aCheck("off-with-all", { disabledWithAll: true }));
      await checks.insert(aCheck("carols", { accountId: carol.id }));
    });
    const wanted = ["gone", "carols", "off-with-all", "off", "check"];
    const held = await store.write(({ maintenances }) =>
      maintenances.pauseChecks(one, wanted, noon),
    );
    assert.deepEqual(held, ["check"]);
    assert.equal((await read(store)).inMaintenance, true);
    assert.equal((await store.checks.listActiveNumbers(carol.id)).length, 1);
  });

  test("a check that two hold is off until the last lets go", async () => {
    const { store, check } = await openWithBoth();
    await using _ = store;
    await store.write(async ({ maintenances }) => {
      await maintenances.pauseChecks(one, [check.id], noon + minute);
      assert.deepEqual(await maintenances.pauseChecks(other, [check.id], noon + 2 * minute), [
        "check",
      ]);
    });
    await store.write(({ maintenances }) =>
      maintenances.resumeChecks(one, [check.id], noon + 3 * minute),
    );
    assert.equal(await isActive(store), false);
    await store.write(({ maintenances }) =>
      maintenances.remove(alice.id, "other", noon + 4 * minute),
    );
    assert.equal(await isActive(store), true);
    assert.deepEqual(await store.states.listEnabledSpans(check.no, 0, Number.MAX_SAFE_INTEGER), [
      { start: noon, end: noon + minute },
      { start: noon + 4 * minute, end: undefined },
    ]);
  });

  test("what was found before a hold flips nothing after it", async () => {
    const { store, check } = await openWithBoth();
    await using _ = store;
    await store.write(async ({ maintenances }) => {
      await maintenances.pauseChecks(one, [check.id], noon);
      await maintenances.resumeChecks(one, [check.id], noon);
    });
    assert.equal((await read(store)).revision, check.revision + 1);
  });

  test("an alert that was being sent when its check was held, and surely did not leave, is held", async () => {
    const { store, check } = await openWithBoth();
    await using _ = store;
    await store.write(async ({ alerts, maintenances }) => {
      await alerts.insert(anAlert("alert", check));
      await alerts.claim({ leaseMs: minute, limit: 1 });
      await maintenances.pauseChecks(one, [check.id], noon);
      const end = { status: "waiting", nextAttemptAt: noon + 1, possiblySent: false } as const;
      await alerts.finishAttempt("alert", end);
    });
    const [alert] = await store.alerts.listNotifications({
      accountIds: [alice.id],
      checkId: undefined,
      from: 0,
      limit: 1,
      dropped: true,
    });
    assert.deepEqual([alert?.status, alert?.reason], ["held", "disabled"]);
  });

  test("a check that is deleted while it is held is in nobody's way", async () => {
    const { store, check } = await openWithBoth();
    await using _ = store;
    await store.write(async ({ maintenances, checks }) => {
      await maintenances.pauseChecks(one, [check.id], noon);
      await checks.remove(alice.id, check.id, noon);
      await maintenances.resumeChecks(one, [check.id], noon);
    });
    assert.deepEqual(await store.checks.listActiveNumbers(alice.id), []);
  });

  test("ids that no check of the account has are listed", async () => {
    const { store } = await openWithBoth();
    await using _ = store;
    assert.deepEqual(await store.checks.missingIds(alice.id, ["gone", "check", "none"]), [
      "gone",
      "none",
    ]);
    assert.deepEqual(await store.checks.missingIds(carol.id, ["check"]), ["check"]);
  });

  test("whatever switches and holds do in whatever order, a check runs while its switches are on and nothing holds it", async () => {
    const { store } = await openWithBoth();
    await using _ = store;
    const model = { enabled: true, all: false, holders: new Set<string>() };
    const steps: Readonly<Record<string, (tx: Transaction) => Promise<unknown>>> = {
      ...Object.fromEntries(
        [one, other].flatMap((each) => [
          [
            `hold ${each.id}`,
            (tx: Transaction) => {
              if (model.enabled && !model.all) model.holders.add(each.id);
              return tx.maintenances.pauseChecks(each, ["check"], noon);
            },
          ],
          [
            `release ${each.id}`,
            (tx: Transaction) => {
              model.holders.delete(each.id);
              return tx.maintenances.resumeChecks(each, ["check"], noon);
            },
          ],
        ]),
      ),
      ...Object.fromEntries(
        [true, false].flatMap((on) => [
          [
            `owner ${on}`,
            async (tx: Transaction) => {
              model.enabled = on;
              model.holders.clear();
              const check = await ownOf(tx);
              await tx.checks.update({ ...check, enabled: on, inMaintenance: false }, noon);
            },
          ],
          [
            `all ${on}`,
            (tx: Transaction) => {
              model.all = !on && (model.enabled || model.all);
              return tx.checks.disableAll(alice.id, !on, noon);
            },
          ],
        ]),
      ),
      async relabel(tx) {
        await tx.checks.update({ ...(await ownOf(tx)), label: "new" }, noon);
      },
    };
    const ownOf = async (tx: Transaction): Promise<Check> => {
      const record = await tx.checks.find(alice.id, "check");
      assert.ok(record);
      return record.check;
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...Object.keys(steps)), { maxLength: 12 }),
        async (taken) => {
          for (const name of taken) await store.write(async (tx) => void (await steps[name]?.(tx)));
          const isOn = model.enabled && !model.all && model.holders.size === 0;
          assert.equal(isSwitchedOn(await read(store)), isOn, "as it is read");
          assert.equal(await isActive(store), isOn, "as it runs");
        },
      ),
      { numRuns: 40 },
    );
  });
}

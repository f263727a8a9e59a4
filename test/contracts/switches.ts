import assert from "node:assert/strict";
import { test } from "node:test";

import type { Check } from "../../src/domain/check.ts";
import type { Transaction } from "../../src/store/store.ts";
import { finishSwitch } from "../../src/store/transactions/finish-switch.ts";
import { aCheck, aMaintenance, anAlert, bob, minute, noon } from "../record-builders.ts";
import type { ContractStore } from "./store/contract-store.ts";
import type { OpenStore } from "./store/store.ts";

/** More than are switched in one unit. */
const CHECKS = 105;

export function switchContract(open: OpenStore): void {
  const openWithChecks = async () => {
    const store = await open();
    const checks = await store.write(async (tx) => {
      const inserted: Check[] = [];
      for (let index = 0; index < CHECKS; index += 1)
        inserted.push(await tx.checks.insert(aCheck(`check-${index}`, { accountId: bob.id })));
      return inserted;
    });
    return { store, checks, ...looksAt(store, checks) };
  };

  test("a switch of all checks of an account", async (t) => {
    const { store, checks, offCount, closedAt } = await openWithChecks();
    await using _ = store;
    const last = checks.at(-1);
    assert.ok(last);

    let now = noon;
    const nextMinute = (): number => (now += minute);
    const enableAll = async (): Promise<void> => {
      await store.write((tx) => tx.checks.disableAll(bob.id, false, nextMinute()));
      await finishSwitch(store, bob.id);
    };

    await t.test(
      "of two switches at the same moment the later one counts, wherever the other one was",
      async () => {
        const at = nextMinute();
        for (const disable of [true, false]) {
          await store.write((tx) => tx.checks.disableAll(bob.id, !disable, at));
          await store.write((tx) => tx.checks.disableAll(bob.id, disable, at + 1));
          await Promise.all([finishSwitch(store, bob.id), finishSwitch(store, bob.id)]);
          assert.equal(await offCount(), disable ? CHECKS : 0);
          assert.equal((await store.checks.listActiveNumbers(bob.id)).length, disable ? 0 : CHECKS);
        }
        await store.write((tx) => tx.checks.disableAll(bob.id, false, at));
        await store.write((tx) => tx.accounts.update({ ...bob, status: "suspended" }, at));
        await finishSwitch(store, bob.id);
        assert.equal(await offCount(), 0);
        await store.write((tx) => tx.accounts.update(bob, at));
        await finishSwitch(store, bob.id);
        assert.equal((await store.checks.listActiveNumbers(bob.id)).length, CHECKS);
      },
    );

    await t.test("a unit that fails on the way leaves the switch where it was", async () => {
      const at = nextMinute();
      await store.write((tx) => tx.checks.disableAll(bob.id, true, at));
      const before = await offCount();
      const failing = store.write(async (tx) => {
        await tx.checks.switchSome(bob.id);
        throw new Error("it failed");
      });
      await assert.rejects(failing, { message: "it failed" });
      assert.equal(await offCount(), before);
      await finishSwitch(store, bob.id);
      assert.equal(await offCount(), CHECKS);
      await enableAll();
    });

    await t.test(
      "a maintenance of many checks pauses and resumes them some at a time",
      async () => {
        const at = nextMinute();
        const ids = checks.map(({ id }) => id);
        const maintenance = aMaintenance("nightly", { accountId: bob.id, checkIds: ids });
        await store.write(async (tx) => {
          await tx.maintenances.insert(maintenance);
          await tx.maintenances.pauseChecks(maintenance, ids, at);
        });
        await finishSwitch(store, bob.id);
        assert.deepEqual(await store.checks.listActiveNumbers(bob.id), []);
        await store.write((tx) => tx.maintenances.remove(bob.id, maintenance.id, at + 1));
        await finishSwitch(store, bob.id);
        assert.equal((await store.checks.listActiveNumbers(bob.id)).length, CHECKS);
      },
    );

    await t.test(
      "many checks are disabled some at a time, each with all that follows, and a change is recorded with the last",
      async () => {
        const at = nextMinute();
        await store.write((tx) => tx.alerts.insert(anAlert("waits", last)));
        assert.equal(await store.write((tx) => tx.checks.disableAll(bob.id, true, at)), CHECKS);
        const first = await offCount();
        assert.ok(first > 0 && first < CHECKS, String(first));
        assert.equal((await store.alerts.listQueued(9)).length, 1);
        assert.deepEqual(await store.checks.listSwitching(), [bob.id]);
        const added = await store.write((tx) =>
          tx.checks.insert(aCheck("later", { accountId: bob.id })),
        );
        const changes: unknown[] = [];
        store.changes.subscribe((change) => void changes.push(change));
        await finishSwitch(store, bob.id);
        assert.deepEqual(changes, [{ accountId: bob.id, checkNo: undefined }]);
        assert.deepEqual(await store.checks.listSwitching(), []);
        assert.equal(await offCount(), CHECKS);
        assert.equal(await closedAt(last.no), at);
        assert.deepEqual(await store.alerts.listQueued(9), []);
        assert.deepEqual(await store.checks.listActiveNumbers(bob.id), [added.no]);
        await store.write((tx) => tx.checks.remove(bob.id, added.id, at));
        await enableAll();
      },
    );

    for (const [what, begin] of [
      ["suspended", (tx, at) => tx.accounts.update({ ...bob, status: "suspended" }, at)],
      ["deleted", (tx, at) => tx.accounts.remove(bob.id, at)],
    ] satisfies [string, (tx: Transaction, at: number) => Promise<void>][])
      await t.test(
        `of an account that is ${what} no check runs or flips from the first unit on, and housekeeping goes on with the rest`,
        async () => {
          const at = nextMinute();
          await store.write((tx) => begin(tx, at));
          assert.deepEqual(await store.checks.listActiveNumbers(bob.id), []);
          assert.equal(await store.checks.findActive(last.no), undefined);
          assert.equal(await closedAt(last.no), undefined);
          const { revision } = last;
          const flip = {
            id: "flip",
            checkNo: last.no,
            from: undefined,
            to: "failing",
            revision,
          } as const;
          const when = { at: noon, since: noon, text: "", message: "" };
          assert.equal(await store.write((tx) => tx.states.flip({ ...flip, ...when })), false);
          await store.runHousekeeping();
          assert.deepEqual(await store.checks.listSwitching(), []);
          if (what === "deleted") return;
          assert.equal(await closedAt(last.no), at);
          await store.write((tx) => tx.accounts.update(bob, nextMinute()));
          await finishSwitch(store, bob.id);
        },
      );
  });
}

function looksAt(store: ContractStore, checks: readonly Check[]) {
  return {
    offCount: async (): Promise<number> => {
      let count = 0;
      for await (const page of store.checks.list(bob.id))
        count += page.filter(({ check }) => check.disabledWithAll).length;
      return count;
    },
    /** When the check's enabled time ended. */
    closedAt: async (no: number): Promise<number | undefined> => {
      assert.ok(checks.some((check) => check.no === no));
      return (await store.states.listEnabledSpans(no, 0, Number.MAX_SAFE_INTEGER)).at(-1)?.end;
    },
  };
}

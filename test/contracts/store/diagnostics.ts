import assert from "node:assert/strict";
import { test } from "node:test";

import type { DiagnosticsRun, DiagnosticsFinding } from "../../../src/domain/diagnostics.ts";
import {
  aCheck,
  aContact,
  alice,
  anAddress,
  anAlert,
  minute,
  noon,
} from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";
import type { ContractStore } from "./contract-store.ts";

const findings: readonly DiagnosticsFinding[] = [
  { tool: "route", about: "192.0.2.1", text: "one\ntwo" },
];

export function diagnosticsContract(open: OpenStore): void {
  const openWithCheck = async () => {
    const store = await open();
    const check = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const order = (id: string, createdAt = noon): Omit<DiagnosticsRun, "attempts"> => ({
      id,
      accountId: alice.id,
      checkNo: check.no,
      checkId: check.id,
      outage: `outage of ${id}`,
      location: "fra",
      createdAt,
    });
    return { store, check, order };
  };
  const insert = (
    store: ContractStore,
    ...orders: readonly Omit<DiagnosticsRun, "attempts">[]
  ): Promise<void> =>
    store.write(async ({ diagnostics }) => {
      for (const each of orders) await diagnostics.insert(each);
    });
  const claim = async (store: ContractStore, now: number): Promise<DiagnosticsRun | undefined> => {
    await store.at(now);
    return store.write(({ diagnostics }) => diagnostics.claim({ leaseMs: minute }));
  };
  const conclude = (
    store: ContractStore,
    diagnosis: DiagnosticsRun,
    at: number,
  ): Promise<boolean> =>
    store.write(({ diagnostics }) => diagnostics.finish(diagnosis, { at, findings }));

  test("a diagnosis is claimed once, the oldest first, and again when its lease has run out", async () => {
    const { store, order } = await openWithCheck();
    await using _ = store;
    await insert(store, order("late", noon + 1), order("early"));
    assert.equal(await (await store.at(noon - 1)).diagnostics.isDue(), false);
    assert.equal(await (await store.at(noon)).diagnostics.isDue(), true);
    assert.deepEqual(await claim(store, noon), { ...order("early"), attempts: 1 });
    assert.deepEqual(await claim(store, noon + 1), { ...order("late", noon + 1), attempts: 1 });
    assert.equal(await claim(store, noon + 1), undefined);
    assert.deepEqual(await claim(store, noon + 1 + minute), { ...order("early"), attempts: 2 });
  });

  test("one that is over is kept with what was found, and is nobody's any more", async () => {
    const { store, check, order } = await openWithCheck();
    await using _ = store;
    await insert(store, order("early"), order("late", noon + 1));
    assert.deepEqual(await store.diagnostics.listFinished(check.no, 10), []);
    for (let done = 0; done < 2; done += 1) {
      const claimed = await claim(store, noon + 1);
      assert.ok(claimed);
      assert.equal(await conclude(store, claimed, noon + 5), true);
      assert.equal(await conclude(store, claimed, noon + 6), false);
    }
    assert.equal(await (await store.at(Number.MAX_SAFE_INTEGER)).diagnostics.isDue(), false);
    const over = { attempts: 1, endedAt: noon + 5, findings };
    const both = [
      { ...order("late", noon + 1), ...over },
      { ...order("early"), ...over },
    ];
    assert.deepEqual(await store.diagnostics.listFinished(check.no, 10), both);
    assert.deepEqual(await store.diagnostics.listFinished(check.no, 1), both.slice(0, 1));
  });

  test("whoever lost the lease concludes nothing", async () => {
    const { store, check, order } = await openWithCheck();
    await using _ = store;
    await insert(store, order("early"));
    const first = await claim(store, noon);
    const second = await claim(store, noon + minute);
    assert.ok(first && second);
    assert.equal(await conclude(store, first, noon + minute), false);
    assert.deepEqual(await store.diagnostics.listFinished(check.no, 10), []);
    assert.equal(await conclude(store, second, noon + minute), true);
  });

  test("one that is removed is gone, and of a check the newest hundred are kept", async () => {
    const { store, check, order } = await openWithCheck();
    await using _ = store;
    await insert(store, order("removed"));
    await store.write(({ diagnostics }) => diagnostics.remove("removed"));
    assert.equal(await (await store.at(Number.MAX_SAFE_INTEGER)).diagnostics.isDue(), false);
    for (let run = 0; run < 103; run += 1) {
      await insert(store, order(`run ${run}`, noon + run));
      const claimed = await claim(store, noon + run);
      assert.ok(claimed);
      await conclude(store, claimed, noon + run);
    }
    const kept = await store.diagnostics.listFinished(check.no, 1000);
    assert.deepEqual([kept.length, kept.at(-1)?.id], [100, "run 3"]);
  });

  test("what is finished is found by its outage, and of a message it is known whether anything is not", async () => {
    const { store, check, order } = await openWithCheck();
    await using _ = store;
    await insert(store, order("one"), order("two", noon + 1));
    const outages = ["outage of one", "outage of two", "another"].map((outage) => ({
      checkNo: check.no,
      outage,
    }));
    const found = async (): Promise<readonly string[]> => [
      ...(await store.diagnostics.findFinished(outages)).keys(),
    ];
    await store.write(async ({ alerts, contacts }) => {
      const ids = ["one", "two"];
      const addresses = ids.map((id) => anAddress(id));
      await contacts.insert(aContact("ann", { addresses }));
      for (const id of ids) {
        const to = { contactId: "ann", addressId: id };
        await alerts.insert(anAlert(id, check, { ...to, outage: `outage of ${id}` }));
      }
      const members = (await alerts.claim({ leaseMs: minute, limit: 2 })).map(({ id }) => ({
        alertId: id,
        attempt: 1,
        wording: { kind: "down", to: "", from: "", subject: "", body: "", network: "" } as const,
      }));
      await alerts.bundle({ id: "bundle", accountId: alice.id, message: "{}", members });
    });
    assert.deepEqual(await found(), []);
    assert.equal(await store.diagnostics.isAnyOpen("bundle"), true);
    assert.equal(await store.diagnostics.isAnyOpen("another"), false);
    for (const expected of [["outage of one"], ["outage of one", "outage of two"]]) {
      const claimed = await claim(store, noon + 1);
      assert.ok(claimed);
      await conclude(store, claimed, noon + 5);
      assert.deepEqual(await found(), expected);
      assert.equal(await store.diagnostics.isAnyOpen("bundle"), expected.length === 1);
    }
    const run = (await store.diagnostics.findFinished(outages)).get("outage of one");
    assert.deepEqual([run?.id, run?.findings], ["one", findings]);
    assert.deepEqual(
      (await store.alerts.listInMessages("outage of one")).map(({ id, message, attempts }) => [
        id,
        message,
        attempts,
      ]),
      [["one", "bundle", 1]],
    );
  });
}

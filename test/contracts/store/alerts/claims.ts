import assert from "node:assert/strict";
import { test } from "node:test";

import {
  aCheck,
  aContact,
  alice,
  aMaintenance,
  anAlert,
  bob,
  minute,
  noon,
} from "../../../record-builders.ts";
import type { OpenStore } from "../store.ts";

/** Contract of concurrent claims by any number of notifiers, runners, and processes. */
export function claimContract(open: OpenStore): void {
  test("sessions that claim at the same time get each alert once, and no Up before its Down has ended", async () => {
    await using store = await open();
    await store.write(async ({ checks, alerts }) => {
      for (let index = 0; index < 20; index += 1) {
        const check = await checks.insert(aCheck(`check-${index}`));
        const to = { contactId: "ann", addressId: `mail-${index % 7}` };
        await alerts.insert(anAlert(`down-${index}`, check, to));
        await alerts.insert(anAlert(`up-${index}`, check, { ...to, kind: "up" }));
      }
    });
    await store.at(noon);
    const claimed: string[] = [];
    const ended = new Set<string>();
    const session = async (): Promise<void> => {
      for (let empty = 0; empty < 3;) {
        const taken = await store.write(({ alerts }) =>
          alerts.claim({ leaseMs: minute, limit: 5 }),
        );
        if (taken.length === 0) empty += 1;
        for (const { id, checkNo, attempts } of taken) {
          if (id.startsWith("up")) assert.ok(ended.has(id.replace("up", "down")), id);
          claimed.push(id);
          const tried = { attempts, possiblySent: false };
          await store.write(
            ({ alerts }) => alerts.finishAttempt(id, { status: "delivered", at: noon }, tried),
            { checks: [checkNo] },
          );
          ended.add(id);
        }
      }
    };
    await Promise.all(Array.from({ length: 4 }, session));
    while (ended.size < 40) await session();
    assert.equal(claimed.length, 40);
    assert.equal(new Set(claimed).size, 40);
  });

  test("an alert says whose share of the places it uses: that of the primary account", async () => {
    await using store = await open();
    await store.write(async ({ checks, alerts }) => {
      for (const { id: accountId } of [alice, bob]) {
        const check = await checks.insert(aCheck(`check-${accountId}`, { accountId }));
        await alerts.insert(anAlert(`alert-${accountId}`, check));
      }
    });
    const { alerts } = await store.at(noon);
    const claim = { leaseMs: minute, limit: 10 };
    const found = {
      due: await alerts.listDue(10),
      queued: await alerts.listQueued(10),
      walked: (await alerts.walkQueues({ limit: 10 })).due,
      claimed: await store.write((tx) => tx.alerts.claim(claim)),
    };
    for (const [how, some] of Object.entries(found))
      assert.deepEqual(
        new Map(some.map(({ accountId, primaryId }) => [accountId, primaryId])),
        new Map([
          [alice.id, alice.id],
          [bob.id, alice.id],
        ]),
        how,
      );
  });

  test("sessions that claim mails, diagnostics or a maintenance at the same time get each once", async () => {
    await using store = await open();
    const key = { accountId: alice.id, id: "M" };
    await store.write(async (tx) => {
      await tx.contacts.insert(aContact("ann"));
      await tx.maintenances.insert(aMaintenance("M", { nextAt: noon }));
      for (let index = 0; index < 6; index += 1) {
        const common = { accountId: alice.id, createdAt: noon };
        const check = await tx.checks.insert(aCheck(`check-${index}`));
        await tx.diagnostics.insert({
          ...common,
          id: `run-${index}`,
          checkNo: check.no,
          checkId: check.id,
          outage: "",
          location: "ld",
        });
        const mail = {
          ...common,
          contactId: "ann",
          to: "",
          kind: "diagnosis",
          follows: `bundle-${index}`,
          timeZone: "+00:00",
          reports: [],
        } as const;
        await tx.systemMails.insert({ ...mail, id: `mail-${index}`, addressId: "" });
      }
    });
    await store.at(noon);
    const session = async (): Promise<readonly (string | undefined)[]> => {
      const taken: (string | undefined)[] = [];
      for (let round = 0; round < 4; round += 1) {
        taken.push((await store.write((tx) => tx.systemMails.claim({ leaseMs: minute })))?.id);
        taken.push((await store.write((tx) => tx.diagnostics.claim({ leaseMs: minute })))?.id);
        const begun = await store.write(async (tx) => {
          const claimed = await tx.maintenances.claim(key);
          if (claimed === undefined) return undefined;
          assert.equal(claimed.now, noon);
          await tx.maintenances.update({ ...claimed.maintenance, nextAt: noon + minute });
          return claimed.maintenance.id;
        });
        taken.push(begun);
      }
      return taken;
    };
    const taken = (await Promise.all(Array.from({ length: 4 }, session))).flat();
    const ids = taken.filter((id) => id !== undefined);
    assert.equal(new Set(ids).size, ids.length, ids.join());
    assert.equal(ids.filter((id) => id === "M").length, 1);
    assert.equal(ids.length, 13);
  });

  test("units that name the same checks in any order all run, one after the other", async () => {
    await using store = await open();
    const numbers = await store.write(async ({ checks }) => {
      const made: number[] = [];
      for (const id of ["one", "two", "three"]) made.push((await checks.insert(aCheck(id))).no);
      return made;
    });
    const raise = (checks: readonly number[], tick: number): Promise<void> =>
      store.write(
        async (tx) => {
          for (const checkNo of checks) {
            const gap = { kind: "missed", reason: "overloaded", message: "" } as const;
            await tx.states.recordGap(checkNo, {
              ...gap,
              firstTick: tick,
              lastTick: tick,
              ticks: 1,
            });
          }
        },
        { checks },
      );
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        raise(index % 2 === 0 ? numbers : numbers.toReversed(), index),
      ),
    );
    for (const no of numbers)
      assert.deepEqual(
        (await store.states.listGaps(no, 9)).map(({ ticks }) => ticks),
        [12],
      );
  });

  test("an empty list selects nothing, and excludes nothing", async () => {
    await using store = await open();
    await store.write(async (tx) => {
      await tx.contacts.insert(aContact("ann"));
      await tx.alerts.drop([], "recovered", noon);
    });
    assert.deepEqual(await store.contacts.findAddresses(alice.id, []), []);
    assert.deepEqual(await store.checks.missingIds(alice.id, []), []);
    assert.deepEqual(await store.groups.findMany(alice.id, []), []);
    assert.deepEqual(await store.profiles.findMany(alice.id, []), []);
    assert.deepEqual(await store.deliveries.list([], []), []);
    const none = { accountIds: [], checkId: undefined, from: 0, limit: 9, dropped: true };
    assert.deepEqual(await store.alerts.listNotifications(none), []);
    assert.deepEqual(
      await store.write((tx) =>
        tx.alerts.claim({ leaseMs: minute, limit: 9, grouping: new Map() }),
      ),
      [],
    );
  });

  test("a unit reads its own results, and the latest of an active check is known with it", async () => {
    await using store = await open();
    const { no } = await store.write(({ checks }) => checks.insert(aCheck("check")));
    assert.equal((await store.checks.findActive(no))?.lastTick, undefined);
    const result = {
      checkNo: no,
      revision: 1,
      tick: noon,
      startedAt: noon + 1,
      endedAt: noon + 2,
      passed: true,
      reason: "ok",
      text: "",
      message: "",
      runtimeMs: 1,
      location: "ld",
      earlierRuns: [],
      timings: undefined,
    } as const;
    await store.write(async (tx) => {
      assert.equal(await tx.results.last(no), undefined);
      await tx.results.append(result);
      assert.equal((await tx.results.last(no))?.startedAt, noon + 1);
      await tx.results.append({ ...result, tick: noon + minute, startedAt: noon + minute });
      assert.equal((await tx.results.last(no))?.startedAt, noon + minute);
    });
    assert.equal((await store.checks.findActive(no))?.lastTick, noon + minute);
    const [[active] = []] = await Array.fromAsync(store.checks.listActive());
    assert.equal(active?.lastTick, noon + minute);
  });

  test("a change is passed on once its unit is committed, and one of a unit that failed is not", async () => {
    await using store = await open();
    const changes: unknown[] = [];
    store.changes.subscribe((change) => void changes.push(change));
    const change = { accountId: alice.id, checkNo: 7 };
    await assert.rejects(
      store.write(async (tx) => {
        await tx.changes.record({ accountId: "NOBODY", checkNo: undefined });
        throw new Error("planted");
      }),
    );
    await store.write(async (tx) => {
      await tx.changes.record(change);
      await tx.changes.record({ accountId: alice.id, checkNo: undefined });
      await tx.changes.record({ ...change, isRun: true });
      assert.deepEqual(changes, []);
    });
    assert.deepEqual(changes, [
      change,
      { accountId: alice.id, checkNo: undefined },
      { ...change, isRun: true },
    ]);
    assert.equal(store.changes.isCurrent(), true);
  });
}

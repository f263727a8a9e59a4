import assert from "node:assert/strict";
import { test } from "node:test";

import { maxRetryMs } from "../../../../src/domain/alert/retry.ts";
import type { Alert } from "../../../../src/domain/alert/alert.ts";
import type { AlertBacklog } from "../../../../src/store/tables/alerts.ts";
import { aContact, anAddress, minute, noon } from "../../../record-builders.ts";
import { insertAlerts, withCheck } from "./alerts.ts";
import type { ContractStore } from "../contract-store.ts";
import type { OpenStore } from "../store.ts";

const hour = 60 * minute;

async function claim(store: ContractStore, now: number): Promise<readonly Alert[]> {
  await store.at(now);
  const grouping = new Map([["email", { waitMs: minute, alerts: "all" as const }]]);
  return store.write(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 9, grouping }));
}

async function noteAlive(store: ContractStore, now: number): Promise<void> {
  await store.at(now);
  await store.write(({ alerts }) => alerts.noteAlive());
}

async function backlogAt(store: ContractStore, now: number): Promise<readonly AlertBacklog[]> {
  await store.at(now);
  return store.alerts.listBacklog(minute);
}

export function alertTimeContract(open: OpenStore): void {
  for (const stepMs of [7 * hour, -hour]) {
    test(`when the clock was set by ${stepMs / hour} h, what waits and what is claimed keeps its time`, async () => {
      await using store = await open();
      const check = await withCheck(store);
      await store.write(({ contacts }) =>
        contacts.insert(aContact("contact", { addresses: [anAddress("2"), anAddress("4")] })),
      );
      await insertAlerts(store, check, {
        retry: { addressId: "1" },
        claimed: { addressId: "2" },
        delayed: { addressId: "3", dueAt: noon + 10 * minute },
      });
      await claim(store, noon);
      const later = { status: "waiting", nextAttemptAt: noon + 5000, possiblySent: false } as const;
      await store.write(({ alerts }) => alerts.finishAttempt("retry", later));
      await store.at(noon + stepMs);
      await store.write(({ alerts }) => alerts.shiftTimes(stepMs));
      const now = noon + stepMs;
      const claimed = async (at: number): Promise<readonly string[]> =>
        (await claim(store, at)).map(({ id }) => id);
      assert.deepEqual(await claimed(now + 4999), []);
      const [retry, ...others] = await claim(store, now + 5000);
      assert.deepEqual([retry?.id, retry?.retryUntil, others], ["retry", now + maxRetryMs, []]);
      await insertAlerts(store, { ...check, no: 99 }, { grouped: { addressId: "2", dueAt: now } });
      assert.deepEqual(await claimed(now + minute - 1), [], "the last message to it is as recent");
      assert.deepEqual((await claimed(now + minute)).toSorted(), ["claimed", "grouped"]);
      assert.deepEqual(await claimed(now + 10 * minute), [
        "retry",
        "claimed",
        "delayed",
        "grouped",
      ]);
    });
  }

  test("the backlog names what is overdue by destination, and nothing that waits for its time", async () => {
    await using store = await open();
    const check = await withCheck(store);
    const addresses = ["1", "2", "3"].map((id) => anAddress(id));
    await store.write(({ contacts }) => contacts.insert(aContact("contact", { addresses })));
    await insertAlerts(store, check, {
      retried: { addressId: "1", dueAt: noon },
      unattempted: { addressId: "2", dueAt: noon + 1000 },
      delayed: { addressId: "3", dueAt: noon + 10 * minute },
    });
    assert.deepEqual(await backlogAt(store, noon + 1000), []);
    const [first] = await claim(store, noon);
    assert.equal(first?.id, "retried");
    const nextAttemptAt = noon + 5 * minute;
    await store.write(({ alerts }) =>
      alerts.finishAttempt("retried", { status: "waiting", nextAttemptAt, possiblySent: false }),
    );
    assert.deepEqual(await backlogAt(store, noon + 2 * minute), [
      { destination: "email", alerts: 2, oldestMs: 2 * minute, isAttempted: true },
    ]);
    const reason = "outside_window";
    await store.write(({ alerts }) =>
      alerts.finishAttempt("retried", {
        status: "waiting",
        nextAttemptAt,
        possiblySent: false,
        reason,
      }),
    );
    assert.deepEqual(await backlogAt(store, noon + 2 * minute), [
      { destination: "email", alerts: 1, oldestMs: 2 * minute - 1000, isAttempted: false },
    ]);
  });

  test("time in which nobody sent is not of the hours in which an alert is tried", async () => {
    await using store = await open();
    const check = await withCheck(store);
    await noteAlive(store, noon);
    await insertAlerts(store, check, { alert: {} });
    await noteAlive(store, noon + minute);
    await noteAlive(store, noon + minute + 7 * hour);
    await noteAlive(store, noon + 2 * minute + 7 * hour);
    const [alert] = await claim(store, noon + 2 * minute + 7 * hour);
    assert.equal(alert?.retryUntil, noon + maxRetryMs + 7 * hour);
  });

  test("after a stop that the clock came back from earlier than it went, no alert waits for longer", async () => {
    await using store = await open();
    const check = await withCheck(store);
    await noteAlive(store, noon);
    await insertAlerts(store, check, { alert: { dueAt: noon + minute } });
    await noteAlive(store, noon - hour);
    const [alert] = await claim(store, noon - hour + minute);
    assert.deepEqual([alert?.id, alert?.retryUntil], ["alert", noon + minute - hour + maxRetryMs]);
  });
}

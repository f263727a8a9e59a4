import assert from "node:assert/strict";

import { isNotified } from "../../../src/domain/alert/alert.ts";
import type { Check } from "../../../src/domain/check.ts";
import type { State } from "../../../src/domain/run/verdict.ts";
import type { Transaction } from "../../../src/store/store.ts";
import type { AttemptEnd } from "../../../src/store/tables/alerts.ts";
import { recordFlip } from "../../../src/store/transactions/record-flip.ts";
import { recordResult } from "../../../src/store/transactions/record-result.ts";
import {
  aCheck,
  aContact,
  aMaintenance,
  aResult,
  alice,
  minute,
  noon,
} from "../../record-builders.ts";
import type { ContractStore } from "./contract-store.ts";
import type { OpenStore } from "./store.ts";

export const sceneMaintenance = aMaintenance("maintenance");
export const delivered: AttemptEnd = { status: "delivered", at: noon };

export interface Scene extends AsyncDisposable {
  readonly store: ContractStore;
  readonly unit: <Value>(work: (tx: Transaction, check: Check) => Promise<Value>) => Promise<Value>;
  readonly flip: (from: State | undefined, to: State, at: number) => Promise<void>;
  readonly failAgain: (at: number) => Promise<void>;
  /** Claims what is due and sends it; gives the kinds of what arrived, with the contacts but Ann. */
  readonly send: (at: number) => Promise<string>;
}

/** Creates a check whose recipient is Ann; Ben is not notified. */
export async function outageScene(
  open: OpenStore,
  notifications: Check["notifications"],
): Promise<Scene> {
  const store = await open();
  let serial = 0;
  const ids = { alert: () => `id-${(serial += 1)}` };
  const { id } = await store.write(async ({ contacts, checks, maintenances }) => {
    await contacts.insert(aContact("ann"));
    await contacts.insert(aContact("ben"));
    await maintenances.insert(sceneMaintenance);
    return checks.insert(aCheck("check", { notifications }));
  });
  const present = async (): Promise<Check> => {
    const found = await store.checks.find(alice.id, id);
    assert.ok(found);
    return found.check;
  };
  const arrivedOf = async (tx: Transaction): Promise<readonly string[]> => {
    const arrived: string[] = [];
    for (const alert of await tx.alerts.claim({ leaseMs: minute, limit: 9 })) {
      const earlier = await tx.alerts.listByOutage(alert.outage ?? "");
      const isAnswered = earlier.some(
        (down) => down.contactId === alert.contactId && isNotified(down),
      );
      const isSent = alert.kind !== "up" || isAnswered;
      const dropped: AttemptEnd = { status: "dropped", at: noon, reason: "down_not_sent" };
      await tx.alerts.finishAttempt(alert.id, isSent ? delivered : dropped, alert);
      const to = alert.contactId === "ann" ? "" : ` ${alert.contactId}`;
      if (isSent) arrived.push(`${alert.kind}${to}`);
    }
    return arrived;
  };
  return {
    store,
    unit: async (work) => {
      const check = await present();
      return store.write((tx) => work(tx, check), { checks: [check.no] });
    },
    async flip(from, to, at) {
      const check = await present();
      const result = aResult(check.no, at, { passed: to === "passing", revision: check.revision });
      const flip = { check, target: "", from, to, result, at, since: at, confirmations: [] };
      const { won } = await store.write((tx) => recordFlip(tx, flip, ids));
      assert.ok(won);
    },
    async failAgain(at) {
      const check = await present();
      const result = aResult(check.no, at, { passed: false, revision: check.revision });
      const failingAgain = { check, target: "", at, confirmations: [] };
      await recordResult({ store, ids }, result, { failingAgain, endsTrouble: false });
    },
    async send(at) {
      await store.at(at);
      const rounds = [await store.write(arrivedOf), await store.write(arrivedOf)];
      return rounds.flat().join();
    },
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}

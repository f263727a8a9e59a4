import assert from "node:assert/strict";
import { test } from "node:test";

import { watchActiveChecks } from "../../../src/tracking/watch-active-checks.ts";
import { withRunRevision, type Check } from "../../../src/domain/check.ts";
import { shardOf } from "../../../src/domain/shard.ts";
import type { Transaction } from "../../../src/store/store.ts";
import { fakeClock } from "../../time/fake-clock.ts";
import { waitFor } from "../../time/wait-for.ts";
import {
  aCheck,
  aContact,
  alice,
  aMaintenance,
  anAddress,
  bob,
  minute,
  noon,
} from "../../record-builders.ts";
import type { ContractStore } from "./contract-store.ts";
import type { OpenStore } from "./store.ts";

/** Each of two controllers has two of them. */
const checkIds = ["ONE", "TWO", "THREE", "FOUR"];

type Change = (tx: Transaction, check: Check) => Promise<unknown>;

const changed =
  (changes: Partial<Check>): Change =>
  ({ checks }, check) => {
    const next = { ...check, ...changes, revision: check.revision + 1, modifiedAt: noon + minute };
    return checks.update(withRunRevision(check, next), noon + minute);
  };

const stored: Readonly<Record<string, Change>> = {
  "a mute": changed({ mute: true }),
  "a label": changed({ label: "new" }),
  "tags and a description": changed({ tags: ["new"], description: "new" }),
  recipients: changed({ notifications: [{ CONTACT: "All" }] }),
  "a dependency": changed({ dependsOn: "FOUR" }),
  "diagnostics and a public report": changed({ diagnose: true, public: true }),
  "the default that is written down": changed({ rechecks: 2 }),
  "a contact": ({ contacts }) =>
    contacts.update(aContact("CONTACT", { addresses: [anAddress("new")] })),
  "a contact that is removed": ({ contacts }) => contacts.remove(alice.id, "CONTACT"),
  "a schedule": ({ schedules }) => schedules.put(alice.id, { name: "Days", days: {} }),
  "a maintenance of others": async ({ maintenances }) => {
    const maintenance = aMaintenance("OTHERS", { checkIds: ["BOBS"] });
    await maintenances.insert(maintenance);
    await maintenances.pauseChecks(maintenance, ["BOBS"], noon + minute);
  },
  "the name and time zone of the account": ({ accounts }) =>
    accounts.update({ ...alice, name: "new", timeZone: "Europe/Berlin" }, noon + minute),
  "recipients and diagnostics of the account": ({ accounts }) =>
    accounts.update(
      { ...alice, defaultNotifications: [{ CONTACT: "All" }], autoDiagnostics: true },
      noon + minute,
    ),
  "a mute of the account": ({ accounts }) =>
    accounts.update({ ...alice, suppressAll: true }, noon + minute),
  "a subaccount that is suspended": ({ accounts }) =>
    accounts.update({ ...bob, status: "suspended" }, noon + minute),
};

const running: Readonly<Record<string, Change>> = {
  "a target": changed({ parameters: { target: "other.example.net", port: 80 } }),
  "an interval": changed({ intervalMinutes: 5 }),
  "a timeout": changed({ timeoutSeconds: 7 }),
  rechecks: changed({ rechecks: 0 }),
  "a wait between rechecks": changed({ recheckWait: 7 }),
  regions: changed({ regions: ["eur"] }),
  "a home": changed({ home: "fra" }),
  "to switch it off and on": async (tx, { accountId, no }) => {
    await tx.checks.disable(accountId, [no], { disable: true, at: noon + minute });
    await tx.checks.disable(accountId, [no], { disable: false, at: noon + 2 * minute });
  },
};

/** Two controllers over one store, each with half of the checks. */
async function watchTwice(store: ContractStore, signal: AbortSignal) {
  const calls: string[] = [];
  const errors: unknown[] = [];
  const halves = [checkIds.slice(0, 2), checkIds.slice(2)];
  for (const half of halves) {
    const owned = new Set(half.map(shardOf));
    await watchActiveChecks(
      {
        checks: store.checks,
        changes: store.changes,
        shards: { owns: (shard) => owned.has(shard), owned: () => [...owned], subscribe() {} },
        clock: fakeClock(),
        failed: (error) => void errors.push(error),
      },
      {
        accepts: () => true,
        resume() {},
        restart: ({ check }) => void calls.push(check.id),
        stop() {},
      },
      signal,
    );
  }
  return {
    /** Returns the restarted checks, once each controller has restarted its last check for a later change. */
    restarted: async (): Promise<readonly string[]> => {
      const last = halves.map((half) => half[1] ?? "");
      for (const id of last) await change(store, id, changed({ parameters: { target: id } }));
      await waitFor("both know of the last change", () => last.every((id) => calls.includes(id)));
      assert.deepEqual(errors, []);
      return calls.filter((id) => !last.includes(id));
    },
  };
}

async function change(store: ContractStore, id: string, make: Change): Promise<void> {
  const found = await store.checks.find(alice.id, id);
  assert.ok(found);
  const { check } = found;
  await store.write(async (tx) => {
    await make(tx, check);
    await tx.changes.record({ accountId: alice.id, checkNo: check.no });
    await tx.changes.record({ accountId: alice.id, checkNo: undefined });
  });
}

async function openWithChecks(open: OpenStore): Promise<ContractStore> {
  const store = await open();
  await store.write(async ({ checks, contacts }) => {
    await contacts.insert(aContact("CONTACT"));
    for (const id of checkIds) await checks.insert(aCheck(id));
    await checks.insert(aCheck("BOBS", { accountId: bob.id }));
  });
  return store;
}

/** A check is restarted by what changes its runs and by nothing else, whichever process controls it. */
export function runChangeContract(open: OpenStore): void {
  test("what is only stored restarts no check at either of two controllers", async () => {
    await using store = await openWithChecks(open);
    using stopping = stopsAtEnd();
    const { restarted } = await watchTwice(store, stopping.signal);
    const revisions = async (): Promise<readonly unknown[]> =>
      (await Promise.all(checkIds.map((id) => store.checks.findById(id)))).map((found) => [
        found?.check.runRevision,
        found?.check.runChangedAt,
      ]);
    const before = await revisions();
    for (const [what, make] of Object.entries(stored)) {
      await change(store, "ONE", make);
      assert.deepEqual(await revisions(), before, what);
    }
    assert.deepEqual(await restarted(), []);
  });

  test("what runs differently is restarted by its controller alone, once for each change", async () => {
    await using store = await openWithChecks(open);
    using stopping = stopsAtEnd();
    const { restarted } = await watchTwice(store, stopping.signal);
    let revision = 1;
    for (const [what, make] of Object.entries(running)) {
      await change(store, "THREE", make);
      const found = await store.checks.findById("THREE");
      assert.ok(found && found.check.runRevision > revision, what);
      revision = found.check.runRevision;
    }
    const calls = await restarted();
    // Changes that are read together restart it once.
    assert.ok(calls.length >= 1 && calls.length <= Object.keys(running).length, String(calls));
    assert.deepEqual([...new Set(calls)], ["THREE"]);
  });

  test("other defaults of the account restart those of its checks that have none of their own", async () => {
    await using store = await openWithChecks(open);
    await change(store, "ONE", changed({ regions: ["eur"], recheckWait: 7 }));
    using stopping = stopsAtEnd();
    const { restarted } = await watchTwice(store, stopping.signal);
    await change(store, "ONE", ({ accounts }) =>
      accounts.update({ ...alice, defaultRegions: ["nam"], recheckWait: 5 }, noon + minute),
    );
    assert.deepEqual(await restarted(), ["THREE"]);
  });
}

function stopsAtEnd(): Disposable & Pick<AbortController, "signal"> {
  const stopping = new AbortController();
  return { signal: stopping.signal, [Symbol.dispose]: () => stopping.abort() };
}

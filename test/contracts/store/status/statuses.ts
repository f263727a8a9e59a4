import assert from "node:assert/strict";
import { test } from "node:test";

import type { CheckStatus } from "../../../../src/domain/run/status.ts";
import { aCheck, aFlip, alice, aResult, bob, minute, noon } from "../../../record-builders.ts";
import type { ContractStore } from "../contract-store.ts";
import type { OpenStore } from "../store.ts";

async function listed(
  store: ContractStore,
  accountId = alice.id,
  wanted: Parameters<ContractStore["checks"]["listStatuses"]>[1] = {},
): Promise<readonly CheckStatus[]> {
  return (await Array.fromAsync(store.checks.listStatuses(accountId, wanted))).flat();
}

export function statusContract(open: OpenStore): void {
  test("a list shows how each check is, and what it says of its target and parameters", async () => {
    await using store = await open();
    const parameters = { target: "https://ann:secret@x.example/a?key=secret", checktoken: "t" };
    const { no } = await store.write(async ({ checks }) => {
      await checks.insert(aCheck("other", { accountId: bob.id }));
      return checks.insert(
        aCheck("check", { type: "PUSH", parameters, tags: ["a"], mute: 5000, dependsOn: "check" }),
      );
    });
    await store.write(({ states }) => states.flip(aFlip(no, { id: "outage" })));
    const acknowledgement = { at: noon, by: "Ann", note: "" };
    await store.write(({ states }) => states.acknowledge(no, "outage", acknowledgement));
    const timings = { dns: 1, connect: 2.5, total: 77 };
    await store.append(aResult(no, noon + minute, { runtimeMs: 77, text: "200", timings }));
    const gap = { kind: "missed", reason: "late", message: "m", lastTick: 9, ticks: 2 } as const;
    await store.write(({ states }) => states.recordGap(no, { ...gap, firstTick: 3 }));
    const [found, ...more] = await listed(store, alice.id, { parametersOf: ["PUSH"] });
    assert.deepEqual(more, []);
    assert.ok(found);
    const { target, parameters: opened, ...status } = found;
    assert.deepEqual(status, {
      no,
      id: "check",
      type: "PUSH",
      label: "check",
      intervalMinutes: 1,
      rechecks: undefined,
      tags: ["a"],
      mute: 5000,
      dependsOn: "check",
      inMaintenance: false,
      createdAt: noon,
      activeSince: noon,
      lastActive: undefined,
      state: "failing",
      downSince: noon + minute,
      outage: "outage",
      acknowledgement,
      failingLocations: [],
      lastDown: undefined,
      gap: { kind: "missed", reason: "late", message: "m", since: 3, ticks: 2 },
      last: { startedAt: noon + minute, runtimeMs: 77, text: "200", timings },
    });
    assert.deepEqual([target(), opened()], ["https://x.example/a", parameters]);
    assert.deepEqual((await listed(store))[0]?.parameters(), {});
  });

  test("of a check that is off it shows since when, and of one that is up when its last outage ended", async () => {
    await using store = await open();
    const [off, up] = await store.write(async ({ checks }) => [
      await checks.insert(aCheck("off")),
      await checks.insert(aCheck("up")),
    ]);
    await store.write(async ({ checks, states }) => {
      await states.flip(aFlip(up.no));
      const over = { id: "over", from: "failing", to: "passing", since: noon + 9 } as const;
      await states.flip(aFlip(up.no, over));
      await checks.update({ ...off, enabled: false, revision: 2, runRevision: 2 }, noon + 5);
    });
    const seen = await listed(store);
    assert.deepEqual(
      seen.map(({ id, activeSince, lastActive, lastDown }) => [
        id,
        activeSince,
        lastActive,
        lastDown,
      ]),
      [
        ["off", undefined, noon + 5, undefined],
        // An outage that ended before it began has no length.
        ["up", noon, undefined, Math.max(noon + minute, noon + 9)],
      ],
    );
  });

  test("some are listed by their numbers or ids, all of many pages in their order, and nobody else's", async () => {
    await using store = await open();
    const made = await store.write(async ({ checks }) => {
      const all = [];
      for (let count = 0; count < 320; count += 1)
        all.push(await checks.insert(aCheck(`check-${count}`)));
      return all;
    });
    assert.deepEqual(
      (await listed(store)).map(({ id }) => id),
      made.map(({ id }) => id),
    );
    const [one, two] = made.slice(7);
    assert.ok(one && two);
    for (const wanted of [{ nos: [two.no, one.no] }, { ids: [two.id, one.id, "nothing"] }]) {
      const found = await listed(store, alice.id, wanted);
      assert.deepEqual(
        found.map(({ id }) => id),
        [one.id, two.id],
      );
      assert.deepEqual(await listed(store, bob.id, wanted), []);
    }
  });
}

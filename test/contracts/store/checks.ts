import assert from "node:assert/strict";
import { test } from "node:test";

import { unknownState, type Check } from "../../../src/domain/check.ts";
import { shardOf } from "../../../src/domain/shard.ts";
import type { Transaction } from "../../../src/store/store.ts";
import {
  aCheck,
  aFlip,
  alice,
  aMaintenance,
  anAlert,
  aResult,
  bob,
  carol,
  minute,
  noon,
} from "../../record-builders.ts";
import type { OpenStore } from "./store.ts";
import { nextDueAt } from "./contract-store.ts";

const forever = [0, Number.MAX_SAFE_INTEGER] as const;

export function checkContract(open: OpenStore): void {
  test("a check comes back with what was sent, its JSON types kept", async () => {
    await using store = await open();
    const full = aCheck("full", {
      rechecks: 0,
      public: true,
      regions: ["eur", "ld"],
      timeoutSeconds: 7,
      parameters: {
        target: "http://user:secret@host/",
        port: "80",
        verify: "true",
        invert: true,
        deep: [{ a: null }],
        ключ: "\u0000\ud83d",
      },
      notifications: [{ one: { schedule: "All", delay: "0" } }, { two: "Days", three: "None" }],
    });
    const bare = aCheck("bare", { enabled: false, disabledWithAll: true });
    const [first, second] = await store.write(
      async ({ checks }) => [await checks.insert(full), await checks.insert(bare)] as const,
    );
    assert.deepEqual(first, { ...full, no: first.no });
    assert.ok(second.no > first.no);
    const none = {
      state: unknownState,
      openGap: undefined,
    };
    assert.deepEqual(await store.checks.find(alice.id, "full"), { check: first, ...none });
    assert.deepEqual(await store.checks.findById("bare"), { check: second, ...none });
    assert.equal(await store.checks.findById("nowhere"), undefined);
  });

  test("the active checks of some shards are read alone", async () => {
    await using store = await open();
    const ids = ["one", "two", "three", "four"];
    await store.write(async ({ checks }) => {
      for (const id of ids) await checks.insert(aCheck(id));
    });
    const shards = [shardOf("one"), shardOf("three")];
    const active = (await Array.fromAsync(store.checks.listActive({ shards }))).flat();
    assert.deepEqual(
      active.map(({ check }) => check.id),
      ids.filter((id) => shards.includes(shardOf(id))),
    );
    assert.deepEqual(await Array.fromAsync(store.checks.listActive({ shards: [] })), []);
  });

  test("the chain of what a check depends on is read to its end, or to a limit", async () => {
    await using store = await open();
    const chain: readonly (readonly [id: string, dependsOn: string | undefined])[] = [
      ["top", undefined],
      ["second", "top"],
      ["third", "second"],
      ["side", "second"],
      ["orphan", "gone"],
      ["left", "right"],
      ["right", "left"],
    ];
    await store.write(async ({ checks }) => {
      for (const [id, dependsOn] of chain) await checks.insert(aCheck(id, { dependsOn }));
    });
    const { checks } = store;
    assert.deepEqual(await checks.dependencyChain(alice.id, "third", 9), [
      "third",
      "second",
      "top",
    ]);
    assert.deepEqual(await checks.dependencyChain(alice.id, "third", 2), ["third", "second"]);
    assert.deepEqual(await checks.dependencyChain(alice.id, "orphan", 9), ["orphan"]);
    assert.deepEqual(await checks.dependencyChain(alice.id, "left", 3), ["left", "right", "left"]);
    assert.deepEqual(await checks.dependencyChain(alice.id, "gone", 9), []);
    assert.deepEqual(await checks.dependencyChain(carol.id, "third", 9), []);
    assert.equal(await checks.levelsOfDependents(alice.id, "top", 9), 2);
    assert.equal(await checks.levelsOfDependents(alice.id, "top", 1), 1);
    assert.equal(await checks.levelsOfDependents(alice.id, "third", 9), 0);
    assert.equal(await checks.levelsOfDependents(alice.id, "left", 9), 9);
    assert.equal(await checks.levelsOfDependents(carol.id, "top", 9), 0);
  });

  test("keys of parameters and notifications that objects own already stay data", async () => {
    await using store = await open();
    const parameters: Check["parameters"] = JSON.parse(
      '{"target":"h","__proto__":{"polluted":true},"constructor":1}',
    );
    const notifications: Check["notifications"] = JSON.parse(
      '[{"__proto__":{"schedule":"All","delay":0}}]',
    );
    await store.write(({ checks }) => checks.insert(aCheck("odd", { parameters, notifications })));
    const found = await store.checks.find(alice.id, "odd");
    assert.deepEqual(Object.keys(found?.check.parameters ?? {}), [
      "target",
      "__proto__",
      "constructor",
    ]);
    assert.deepEqual(Object.keys(found?.check.notifications[0] ?? {}), ["__proto__"]);
    assert.equal("polluted" in {}, false);
  });

  test("nobody finds, lists, changes or removes the checks of another account", async () => {
    await using store = await open();
    const check = await store.write(({ checks }) => checks.insert(aCheck("hers")));
    for (const stranger of [bob, carol]) {
      assert.equal(await store.checks.find(stranger.id, check.id), undefined);
      assert.deepEqual(await Array.fromAsync(store.checks.list(stranger.id)), []);
      assert.deepEqual(await store.checks.listActiveNumbers(stranger.id), []);
      assert.equal(
        await store.write(({ checks }) => checks.remove(stranger.id, check.id, noon)),
        false,
      );
      assert.equal(
        await store.write(({ checks }) => checks.disableAll(stranger.id, true, noon)),
        0,
      );
      await assert.rejects(
        store.write(({ checks }) =>
          checks.update({ ...check, accountId: stranger.id, label: "taken" }, noon),
        ),
      );
    }
    assert.deepEqual((await store.checks.find(alice.id, check.id))?.check, check);
    assert.deepEqual(await store.checks.listActiveNumbers(alice.id), [check.no]);
  });

  test("lists go through every check once, oldest first, over as many pages as it takes", async () => {
    await using store = await open();
    const ids = Array.from({ length: 110 }, (_, index) => `check-${110 - index}`);
    await store.write(async ({ checks }) => {
      for (const id of ids) await checks.insert(aCheck(id, { enabled: !id.endsWith("7") }));
    });
    const listed = (await Array.fromAsync(store.checks.list(alice.id))).flat();
    assert.deepEqual(
      listed.map(({ check }) => check.id),
      ids,
    );
    const active = (await Array.fromAsync(store.checks.listActive())).flat();
    assert.deepEqual(
      active.map(({ check }) => check.id),
      ids.filter((id) => !id.endsWith("7")),
    );
  });

  test("an active check has the certificate that each location saw last", async () => {
    await using store = await open();
    const [seen, other] = await store.write(
      async ({ checks }) =>
        [await checks.insert(aCheck("seen")), await checks.insert(aCheck("other"))] as const,
    );
    const certificate = { subject: "www.example.net", issuer: "one", validTo: noon + minute };
    const renewed = { ...certificate, issuer: "two" };
    const observed = [
      { location: "ld", ...certificate },
      { location: "ny", ...certificate },
      { location: "ld", ...renewed },
    ];
    for (const [index, each] of observed.entries())
      await store.write(({ evidence }) =>
        evidence.recordCertificate({ ...each, checkNo: seen.no, observedAt: noon + index }),
      );
    const found = await store.checks.findActive(seen.no);
    assert.deepEqual(
      found?.certificates.toSorted((one, next) => one.location.localeCompare(next.location)),
      [
        { location: "ld", certificate: renewed },
        { location: "ny", certificate },
      ],
    );
    assert.deepEqual((await store.checks.findActive(other.no))?.certificates, []);
  });

  test("an active check has its own regions or its account's, and runs since it was switched on", async () => {
    await using store = await open();
    const [own, inherited] = await store.write(
      async ({ checks }) =>
        [
          await checks.insert(aCheck("own", { regions: ["nam"] })),
          await checks.insert(aCheck("inherited")),
        ] as const,
    );
    await store.write(async ({ checks }) => {
      await checks.update(
        { ...inherited, enabled: false, revision: 2, runRevision: 2 },
        noon + minute,
      );
      await checks.update(
        { ...inherited, enabled: true, revision: 3, runRevision: 3 },
        noon + 2 * minute,
      );
    });
    const ownFound = await store.checks.findActive(own.no);
    const inheritedFound = await store.checks.findActive(inherited.no);
    assert.deepEqual([ownFound?.regions, ownFound?.activeSince], [["nam"], noon]);
    assert.deepEqual(
      [inheritedFound?.regions, inheritedFound?.activeSince],
      [["wlw"], noon + 2 * minute],
    );
  });

  test("an update changes all but what we assigned", async () => {
    await using store = await open();
    const check = await store.write(({ checks }) => checks.insert(aCheck("check")));
    const wanted: Check = {
      ...check,
      type: "HTTP",
      label: "new",
      intervalMinutes: 5,
      timeoutSeconds: 9,
      rechecks: 3,
      public: true,
      regions: ["eao"],
      parameters: { target: "http://new/" },
      notifications: [{ one: "All" }],
      revision: 2,
      runRevision: 2,
      revisionHash: "11",
      modifiedAt: noon + minute,
    };
    await store.write(({ checks }) =>
      checks.update({ ...wanted, uuid: "other", queue: "OTHER", createdAt: 1 }, noon + minute),
    );
    assert.deepEqual((await store.checks.find(alice.id, check.id))?.check, wanted);
  });

  test("a number is never used again", async () => {
    await using store = await open();
    const check = await store.write(({ checks }) => checks.insert(aCheck("gone")));
    await store.write(({ checks }) => checks.remove(alice.id, check.id, noon));
    const next = await store.write(({ checks }) => checks.insert(aCheck("gone")));
    assert.ok(next.no > check.no);
  });

  test("a result keeps what the check was at its time, without credentials, when the check changes", async () => {
    await using store = await open();
    const check = await store.write(({ checks }) =>
      checks.insert(aCheck("check", { parameters: { target: "http://u:p@old/" } })),
    );
    await store.append(aResult(check.no, noon, { revision: 1 }));
    const moved = {
      ...check,
      type: "HTTP",
      parameters: { target: "new" },
      timeoutSeconds: 9,
      intervalMinutes: 3,
      revision: 3,
      runRevision: 3,
    };
    await store.write(({ checks }) =>
      checks.update({ ...check, label: "only the label", revision: 2 }, noon),
    );
    await store.write(({ checks }) => checks.update(moved, noon));
    await store.append(aResult(check.no, noon + 1, { revision: 2 }));
    await store.append(aResult(check.no, noon + 2, { revision: 3 }));
    const [found = []] = await Array.fromAsync(
      store.results.page({
        checkNo: check.no,
        from: noon,
        to: noon + 2,
        limit: 9,
        order: "oldest",
      }),
    );
    assert.deepEqual(
      found.map(({ type, target, timeoutSeconds, intervalMinutes }) => [
        type,
        target,
        timeoutSeconds,
        intervalMinutes,
      ]),
      [
        ["PORT", "http://old/", 5, 1],
        ["PORT", "http://old/", 5, 1],
        ["HTTP", "new", 9, 3],
      ],
    );
  });

  switchContract(open);
}

/** The ways to switch a check off and on again: each closes and opens the same spans and drops the same alerts. */
function switchContract(open: OpenStore): void {
  type Switch = (tx: Transaction, check: Check, at: number) => Promise<unknown>;
  const ways: readonly {
    readonly name: string;
    readonly reason: string;
    readonly off: Switch;
    readonly on: Switch;
  }[] = [
    {
      name: "disabling a check",
      reason: "disabled",
      off: (tx, check, at) =>
        tx.checks.update({ ...check, enabled: false, revision: 2, runRevision: 2 }, at),
      on: (tx, check, at) => tx.checks.update({ ...check, revision: 3, runRevision: 3 }, at),
    },
    {
      name: "disabling all checks",
      reason: "disabled",
      off: (tx, _, at) => tx.checks.disableAll(alice.id, true, at),
      on: (tx, _, at) => tx.checks.disableAll(alice.id, false, at),
    },
    {
      name: "holding a check for a maintenance",
      reason: "disabled",
      async off({ maintenances }, check, at) {
        const held = aMaintenance("held");
        await maintenances.insert(held);
        await maintenances.pauseChecks(held, [check.id], at);
      },
      on: ({ maintenances }, check, at) =>
        maintenances.resumeChecks(aMaintenance("held"), [check.id], at),
    },
    {
      name: "suspending the account",
      reason: "account_suspended",
      off: (tx, _, at) => tx.accounts.update({ ...alice, status: "suspended" }, at),
      on: (tx, _, at) => tx.accounts.update(alice, at),
    },
  ];

  for (const { name, reason, off, on } of ways) {
    test(`${name} closes the spans, keeps the state and holds what has not begun to leave`, async () => {
      await using store = await open();
      const check = await store.write(async ({ checks, states, alerts }) => {
        const inserted = await checks.insert(aCheck("check"));
        await states.flip(aFlip(inserted.no));
        await alerts.insert(anAlert("left", inserted, { addressId: "left" }));
        await alerts.claim({ leaseMs: minute, limit: 1 });
        await alerts.insert(anAlert("unsent", inserted));
        await checks.insert(aCheck("carols", { accountId: carol.id }));
        return inserted;
      });

      await store.write((tx) => off(tx, check, noon + 2 * minute));
      assert.deepEqual(await store.states.listEnabledSpans(check.no, ...forever), [
        { start: noon, end: noon + 2 * minute },
      ]);
      assert.deepEqual(
        (await store.states.listDownSpans(check.no, ...forever)).map(({ start, end }) => [
          start,
          end,
        ]),
        [[noon + minute, noon + 2 * minute]],
      );
      assert.equal((await store.states.get(check.no)).state, "failing");
      assert.equal(await store.checks.findActive(check.no), undefined);
      assert.deepEqual(await store.checks.listActiveNumbers(alice.id), []);
      assert.equal((await store.accounts.listWithSubaccounts(alice.id))[0]?.activeChecks, 0);
      assert.deepEqual(await store.states.listCurrentEvents(alice.id), [
        { checkId: "check", label: "check", kind: "disabled", since: noon + 2 * minute },
      ]);
      const notifications = await store.alerts.listNotifications({
        accountIds: [alice.id],
        checkId: undefined,
        from: 0,
        limit: 9,
        dropped: true,
      });
      assert.deepEqual(
        notifications.map((alert) => [alert.alertId, alert.status, alert.reason]),
        [
          ["unsent", "held", reason],
          ["left", "waiting", undefined],
        ],
      );
      assert.equal((await store.checks.listActiveNumbers(carol.id)).length, 1);

      await store.write((tx) => on(tx, check, noon + 3 * minute));
      assert.deepEqual(await store.states.listEnabledSpans(check.no, ...forever), [
        { start: noon, end: noon + 2 * minute },
        { start: noon + 3 * minute, end: undefined },
      ]);
      assert.deepEqual(await store.checks.listActiveNumbers(alice.id), [check.no]);
      assert.deepEqual(await store.states.listCurrentEvents(alice.id), []);
    });
  }

  test("switching all checks off and on leaves alone what was off already", async () => {
    await using store = await open();
    const check = await store.write(async ({ checks }) => {
      await checks.insert(aCheck("off", { enabled: false }));
      return checks.insert(aCheck("on"));
    });
    assert.equal(await store.write(({ checks }) => checks.disableAll(alice.id, true, noon + 1)), 1);
    assert.equal(await store.write(({ checks }) => checks.disableAll(alice.id, true, noon + 2)), 0);
    assert.equal(
      await store.write(({ checks }) => checks.disableAll(alice.id, false, noon + 3)),
      1,
    );
    assert.deepEqual(await store.checks.listActiveNumbers(alice.id), [check.no]);
    assert.deepEqual(await store.states.listCurrentEvents(alice.id), [
      { checkId: "off", label: "off", kind: "disabled", since: noon },
    ]);
  });

  test("an update that switches nothing leaves the spans and alerts alone, and so does a new name of the account", async () => {
    await using store = await open();
    const check = await store.write(async ({ checks, states, alerts }) => {
      const inserted = await checks.insert(aCheck("check"));
      await states.flip(aFlip(inserted.no));
      await alerts.insert(anAlert("unsent", inserted));
      return inserted;
    });
    await store.write(async ({ checks, accounts }) => {
      await checks.update({ ...check, label: "new", revision: 2 }, noon + 5 * minute);
      await accounts.update({ ...alice, name: "new" }, noon + 6 * minute);
    });
    assert.deepEqual(await store.states.listEnabledSpans(check.no, ...forever), [
      { start: noon, end: undefined },
    ]);
    assert.equal((await store.states.listDownSpans(check.no, ...forever))[0]?.end, undefined);
    assert.equal((await (await store.at(noon)).alerts.listDue(9)).length, 1);
  });

  test("a clock that stepped back ends no span before it began", async () => {
    await using store = await open();
    const check = await store.write(({ checks }) => checks.insert(aCheck("check")));
    await store.write(({ checks }) => checks.disableAll(alice.id, true, noon - minute));
    assert.deepEqual(await store.states.listEnabledSpans(check.no, 0, noon + 1), [
      { start: noon, end: noon },
    ]);
  });

  test("a removed check leaves nothing but what was sent", async () => {
    await using store = await open();
    const check = await store.write(async ({ checks, states, alerts }) => {
      const inserted = await checks.insert(aCheck("check"));
      await states.flip(aFlip(inserted.no));
      await alerts.insert(anAlert("sent", inserted));
      await alerts.addDelivery({
        alertId: "sent",
        attempt: 1,
        startedAt: noon,
        endedAt: noon + 1,
        accepted: true,
        response: "250 ok",
      });
      await alerts.finishAttempt("sent", { status: "delivered", at: noon + 1 });
      await alerts.insert(anAlert("unsent", inserted));
      return inserted;
    });
    assert.equal(
      await store.write(({ checks }) => checks.remove(alice.id, check.id, noon + minute)),
      true,
    );
    assert.equal(await store.checks.findById(check.id), undefined);
    assert.deepEqual(await store.states.listCurrentEvents(alice.id), []);
    assert.deepEqual(await store.states.listEnabledSpans(check.no, ...forever), []);
    assert.deepEqual(await store.states.listDownSpans(check.no, ...forever), []);
    assert.equal(await nextDueAt(store), undefined);
    const notifications = await store.alerts.listNotifications({
      accountIds: [alice.id],
      checkId: check.id,
      from: 0,
      limit: 9,
      dropped: true,
    });
    assert.deepEqual(
      notifications.map(({ alertId, status, reason, response }) => [
        alertId,
        status,
        reason,
        response,
      ]),
      [
        ["unsent", "dropped", "deleted", undefined],
        ["sent", "delivered", undefined, "250 ok"],
      ],
    );
  });
}

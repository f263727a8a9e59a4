import assert from "node:assert/strict";
import { test } from "node:test";

import type { Check } from "../../../../src/domain/check.ts";
import type { Transaction } from "../../../../src/store/store.ts";
import type { AttemptEnd, NotificationQuery } from "../../../../src/store/tables/alerts.ts";
import {
  aCheck,
  aContact,
  aFlip,
  alice,
  anAddress,
  anAlert,
  minute,
  noon,
} from "../../../record-builders.ts";
import type { OpenStore } from "../store.ts";
import { nextDueAt, type ContractStore } from "../contract-store.ts";

type AlertChanges = Parameters<typeof anAlert>[2];

export const everything: NotificationQuery = {
  accountIds: [alice.id],
  checkId: undefined,
  from: 0,
  limit: 100,
  dropped: true,
};

export async function withCheck(store: ContractStore): Promise<Check> {
  return store.write(({ checks }) => checks.insert(aCheck("check")));
}

export function insertAlerts(
  store: ContractStore,
  check: Check,
  alerts: Readonly<Record<string, AlertChanges>>,
): Promise<void> {
  return store.write(async (tx) => {
    for (const [id, changes] of Object.entries(alerts))
      await tx.alerts.insert(anAlert(id, check, changes));
  });
}

async function claim(store: ContractStore, now: number, limit = 100): Promise<readonly string[]> {
  await store.at(now);
  return (await store.write(({ alerts }) => alerts.claim({ leaseMs: minute, limit }))).map(
    ({ id }) => id,
  );
}

function settle(store: ContractStore, id: string, end: AttemptEnd): Promise<boolean> {
  return store.write(({ alerts }) => alerts.finishAttempt(id, end));
}

async function endOf(
  store: ContractStore,
  id: string,
): Promise<readonly [string, string | undefined]> {
  const found = (await store.alerts.listNotifications(everything)).find(
    ({ alertId }) => alertId === id,
  );
  return [found?.status ?? "missing", found?.reason];
}

export function alertContract(open: OpenStore): void {
  for (const [what, change] of [
    ["its schedule", ({ schedules }) => schedules.put(alice.id, { name: "Nights", days: {} })],
    ["the schedule's deletion", ({ schedules }) => schedules.remove(alice.id, "Nights")],
    ["the time zone", ({ accounts }) => accounts.update(alice, noon)],
  ] as const satisfies readonly (readonly [string, (tx: Transaction) => Promise<unknown>])[]) {
    test(`a Down or an Up that waits for a window is judged again at once after a change of ${what}`, async () => {
      await using store = await open();
      const check = await withCheck(store);
      await insertAlerts(store, check, {
        up: { kind: "up", schedules: ["Nights"], addressId: "one" },
        other: { kind: "up", schedules: ["Days"], addressId: "two" },
        retried: { kind: "down", schedules: ["Nights"], addressId: "three" },
        both: { kind: "down", schedules: ["Days", "Nights"], addressId: "four" },
      });
      assert.equal((await claim(store, noon)).length, 4);
      const tomorrow = noon + 24 * 60 * minute;
      const later: AttemptEnd = { status: "waiting", nextAttemptAt: tomorrow, possiblySent: false };
      await settle(store, "retried", later);
      for (const id of ["up", "other", "both"])
        await settle(store, id, { ...later, reason: "outside_window" });
      await store.write(async (tx) => void (await change(tx)));
      const again = await claim(store, noon + minute);
      assert.deepEqual(
        again.toSorted(),
        what === "the time zone" ? ["both", "other", "up"] : ["both", "up"],
      );
    });
  }

  for (const [what, expected] of [
    ["check", ["muted"]],
    ["contact", ["muted", "quiet"]],
  ] as const) {
    test(`what a mute keeps waiting is judged again at once after a change of its ${what}`, async () => {
      await using store = await open();
      const check = await withCheck(store);
      const other = await store.write(({ checks }) => checks.insert(aCheck("other")));
      const contact = aContact("ann", { addresses: [anAddress("one")] });
      await store.write(({ contacts }) => contacts.insert(contact));
      const to = { contactId: "ann", addressId: "one" };
      await insertAlerts(store, check, { muted: { kind: "down", ...to } });
      await insertAlerts(store, other, { quiet: { kind: "down", ...to } });
      assert.equal((await claim(store, noon)).length, 2);
      const tomorrow = noon + 24 * 60 * minute;
      const later: AttemptEnd = { status: "waiting", nextAttemptAt: tomorrow, possiblySent: false };
      await settle(store, "muted", { ...later, reason: "check_muted" });
      await settle(store, "quiet", { ...later, reason: "address_muted" });
      await store.write(async ({ checks, contacts }) =>
        what === "check" ? checks.update(check, noon) : contacts.update(contact),
      );
      assert.deepEqual((await claim(store, noon + minute)).toSorted(), expected);
    });
  }

  test("alerts that wait for one receiver are due together, and none that is claimed waits", async () => {
    await using store = await open();
    const check = await withCheck(store);
    await insertAlerts(store, check, {
      one: { addressId: "one" },
      two: { addressId: "two" },
      claimed: { addressId: "three", dueAt: noon - minute },
    });
    assert.deepEqual(await claim(store, noon, 1), ["claimed"]);
    await store.write(({ alerts }) => alerts.awaitReceiver(["one", "two", "claimed"], 14_900));
    assert.deepEqual(await claim(store, noon + 14_000), []);
    assert.deepEqual(await claim(store, noon + 15_000), ["one", "two"]);
    assert.deepEqual(await claim(store, noon + minute), ["claimed"]);
  });

  test("a claimed alert comes back as it was given, once", async () => {
    await using store = await open();
    const check = await withCheck(store);
    const alert = anAlert("alert", check, { outage: "outage", dueAt: noon + 1 });
    await store.write(({ alerts }) => alerts.insert(alert));
    assert.deepEqual(await claim(store, noon), []);
    await store.at(noon + 1);
    const [claimed] = await store.write(({ alerts }) =>
      alerts.claim({ leaseMs: minute, limit: 9 }),
    );
    const { notice, ...rest } = alert;
    assert.partialDeepStrictEqual(claimed, {
      ...rest,
      checkId: check.id,
      attempts: 1,
      possiblySent: false,
      bundle: undefined,
    });
    assert.deepEqual(claimed?.notice, JSON.parse(JSON.stringify(notice)));
    assert.deepEqual(await claim(store, noon + 1), []);
  });

  test("an alert exists once for a flip, an address and a kind", async () => {
    await using store = await open();
    const check = await withCheck(store);
    await insertAlerts(store, check, { one: { flipId: "flip" } });
    await assert.rejects(insertAlerts(store, check, { other: { flipId: "flip" } }));
    await insertAlerts(store, check, {
      elsewhere: { flipId: "flip", addressId: "other" },
      up: { flipId: "flip", kind: "up" },
    });
  });

  test("an alert waits for every earlier open one about its check to its address, and for no other", async () => {
    await using store = await open();
    const check = await withCheck(store);
    await insertAlerts(store, check, {
      delayed: { dueAt: noon + 10 * minute },
      up: { kind: "up", outage: "outage" },
      "other-address": { addressId: "other" },
      "other-contact": { contactId: "other" },
      "other-check": { checkNo: 99 },
    });
    assert.deepEqual(await claim(store, noon), ["other-address", "other-contact", "other-check"]);
    assert.equal(await nextDueAt(store), noon + minute);
    for (const id of ["other-address", "other-contact", "other-check"])
      await settle(store, id, { status: "delivered", at: noon });
    assert.equal(await nextDueAt(store), noon + 10 * minute);
    assert.deepEqual(await claim(store, noon + 10 * minute), ["delayed"]);
    assert.deepEqual(await claim(store, noon + 10 * minute), []);
    await settle(store, "delayed", {
      status: "failed",
      at: noon,
      reason: "refused",
      possiblySent: false,
    });
    assert.deepEqual(await claim(store, noon + 10 * minute), ["up"]);
  });

  test("claims take what has been due longest, up to the limit, and what is due can be seen without a claim", async () => {
    await using store = await open();
    const check = await withCheck(store);
    await insertAlerts(store, check, {
      third: { addressId: "3", dueAt: noon + 3 },
      first: { addressId: "1", dueAt: noon + 1 },
      second: { addressId: "2", dueAt: noon + 2 },
    });
    assert.equal(await nextDueAt(store), noon + 1);
    const due = await (await store.at(noon + 3)).alerts.listDue(2);
    assert.deepEqual(
      due.map(({ id, attempts, possiblySent }) => [id, attempts, possiblySent]),
      [
        ["first", 0, false],
        ["second", 0, false],
      ],
    );
    assert.deepEqual((await claim(store, noon + 3, 2)).toSorted(), ["first", "second"]);
    assert.deepEqual(
      await (await store.at(noon + 3)).alerts.listDue(9).then((left) => left.map(({ id }) => id)),
      ["third"],
    );
  });

  test("two who claim at the same time never get the same alert", async () => {
    await using store = await open();
    const check = await withCheck(store);
    const ids = Array.from({ length: 10 }, (_, index) => `alert-${index}`);
    await insertAlerts(store, check, Object.fromEntries(ids.map((id) => [id, { addressId: id }])));
    const claimed = (await Promise.all([claim(store, noon, 6), claim(store, noon, 6)])).flat();
    // One may have looked for the first lanes of the other, and found them empty: the rest is there for the next claim.
    const left = await claim(store, noon, 10);
    assert.deepEqual([...claimed, ...left].toSorted(), ids);
  });

  test("a lease that ran out is claimed again under the same id, and the lost attempt may have left for good", async () => {
    await using store = await open();
    const check = await withCheck(store);
    await insertAlerts(store, check, { alert: { outage: "over" } });
    assert.deepEqual(await claim(store, noon), ["alert"]);
    assert.equal(await nextDueAt(store), noon + minute);
    assert.deepEqual(await claim(store, noon + minute - 1), []);
    await store.at(noon + minute);
    const [again] = await store.write(({ alerts }) => alerts.claim({ leaseMs: minute, limit: 9 }));
    assert.deepEqual([again?.id, again?.attempts], ["alert", 2]);
    await settle(store, "alert", {
      status: "waiting",
      nextAttemptAt: noon + 5 * minute,
      possiblySent: false,
    });
    assert.deepEqual((await store.alerts.listByOutage("over"))[0]?.possiblySent, true);
    assert.deepEqual(await endOf(store, "alert"), ["waiting", undefined]);
  });

  const ends: readonly {
    readonly end: AttemptEnd;
    readonly status: string;
    readonly reason: string | undefined;
    readonly possiblySent: boolean;
  }[] = [
    {
      end: { status: "delivered", at: noon + 5 },
      status: "delivered",
      reason: undefined,
      possiblySent: false,
    },
    {
      end: { status: "failed", at: noon + 5, reason: "550", possiblySent: false },
      status: "failed",
      reason: "550",
      possiblySent: false,
    },
    {
      end: { status: "failed", at: noon + 5, reason: "lost", possiblySent: true },
      status: "failed",
      reason: "lost",
      possiblySent: true,
    },
    {
      end: { status: "dropped", at: noon + 5, reason: "outside_window" },
      status: "dropped",
      reason: "outside_window",
      possiblySent: false,
    },
  ];
  for (const { end, status, reason, possiblySent } of ends) {
    test(`an alert that ${JSON.stringify(end)} settles is settled once`, async () => {
      await using store = await open();
      const check = await withCheck(store);
      await insertAlerts(store, check, { alert: { outage: "outage" } });
      await claim(store, noon);
      assert.equal(await settle(store, "alert", end), true);
      assert.equal(
        await settle(store, "alert", {
          status: "failed",
          at: noon,
          reason: "late",
          possiblySent: true,
        }),
        false,
      );
      assert.equal(
        await settle(store, "alert", {
          status: "waiting",
          nextAttemptAt: noon,
          possiblySent: true,
        }),
        false,
      );
      const { id, contactId, addressId, schedules } = anAlert("alert", check);
      const known = { id, contactId, addressId, schedules, status, reason, possiblySent };
      assert.deepEqual(await store.alerts.listByOutage("outage"), [
        { ...known, dueAt: noon, judged: false, unreached: false },
      ]);
      assert.equal((await store.alerts.listNotifications(everything))[0]?.at, noon + 5);
      assert.equal(await nextDueAt(store), undefined);
    });
  }
  const unseen: readonly {
    readonly name: string;
    readonly end: AttemptEnd;
    readonly settled: boolean;
    readonly expected: readonly [string, string | undefined, boolean];
  }[] = [
    {
      name: "was delivered counts as delivered",
      end: { status: "delivered", at: noon + 5 },
      settled: true,
      expected: ["delivered", undefined, false],
    },
    {
      name: "may have arrived counts as received",
      end: { status: "waiting", nextAttemptAt: noon, possiblySent: true },
      settled: true,
      expected: ["held", "disabled", true],
    },
    {
      name: "surely did not leave stays held",
      end: { status: "failed", at: noon, reason: "410", possiblySent: false },
      settled: false,
      expected: ["held", "disabled", false],
    },
  ];
  for (const { name, end, settled, expected } of unseen) {
    test(`an alert that was held with its check while it was sent unclaimed and ${name}`, async () => {
      await using store = await open();
      const check = await withCheck(store);
      await insertAlerts(store, check, { alert: { outage: "outage" } });
      await store.write(({ checks }) => checks.disableAll(alice.id, true, noon));
      assert.equal(await settle(store, "alert", end), settled);
      const [alert] = await store.alerts.listByOutage("outage");
      assert.deepEqual([alert?.status, alert?.reason, alert?.possiblySent], expected);
      assert.deepEqual(await claim(store, noon + minute), []);
    });
  }

  test("settling an alert that is not there settles nothing", async () => {
    await using store = await open();
    assert.equal(await settle(store, "nobody", { status: "delivered", at: noon }), false);
  });

  test("an attempt that surely failed leaves the alert to be tried again at its time", async () => {
    await using store = await open();
    const check = await withCheck(store);
    await store.write(({ states }) => states.flip(aFlip(check.no, { id: "outage" })));
    await insertAlerts(store, check, { alert: { outage: "outage" } });
    await claim(store, noon);
    await settle(store, "alert", {
      status: "waiting",
      nextAttemptAt: noon + 10,
      possiblySent: false,
    });
    assert.equal((await store.alerts.listByOutage("outage"))[0]?.possiblySent, false);
    assert.equal(await nextDueAt(store), noon + 10);
    assert.deepEqual(await claim(store, noon + 9), []);
    assert.deepEqual(await claim(store, noon + 10), ["alert"]);
  });

  const meanwhile: readonly {
    readonly name: string;
    readonly happens: (store: ContractStore, check: Check) => Promise<unknown>;
    readonly end: string;
    readonly unsure?: string;
  }[] = [
    {
      name: "its outage ended",
      happens: (store, { no }) =>
        store.write(({ states }) =>
          states.flip(aFlip(no, { id: "up", from: "failing", to: "passing" })),
        ),
      end: "dropped recovered",
    },
    {
      name: "its check was disabled",
      happens: (store) => store.write(({ checks }) => checks.disableAll(alice.id, true, noon)),
      end: "held disabled",
    },
    {
      name: "its check was removed",
      happens: (store, { id }) => store.write(({ checks }) => checks.remove(alice.id, id, noon)),
      end: "dropped deleted",
    },
    {
      name: "its account was suspended",
      happens: (store) =>
        store.write(({ accounts }) => accounts.update({ ...alice, status: "suspended" }, noon)),
      end: "held account_suspended",
      unsure: "held account_suspended",
    },
    {
      name: "its check was disabled and enabled, and has not failed again",
      happens: (store) =>
        store.write(async ({ checks }) => {
          await checks.disableAll(alice.id, true, noon);
          await checks.disableAll(alice.id, false, noon);
        }),
      end: "held disabled",
    },
  ];
  for (const { name, happens, end, unsure = "waiting" } of meanwhile) {
    test(`a claimed alert that surely did not leave is ${end} when ${name} meanwhile, one that may have left is ${unsure}`, async () => {
      await using store = await open();
      const check = await withCheck(store);
      await store.write(({ states }) => states.flip(aFlip(check.no, { id: "outage" })));
      await insertAlerts(store, check, {
        unsent: { outage: "outage" },
        unsure: { outage: "outage", addressId: "other" },
      });
      await claim(store, noon);
      await happens(store, check);
      assert.deepEqual(await endOf(store, "unsent"), ["waiting", undefined]);
      await settle(store, "unsent", {
        status: "waiting",
        nextAttemptAt: noon + 1,
        possiblySent: false,
      });
      await settle(store, "unsure", {
        status: "waiting",
        nextAttemptAt: noon + 1,
        possiblySent: true,
      });
      assert.equal((await endOf(store, "unsent")).join(" ").trim(), end);
      assert.equal((await endOf(store, "unsure")).join(" ").trim(), unsure);
    });
  }

  test("an Up that surely did not leave is tried again though its outage is over", async () => {
    await using store = await open();
    const check = await withCheck(store);
    await insertAlerts(store, check, { up: { kind: "up", outage: "over" } });
    await claim(store, noon);
    await settle(store, "up", { status: "waiting", nextAttemptAt: noon + 1, possiblySent: false });
    assert.deepEqual(await claim(store, noon + 1), ["up"]);
  });

  test("an outage's beginning is its downs and firsts, without its ups", async () => {
    await using store = await open();
    const check = await withCheck(store);
    await insertAlerts(store, check, {
      down: { outage: "outage" },
      first: { outage: "outage", kind: "first", addressId: "other" },
      up: { outage: "outage", kind: "up" },
      stranger: { outage: "another", addressId: "third" },
    });
    assert.deepEqual(
      (await store.alerts.listByOutage("outage")).map(({ id }) => id),
      ["down", "first"],
    );
    const [, first] = await store.alerts.listByOutage("outage");
    assert.deepEqual(await store.alerts.listByOutage("outage", first), [first]);
  });

  test("drops take only what has not begun to leave", async () => {
    await using store = await open();
    const check = await withCheck(store);
    await insertAlerts(store, check, {
      held: { addressId: "1" },
      sent: { addressId: "2" },
      unsure: { addressId: "3" },
    });
    await claim(store, noon);
    await settle(store, "sent", { status: "delivered", at: noon });
    await settle(store, "unsure", { status: "waiting", nextAttemptAt: noon, possiblySent: true });
    await insertAlerts(store, check, {
      named: { addressId: "4" },
      rest: { addressId: "5" },
      "other-check": { checkNo: 99 },
    });
    await store.write(async ({ alerts }) => {
      await alerts.drop(["held", "sent", "unsure", "named"], "recovered", noon + 1);
    });
    await store.write(({ checks }) => checks.remove(alice.id, check.id, noon + 2));
    assert.deepEqual(await endOf(store, "held"), ["waiting", undefined]);
    assert.deepEqual(await endOf(store, "sent"), ["delivered", undefined]);
    assert.deepEqual(await endOf(store, "unsure"), ["waiting", undefined]);
    assert.deepEqual(await endOf(store, "named"), ["dropped", "recovered"]);
    assert.deepEqual(await endOf(store, "rest"), ["dropped", "deleted"]);
    assert.deepEqual(await endOf(store, "other-check"), ["waiting", undefined]);
  });
}

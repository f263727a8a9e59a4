import { noSuppressions, type Refusal } from "../../../src/domain/contact/contact.ts";
import assert from "node:assert/strict";
import { suite, test } from "node:test";

import type { Schedule } from "../../../src/domain/schedule.ts";
import type { AddressStatusChange } from "../../../src/store/tables/contacts.ts";
import { aContact, alice, anAddress, bob, carol, noon } from "../../record-builders.ts";
import type { ContractStore } from "./contract-store.ts";
import { accountContract } from "./accounts.ts";
import { alertContract } from "./alerts/alerts.ts";
import { alertTimeContract } from "./alerts/alert-times.ts";
import { notificationContract } from "./alerts/notifications.ts";
import { bundleContract } from "./alerts/bundles.ts";
import { auditContract } from "./identity/audit.ts";
import { changeContract } from "./changes.ts";
import { checkRevisionContract } from "./check-revisions.ts";
import { checkContract } from "./checks.ts";
import { claimContract } from "./alerts/claims.ts";
import { clockStepContract } from "./clock-steps.ts";
import { dayTimeContract } from "./day-times.ts";
import { deliveryContract } from "./alerts/deliveries.ts";
import { diagnosticsContract } from "./diagnostics.ts";
import { evidenceContract } from "./evidence.ts";
import { secondFactorContract } from "./identity/second-factors.ts";
import { sessionContract } from "./identity/sessions.ts";
import { startedRunsContract } from "./started-runs.ts";
import { groupContract } from "./groups.ts";
import { locationContract } from "./locations.ts";
import { confirmationContract, mailBudgetContract } from "./mailboxes.ts";
import { systemMailContract } from "./system-mails.ts";
import { importContract } from "./imports.ts";
import { configurationContract } from "./configurations.ts";
import { incidentContract } from "./status/incidents.ts";
import { maintenanceContract } from "./maintenances.ts";
import { mixedUnitContract } from "./mixed-units.ts";
import { oppositeHeartbeatContract } from "./opposite-heartbeats.ts";
import { pauseContract } from "./pauses.ts";
import { resultConditionContract } from "./results/result-conditions.ts";
import { reminderContract } from "./reminders.ts";
import { resultContract } from "./results/results.ts";
import { runChangeContract } from "./run-changes.ts";
import { retentionContract } from "./retention.ts";
import { renderedContract } from "./alerts/rendered.ts";
import { unreachedContract } from "./alerts/unreached.ts";
import { pageOutageContract } from "./status/page-outages.ts";
import { pageMessageContract } from "./status/page-messages.ts";
import { statusPageContract } from "./status/status-pages.ts";
import { subscriberContract } from "./status/subscribers.ts";
import { stateContract } from "./states.ts";
import { summaryContract } from "./results/summaries.ts";
import { statusContract } from "./status/statuses.ts";
import { switchContract } from "../switches.ts";
import { tokenContract } from "./identity/tokens.ts";
import { unitContract } from "./units.ts";
import { usageContract } from "./usage.ts";

export type OpenStore = (options?: { readonly historyDays?: number }) => Promise<ContractStore>;

/** A store with the accounts of the cast. */
export function withCast(open: OpenStore): OpenStore {
  return async (options) => {
    const store = await open(options);
    await store.write(async ({ accounts }) => {
      for (const account of [alice, bob, carol]) await accounts.insert(account);
    });
    return store;
  };
}

/** Contract of every engine behind the store's interfaces. */
export function storeContract(name: string, open: OpenStore): void {
  recordsContract(name, open);
  const openWithCast = withCast(open);
  suite(`the history of the ${name} store`, () => {
    summaryContract(openWithCast);
    oppositeHeartbeatContract(openWithCast);
    retentionContract(openWithCast);
  });
}

/** All of it but what needs weeks of results. */
export function recordsContract(name: string, open: OpenStore): void {
  const openWithCast = withCast(open);
  suite(`the ${name} store`, () => {
    accountContract(open);
    contactContract(openWithCast);
    groupContract(openWithCast);
    scheduleContract(openWithCast);
    configurationContract(openWithCast);
    checkContract(openWithCast);
    checkRevisionContract(openWithCast);
    runChangeContract(openWithCast);
    stateContract(openWithCast);
    statusPageContract(openWithCast);
    incidentContract(openWithCast);
    pageOutageContract(openWithCast);
    subscriberContract(openWithCast);
    pageMessageContract(openWithCast);
    dayTimeContract(openWithCast);
    statusContract(openWithCast);
    changeContract(openWithCast);
    alertContract(openWithCast);
    alertTimeContract(openWithCast);
    notificationContract(openWithCast);
    bundleContract(openWithCast);
    claimContract(openWithCast);
    deliveryContract(openWithCast);
    pauseContract(openWithCast);
    reminderContract(openWithCast);
    switchContract(openWithCast);
    renderedContract(openWithCast);
    unreachedContract(openWithCast);
    systemMailContract(openWithCast);
    locationContract(open);
    mailBudgetContract(openWithCast);
    confirmationContract(openWithCast);
    diagnosticsContract(openWithCast);
    maintenanceContract(openWithCast);
    evidenceContract(openWithCast);
    startedRunsContract(openWithCast);
    importContract(openWithCast);
    secondFactorContract(openWithCast);
    sessionContract(openWithCast);
    auditContract(openWithCast);
    usageContract(openWithCast);
    resultContract(openWithCast);
    resultConditionContract(openWithCast);
    tokenContract(openWithCast);
    unitContract(openWithCast);
    mixedUnitContract(openWithCast);
    clockStepContract(openWithCast);
  });
}

function contactContract(open: OpenStore): void {
  const both = aContact("both", {
    addresses: [
      anAddress("z", { suppress: { ...noSuppressions, up: true, first: true } }),
      anAddress("a", {
        kind: "webhook",
        address: "http://127.0.0.1/",
        suppress: { ...noSuppressions, down: true, all: true },
        mute: 1_000_000,
        request: {
          action: undefined,
          headers: { Authorization: "Bearer s3cret" },
          querystrings: {},
          data: { "{label}": ["{event}", null, 5, { a: true }] },
        },
      }),
    ],
  });

  const refusal = (reason: string): Refusal => ({ at: noon, reason });
  const refused: AddressStatusChange = {
    accountId: alice.id,
    contactId: both.id,
    addressId: "a",
    address: "http://127.0.0.1/",
    status: "refused",
    refusal: refusal("404 Not Found"),
  };

  test("a mark says how an address was refused: the first counts, until a worse one or none", async () => {
    await using store = await open();
    await store.write(({ contacts }) => contacts.insert(both));
    const mark = (changes: Partial<AddressStatusChange>): Promise<void> =>
      store.write(({ contacts }) => contacts.changeAddressStatus({ ...refused, ...changes }));
    const shown = async (): Promise<unknown> => {
      const contact = await store.contacts.find(alice.id, both.id);
      return contact?.addresses.map(({ status, refusal }) => [status, refusal?.reason]);
    };
    const [first, second] = [refusal("first"), refusal("second")];
    await mark({ refusal: first });
    await mark({ refusal: second });
    assert.deepEqual(await shown(), [
      ["new", undefined],
      ["refused", "first"],
    ]);
    await mark({ status: "disabled", refusal: second });
    await mark({ refusal: first });
    assert.deepEqual(await shown(), [
      ["new", undefined],
      ["disabled", "second"],
    ]);
    await mark({ status: "new", refusal: undefined });
    assert.deepEqual(await store.contacts.find(alice.id, both.id), both);
  });

  test("an address is found by its contact, within its account", async () => {
    await using store = await open();
    await store.write(({ contacts }) => contacts.insert(both));
    const find = (accountId: string, contactId: string, addressId: string) =>
      store.contacts.findAddress(accountId, { contactId, addressId });
    for (const address of both.addresses)
      assert.deepEqual(await find(alice.id, both.id, address.id), address);
    assert.equal(await find(bob.id, both.id, "a"), undefined);
    assert.equal(await find(alice.id, "other", "a"), undefined);
    assert.equal(await find(alice.id, both.id, "other"), undefined);
  });

  test("a mark is of one address, of its account, and of where it led", async () => {
    await using store = await open();
    await store.write(({ contacts }) => contacts.insert(both));
    for (const changes of [
      { accountId: carol.id },
      { contactId: "nobody" },
      { addressId: "nowhere" },
      { address: "http://127.0.0.1/elsewhere" },
    ])
      await store.write(({ contacts }) => contacts.changeAddressStatus({ ...refused, ...changes }));
    assert.deepEqual(await store.contacts.list(alice.id), [both]);
  });

  test("a contact that is changed keeps its marks", async () => {
    await using store = await open();
    await store.write(({ contacts }) => contacts.insert(both));
    await store.write(({ contacts }) => contacts.changeAddressStatus(refused));
    const marked = await store.contacts.find(alice.id, both.id);
    assert.ok(marked);
    const renamed = { ...marked, name: "renamed" };
    await store.write(({ contacts }) => contacts.update(renamed));
    assert.deepEqual(await store.contacts.list(alice.id), [renamed]);
    assert.deepEqual(marked.addresses[1]?.refusal, refusal("404 Not Found"));
  });

  test("contacts come back by age, their addresses in their order, and only to their account", async () => {
    await using store = await open();
    const bare = aContact("bare", { addresses: [] });
    const urgent = aContact("urgent", {
      addresses: [anAddress("p", { kind: "pushover", priority: 0 })],
    });
    await store.write(async ({ contacts }) => {
      for (const contact of [both, bare, urgent]) await contacts.insert(contact);
    });
    assert.deepEqual(await store.contacts.list(alice.id), [both, bare, urgent]);
    assert.deepEqual(await store.contacts.find(alice.id, both.id), both);
    for (const stranger of [bob, carol]) {
      assert.equal(await store.contacts.find(stranger.id, both.id), undefined);
      assert.deepEqual(await store.contacts.list(stranger.id), []);
    }
  });

  test("updating a contact replaces its addresses", async () => {
    await using store = await open();
    const changed: typeof both = {
      ...both,
      name: "new",
      role: "owner",
      addresses: [anAddress("a", { address: "new@example.net" })],
    };
    await store.write(({ contacts }) => contacts.insert(both));
    await store.write(({ contacts }) => contacts.update(changed));
    assert.deepEqual(await store.contacts.list(alice.id), [changed]);
    await assert.rejects(
      store.write(({ contacts }) =>
        contacts.update({ ...changed, accountId: carol.id, name: "hers" }),
      ),
    );
    assert.deepEqual(await store.contacts.list(alice.id), [changed]);
  });

  test("removing a contact takes its addresses along, and nobody removes a stranger's", async () => {
    await using store = await open();
    await store.write(({ contacts }) => contacts.insert(both));
    assert.equal(await store.write(({ contacts }) => contacts.remove(carol.id, both.id)), false);
    assert.deepEqual(await store.contacts.list(alice.id), [both]);
    assert.equal(await store.write(({ contacts }) => contacts.remove(alice.id, both.id)), true);
    assert.equal(await store.write(({ contacts }) => contacts.remove(alice.id, both.id)), false);
    assert.deepEqual(await store.contacts.findAddresses(alice.id, ["a"]), []);
  });

  test("an id stands for a contact with all its addresses, or for an address wherever it occurs in the account", async () => {
    await using store = await open();
    const other = aContact("other", { addresses: [anAddress("a")] });
    await store.write(async ({ contacts }) => {
      await contacts.insert(both);
      await contacts.insert(other);
      await contacts.insert(
        aContact("hers", { accountId: carol.id, addresses: [anAddress("a"), anAddress("c")] }),
      );
    });
    const idsOf = async (
      accountId: string,
      ...recipientIds: readonly string[]
    ): Promise<readonly string[]> =>
      (await store.contacts.findAddresses(accountId, recipientIds)).map(
        ({ contactId, addressId }) => `${contactId} ${addressId}`,
      );
    assert.deepEqual(await idsOf(alice.id, "both"), ["both z", "both a"]);
    assert.deepEqual(await idsOf(alice.id, "a"), ["both a", "other a"]);
    assert.deepEqual(await idsOf(alice.id, "other", "z", "nobody"), ["both z", "other a"]);
    assert.deepEqual(await idsOf(carol.id, "both", "z"), []);
    assert.deepEqual(await idsOf(alice.id), []);
    assert.deepEqual(
      await store.contacts.missingIds(alice.id, ["both", "c", "a", "hers", "nobody"]),
      ["c", "hers", "nobody"],
    );
  });

  test("an address may be called like a member of every object", async () => {
    await using store = await open();
    const odd = aContact("odd", { addresses: [anAddress("__proto__"), anAddress("constructor")] });
    await store.write(({ contacts }) => contacts.insert(odd));
    assert.deepEqual(await store.contacts.find(alice.id, odd.id), odd);
    assert.deepEqual(await store.contacts.missingIds(alice.id, ["__proto__", "toString"]), [
      "toString",
    ]);
  });
}

function scheduleContract(open: OpenStore): void {
  const nights: Schedule = {
    name: "Nights",
    days: { monday: { time1: "6:00", time2: "", exclude: 1 }, sunday: { allday: "true" } },
  };
  const days: Schedule = { name: "Days", days: {} };

  test("a schedule is created, replaced whole and removed, for its account only", async () => {
    await using store = await open();
    await store.write(async ({ schedules }) => {
      await schedules.put(alice.id, nights);
      await schedules.put(alice.id, days);
    });
    assert.deepEqual(await store.schedules.list(alice.id), [days, nights]);
    for (const stranger of [bob, carol]) {
      assert.deepEqual(await store.schedules.list(stranger.id), []);
      assert.equal(await store.schedules.find(stranger.id, nights.name), undefined);
      assert.equal(
        await store.write(({ schedules }) => schedules.remove(stranger.id, nights.name)),
        false,
      );
    }
    const replaced: Schedule = { name: "Nights", days: { tuesday: { allday: true } } };
    await store.write(({ schedules }) => schedules.put(alice.id, replaced));
    assert.deepEqual(await store.schedules.find(alice.id, "Nights"), replaced);
    assert.equal(await store.write(({ schedules }) => schedules.remove(alice.id, "Nights")), true);
    assert.deepEqual(await store.schedules.list(alice.id), [days]);
  });

  test("a day named __proto__ stays a key like any other", async () => {
    await using store = await open();
    const odd: Schedule = { name: "__proto__", days: JSON.parse('{"__proto__":{"allday":true}}') };
    await store.write(({ schedules }) => schedules.put(alice.id, odd));
    const found = await store.schedules.find(alice.id, "__proto__");
    assert.deepEqual(Object.entries(found?.days ?? {}), [["__proto__", { allday: true }]]);
    assert.equal("allday" in {}, false);
  });
}

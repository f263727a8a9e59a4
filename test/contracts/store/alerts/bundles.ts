import assert from "node:assert/strict";
import { test } from "node:test";

import type { Check } from "../../../../src/domain/check.ts";
import type { Alert } from "../../../../src/domain/alert.ts";
import type { Grouping, NewBundle, RenderedMessage } from "../../../../src/store/alerts.ts";
import {
  aCheck,
  aContact,
  alice,
  anAddress,
  anAlert,
  minute,
  noon,
} from "../../../record-builders.ts";
import type { OpenStore } from "../store.ts";
import { nextDueAt } from "../contract-store.ts";
import type { ContractStore } from "../contract-store.ts";

const second = 1000;
const waitMs = 5 * second;
const grouping: Grouping = new Map([
  ["email", waitMs],
  ["voice", 6 * waitMs],
]);
const wording: RenderedMessage = {
  kind: "down",
  to: "ann@example.net",
  from: "watch@example.net",
  subject: "DOWN: one, two",
  body: "",
  network: "email",
};

/** Ann has a mailbox and a hook, and there are many checks. */
async function withChecks(store: ContractStore, count: number): Promise<readonly Check[]> {
  return store.write(async (tx) => {
    const addresses = [
      anAddress("mail"),
      anAddress("hook", { kind: "webhook" }),
      anAddress("phone", { kind: "voice" }),
    ];
    await tx.contacts.insert(aContact("ann", { addresses }));
    const made: Check[] = [];
    for (let index = 0; index < count; index += 1)
      made.push(await tx.checks.insert(aCheck(`check${index}`)));
    return made;
  });
}

function insert(
  store: ContractStore,
  checks: readonly Check[],
  { dueAt = noon, to = "mail", prefix = "alert" } = {},
): Promise<void> {
  return store.write(async (tx) => {
    for (const [index, check] of checks.entries())
      await tx.alerts.insert(
        anAlert(`${prefix}${index}`, check, { contactId: "ann", addressId: to, dueAt }),
      );
  });
}

async function claim(
  store: ContractStore,
  now: number,
  { limit = 100, alone = false } = {},
): Promise<readonly Alert[]> {
  await store.at(now);
  return store.write((tx) =>
    tx.alerts.claim({ leaseMs: minute, limit, grouping: alone ? new Map() : grouping }),
  );
}

const memberOf = ({ id, attempts }: Alert): NewBundle["members"][number] => ({
  alertId: id,
  attempt: attempts,
  wording,
});

const idsOf = (alerts: readonly Alert[]): readonly string[] => alerts.map(({ id }) => id);

export function bundleContract(open: OpenStore): void {
  test("the first alert to an address is taken at once, and what follows soon waits for company", async () => {
    await using store = await open();
    const [one, ...others] = await withChecks(store, 4);
    assert.ok(one !== undefined);
    await insert(store, [one], { prefix: "first" });
    assert.deepEqual(idsOf(await claim(store, noon)), ["first0"]);
    await insert(store, others.slice(0, 2), { dueAt: noon + second });
    assert.deepEqual(await claim(store, noon + second), []);
    assert.equal(await nextDueAt(store), noon + waitMs);
    await insert(store, others.slice(2), { dueAt: noon + 4 * second, prefix: "last" });
    assert.deepEqual(await claim(store, noon + 4 * second), []);
    assert.deepEqual(idsOf(await claim(store, noon + waitMs)), ["alert0", "alert1", "last0"]);
  });

  test("no alert waits for company longer than that after it was due", async () => {
    await using store = await open();
    const [one, late, later] = await withChecks(store, 3);
    assert.ok(one !== undefined && late !== undefined && later !== undefined);
    await insert(store, [one], { prefix: "one" });
    await claim(store, noon + 3 * second);
    await insert(store, [late], { prefix: "late", dueAt: noon + second });
    assert.deepEqual(await claim(store, noon + 4 * second), []);
    assert.equal(await nextDueAt(store), noon + second + waitMs);
    await insert(store, [later], { prefix: "later", dueAt: noon - second });
    assert.deepEqual(idsOf(await claim(store, noon + 4 * second)), ["later0"]);
  });

  test("each kind of address waits for as long as is said of it", async () => {
    await using store = await open();
    const [one, two] = await withChecks(store, 2);
    assert.ok(one !== undefined && two !== undefined);
    for (const to of ["mail", "phone"]) await insert(store, [one], { to, prefix: `${to}-one` });
    assert.equal((await claim(store, noon)).length, 2);
    for (const to of ["mail", "phone"])
      await insert(store, [two], { to, prefix: `${to}-two`, dueAt: noon + 1 });
    assert.deepEqual(idsOf(await claim(store, noon + waitMs)), ["mail-two0"]);
    assert.deepEqual(await claim(store, noon + 6 * waitMs - 1), []);
    assert.deepEqual(idsOf(await claim(store, noon + 6 * waitMs)), ["phone-two0"]);
  });

  test("what follows about the same check does not wait", async () => {
    await using store = await open();
    const [one, two] = await withChecks(store, 2);
    assert.ok(one !== undefined && two !== undefined);
    await insert(store, [one], { prefix: "down" });
    await claim(store, noon);
    const delivered = { status: "delivered", at: noon } as const;
    await store.write((tx) => tx.alerts.finishAttempt("down0", delivered));
    await insert(store, [one], { prefix: "up", dueAt: noon + second });
    assert.deepEqual(idsOf(await claim(store, noon + second)), ["up0"]);
    await store.write((tx) => tx.alerts.finishAttempt("up0", delivered));
    await insert(store, [one, two], { prefix: "last", dueAt: noon + 10 * second });
    assert.equal((await claim(store, noon + 10 * second)).length, 2);
    for (const id of ["last0", "last1"])
      await store.write((tx) => tx.alerts.finishAttempt(id, delivered));
    await insert(store, [one], { prefix: "late", dueAt: noon + 11 * second });
    assert.deepEqual(await claim(store, noon + 11 * second), []);
  });

  for (const { name, options, alone } of [
    { name: "of a kind that is told one by one", options: { to: "hook" }, alone: false },
    { name: "where nothing is told together", options: {}, alone: true },
  ]) {
    test(`an alert to an address ${name} never waits`, async () => {
      await using store = await open();
      const [one, two] = await withChecks(store, 2);
      assert.ok(one !== undefined && two !== undefined);
      await insert(store, [one], { ...options, prefix: "one" });
      assert.equal((await claim(store, noon, { alone })).length, 1);
      await insert(store, [two], { ...options, prefix: "two", dueAt: noon + 1 });
      assert.deepEqual(idsOf(await claim(store, noon + 1, { alone })), ["two0"]);
    });
  }

  test("an alert that is tried again does not wait, and lets no other wait", async () => {
    await using store = await open();
    const [one, two] = await withChecks(store, 2);
    assert.ok(one !== undefined && two !== undefined);
    await insert(store, [one], { prefix: "one" });
    await claim(store, noon);
    const end = { status: "waiting", nextAttemptAt: noon + second, possiblySent: false } as const;
    await store.write((tx) => tx.alerts.finishAttempt("one0", end));
    assert.deepEqual(idsOf(await claim(store, noon + second)), ["one0"]);
    await insert(store, [two], { prefix: "two", dueAt: noon + waitMs });
    assert.deepEqual(idsOf(await claim(store, noon + waitMs)), ["two0"]);
  });

  test("a claim takes all that may share a message with what it takes, and nothing else beyond its limit", async () => {
    await using store = await open();
    const checks = await withChecks(store, 30);
    await insert(store, checks.slice(0, 10), { to: "mail" });
    await insert(store, checks.slice(10), { to: "hook", prefix: "hook" });
    const taken = await claim(store, noon, { limit: 3 });
    assert.equal(taken.length, 10);
    assert.ok(taken.every(({ addressId }) => addressId === "mail"));
    assert.equal((await claim(store, noon, { limit: 3 })).length, 3);
  });

  test("a bundle is kept with its alerts and its words, and they are taken together ever after", async () => {
    await using store = await open();
    const checks = await withChecks(store, 5);
    await insert(store, checks);
    const alerts = await claim(store, noon);
    const members = alerts.map(({ id }) => ({
      alertId: id,
      attempt: 1,
      wording: { ...wording, body: `of ${id}` },
    }));
    await store.write((tx) =>
      tx.alerts.bundle({ id: "bundle", accountId: alice.id, message: "{}", members }),
    );
    assert.deepEqual(await store.alerts.findBundle("bundle"), {
      id: "bundle",
      size: 5,
      message: "{}",
    });
    const told = await store.alerts.listNotifications({
      accountIds: [alice.id],
      checkId: "check3",
      from: 0,
      limit: 9,
      dropped: true,
    });
    assert.partialDeepStrictEqual(told, [{ bundle: "bundle", body: "of alert3" }]);

    const lost = await claim(store, noon + minute, { limit: 2 });
    assert.equal(lost.length, 5);
    assert.ok(lost.every(({ bundle, possiblySent }) => bundle === "bundle" && possiblySent));
  });

  test("a bundle is kept as long as an alert of it is open", async () => {
    await using store = await open();
    await insert(store, await withChecks(store, 2));
    const members = (await claim(store, noon)).map(memberOf);
    await store.write((tx) =>
      tx.alerts.bundle({ id: "bundle", accountId: alice.id, message: "{}", members }),
    );
    const delivered = { status: "delivered", at: noon } as const;
    await store.write((tx) => tx.alerts.finishAttempt("alert0", delivered));
    await store.runHousekeeping();
    assert.notEqual(await store.alerts.findBundle("bundle"), undefined);
    await store.write((tx) => tx.alerts.finishAttempt("alert1", delivered));
    await store.runHousekeeping();
    assert.equal(await store.alerts.findBundle("bundle"), undefined);
  });

  test("an alert that is told on its own, or with others, leaves the bundle that it stood in", async () => {
    await using store = await open();
    await insert(store, await withChecks(store, 3));
    const members = (await claim(store, noon)).map(memberOf);
    await store.write(async ({ alerts }) => {
      await alerts.bundle({ id: "old", accountId: alice.id, message: "{}", members });
      await alerts.bundle({
        id: "new",
        accountId: alice.id,
        message: "{}",
        members: members.slice(1),
      });
      await alerts.setRendered("alert0", wording);
    });
    const told = await store.alerts.listNotifications({
      accountIds: [alice.id],
      checkId: undefined,
      from: 0,
      limit: 9,
      dropped: true,
    });
    assert.deepEqual(told.map(({ bundle }) => bundle).toReversed(), [undefined, "new", "new"]);
  });

  test("an alert that is told on its own leaves its bundle before, unless another claimed it meanwhile", async () => {
    await using store = await open();
    await insert(store, await withChecks(store, 2));
    const members = (await claim(store, noon)).map(memberOf);
    const bundlesNow = async (): Promise<readonly (string | undefined)[]> =>
      (await claim(store, noon + 10 * minute)).map(({ bundle }) => bundle);
    await store.write((tx) =>
      tx.alerts.bundle({ id: "bundle", accountId: alice.id, message: "{}", members }),
    );
    await store.write((tx) => tx.alerts.unbundle(members.slice(1)));
    assert.deepEqual(await bundlesNow(), ["bundle", undefined]);
    await store.write((tx) => tx.alerts.unbundle(members));
    const late = { id: "late", accountId: alice.id, message: "{}", members };
    await assert.rejects(
      store.write((tx) => tx.alerts.bundle(late)),
      { code: "conflict" },
    );
    assert.equal(await store.alerts.findBundle("late"), undefined);
    const told = await (await store.at(noon + 20 * minute)).alerts.listDue(9);
    assert.deepEqual(
      told.map(({ bundle }) => bundle),
      ["bundle", undefined],
    );
  });
}

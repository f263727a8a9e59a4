import assert from "node:assert/strict";
import { test } from "node:test";

import type { Check } from "../../../../src/domain/check.ts";
import type { Alert } from "../../../../src/domain/alert/alert.ts";
import type { Grouping, NewBundle, RenderedMessage } from "../../../../src/store/tables/alerts.ts";
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
import { nextDueAt, type ContractStore } from "../contract-store.ts";

const second = 1000;
const waitMs = 5 * second;
const grouping: Grouping = new Map([
  ["email", { waitMs, alerts: "all" }],
  ["voice", { waitMs: 6 * waitMs, alerts: "all" }],
  ["webhook", { waitMs, alerts: "first_ups" }],
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
  { dueAt = noon, to = "mail", prefix = "alert", isFirstUp = false } = {},
): Promise<void> {
  const kind = isFirstUp ? "first" : "down";
  return store.write(async (tx) => {
    for (const [index, check] of checks.entries())
      await tx.alerts.insert(
        anAlert(`${prefix}${index}`, check, {
          contactId: "ann",
          addressId: to,
          dueAt,
          kind,
        }),
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
  test("the first alert to an address is claimed at once, and what follows soon waits to be grouped", async () => {
    await using store = await open();
    const [one, ...others] = await withChecks(store, 4);
    assert.ok(one !== undefined);
    await insert(store, [one], { prefix: "first" });
    assert.deepEqual(idsOf(await claim(store, noon)), ["first0"]);
    await insert(store, others.slice(0, 2), { dueAt: noon + second });
    assert.deepEqual(await claim(store, noon + second), []);
    assert.equal(await nextDueAt(store), noon + second + waitMs);
    await insert(store, others.slice(2), { dueAt: noon + 4 * second, prefix: "last" });
    assert.deepEqual(await claim(store, noon + 4 * second), []);
    assert.deepEqual(idsOf(await claim(store, noon + second + waitMs)), [
      "alert0",
      "alert1",
      "last0",
    ]);
  });

  test("where only first results that are up are grouped, nothing else waits or goes with them", async () => {
    await using store = await open();
    const [one, two, three, four, five] = await withChecks(store, 5);
    assert.ok(one && two && three && four && five);
    const firsts = { to: "hook", isFirstUp: true };
    await insert(store, [one], { ...firsts, prefix: "first" });
    assert.deepEqual(idsOf(await claim(store, noon)), ["first0"]);
    const dueAt = noon + second;
    await insert(store, [two, three], { ...firsts, dueAt });
    await insert(store, [four], { to: "hook", prefix: "down", dueAt });
    assert.deepEqual(idsOf(await claim(store, dueAt)), ["down0"]);
    assert.equal(await nextDueAt(store), dueAt + waitMs);
    await insert(store, [five], { to: "hook", prefix: "later", dueAt: dueAt + second });
    assert.deepEqual(idsOf(await claim(store, dueAt + second)), ["later0"]);
    assert.deepEqual(idsOf(await claim(store, dueAt + waitMs)), ["alert0", "alert1"]);
  });

  test("no alert waits to be grouped longer than that after it was due", async () => {
    await using store = await open();
    const [one, late, later] = await withChecks(store, 3);
    assert.ok(one !== undefined && late !== undefined && later !== undefined);
    await insert(store, [one], { prefix: "one" });
    await claim(store, noon + 3 * second);
    await insert(store, [late], { prefix: "late", dueAt: noon + second });
    assert.deepEqual(await claim(store, noon + 4 * second), []);
    assert.equal(await nextDueAt(store), noon + second + waitMs);
    await insert(store, [later], { prefix: "later", dueAt: noon - second });
    assert.deepEqual(idsOf(await claim(store, noon + 4 * second)), ["late0", "later0"]);
  });

  test("the window widens with each message of a burst, up to a minute, and a quiet minute ends the burst", async () => {
    await using store = await open();
    const checks = await withChecks(store, 9);
    const delivered = { status: "delivered", at: noon } as const;
    let due = noon;
    const waits: number[] = [];
    for (const [index, check] of checks.entries()) {
      // The last comes a minute after all is over.
      if (index === checks.length - 1) due += minute;
      await insert(store, [check], { prefix: `turn${index}-`, dueAt: due });
      const atOnce = await claim(store, due);
      const sentAt = atOnce.length === 0 ? ((await nextDueAt(store)) ?? 0) : due;
      assert.equal((atOnce.length === 0 ? await claim(store, sentAt) : atOnce).length, 1);
      waits.push(sentAt - due);
      await store.write((tx) => tx.alerts.finishAttempt(`turn${index}-0`, delivered));
      due = sentAt + second;
    }
    assert.deepEqual(
      waits.map((wait) => wait / second),
      [0, 5, 20, 60, 60, 60, 60, 60, 0],
    );
  });

  test("what has a cause that the burst has named waits for the longest window, or goes with what is sent before", async () => {
    await using store = await open();
    const checks = await withChecks(store, 5);
    const [one, two, three, other, last] = checks;
    assert.ok(one && two && three && other && last);
    const insertOf = (check: Check, host: string, dueAt: number): Promise<void> =>
      store.write((tx) => {
        const alert = anAlert(`of-${check.id}`, check, {
          contactId: "ann",
          addressId: "mail",
          dueAt,
        });
        const notice = { ...alert.notice, check: { ...alert.notice.check, target: host } };
        return tx.alerts.insert({ ...alert, notice });
      });
    const claimAndDeliver = async (at: number): Promise<number> => {
      const alerts = await claim(store, at);
      for (const { id } of alerts)
        await store.write((tx) => tx.alerts.finishAttempt(id, { status: "delivered", at }));
      return alerts.length;
    };
    await insertOf(one, "db.example.net", noon);
    assert.equal(await claimAndDeliver(noon), 1);
    await insertOf(two, "https://db.example.net/health", noon + second);
    assert.deepEqual(await claim(store, noon + second), []);
    assert.equal(await nextDueAt(store), noon + second + minute);
    await insertOf(three, "db.example.net", noon + 2 * second);
    await insertOf(other, "shop.example.net", noon + 3 * second);
    assert.deepEqual(await claim(store, noon + 3 * second), []);
    assert.equal(await nextDueAt(store), noon + 3 * second + waitMs);
    assert.equal(await claimAndDeliver(noon + 3 * second + waitMs), 3);
    await insertOf(last, "shop.example.net", noon + 10 * second);
    assert.deepEqual(await claim(store, noon + 10 * second), []);
    assert.equal(await nextDueAt(store), noon + 10 * second + minute);
  });

  test("what waits for something else than others does not go with them", async () => {
    await using store = await open();
    const [one, two, three] = await withChecks(store, 3);
    assert.ok(one && two && three);
    await insert(store, [one], { prefix: "one" });
    await insert(store, [two], { prefix: "two" });
    assert.equal((await claim(store, noon)).length, 2);
    await store.write(async ({ alerts }) => {
      await alerts.finishAttempt("two0", {
        status: "waiting",
        nextAttemptAt: noon + 60 * minute,
        possiblySent: false,
        reason: "mailbox_limit",
      });
      await alerts.uncountAttempt({ alertId: "two0", attempt: 1 });
    });
    await insert(store, [three], { prefix: "three", dueAt: noon + second });
    assert.deepEqual(await claim(store, noon + second), []);
    assert.equal(await nextDueAt(store), noon + second + waitMs);
    assert.deepEqual(idsOf(await claim(store, noon + second + waitMs)), ["three0"]);
  });

  test("each kind of address waits for as long as is said of it", async () => {
    await using store = await open();
    const [one, two] = await withChecks(store, 2);
    assert.ok(one !== undefined && two !== undefined);
    for (const to of ["mail", "phone"]) await insert(store, [one], { to, prefix: `${to}-one` });
    assert.equal((await claim(store, noon)).length, 2);
    for (const to of ["mail", "phone"])
      await insert(store, [two], { to, prefix: `${to}-two`, dueAt: noon + 1 });
    assert.deepEqual(idsOf(await claim(store, noon + 1 + waitMs)), ["mail-two0"]);
    assert.deepEqual(await claim(store, noon + 6 * waitMs), []);
    assert.deepEqual(idsOf(await claim(store, noon + 1 + 6 * waitMs)), ["phone-two0"]);
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
    await insert(store, [one, two], { prefix: "last", dueAt: noon + 2 * minute });
    assert.equal((await claim(store, noon + 2 * minute)).length, 2);
    for (const id of ["last0", "last1"])
      await store.write((tx) => tx.alerts.finishAttempt(id, delivered));
    await insert(store, [one], { prefix: "late", dueAt: noon + 2 * minute + second });
    assert.deepEqual(await claim(store, noon + 2 * minute + second), []);
  });

  for (const { name, options, alone } of [
    {
      name: "of a kind to which alerts are sent one by one",
      options: { to: "hook" },
      alone: false,
    },
    { name: "where nothing is grouped", options: {}, alone: true },
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
    await insert(store, [two], { prefix: "two", dueAt: noon + minute });
    assert.deepEqual(idsOf(await claim(store, noon + minute)), ["two0"]);
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
    const notifications = await store.alerts.listNotifications({
      accountIds: [alice.id],
      checkId: "check3",
      from: 0,
      limit: 9,
      dropped: true,
    });
    assert.partialDeepStrictEqual(notifications, [{ bundle: "bundle", body: "of alert3" }]);

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

  test("an alert that is sent on its own, or in another bundle, leaves the bundle that it was in", async () => {
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
    const notifications = await store.alerts.listNotifications({
      accountIds: [alice.id],
      checkId: undefined,
      from: 0,
      limit: 9,
      dropped: true,
    });
    assert.deepEqual(notifications.map(({ bundle }) => bundle).toReversed(), [
      undefined,
      "new",
      "new",
    ]);
  });

  test("an alert that is sent on its own leaves its bundle before, unless another claimed it meanwhile", async () => {
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
    const due = await (await store.at(noon + 20 * minute)).alerts.listDue(9);
    assert.deepEqual(
      due.map(({ bundle }) => bundle),
      ["bundle", undefined],
    );
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";

import { channelsBy } from "../../channels/registry.ts";
import * as fc from "fast-check";

import { Unavailable } from "../../kit/errors.ts";
import { createIds } from "../../kit/ids.ts";
import { silentLog } from "../../kit/log.ts";
import type { Store } from "../../store/store.ts";
import { batchAlerts } from "./batch.ts";
import {
  digestHarness,
  groupWaitMs,
  later,
  lost,
  never,
  OK,
  unwanted,
  type Reply,
  type DigestHarness,
} from "../../../test/harnesses/digest-harness.ts";

import { hookAddress, type NotifierHarness } from "../../../test/harnesses/notifier-harness.ts";
import { aContact, alice, anAddress, minute } from "../../../test/record-builders.ts";
import {
  sampleAlert,
  sampleAcknowledgeLinks,
  samplePageLinks,
} from "../../../test/sample-alert.ts";

async function goDown({ flip, checks }: NotifierHarness, from = 0): Promise<void> {
  for (const check of checks.slice(from)) await flip(undefined, "failing", check);
}

/** The first check's alert leaves at once, and those of the others together: their message finds the first of these answers. */
async function bundleOthers(
  { harness, received, reply }: DigestHarness,
  ...answers: readonly Reply[]
): Promise<void> {
  reply(OK, ...answers);
  await harness.flip(undefined, "failing");
  await harness.until("the first is out", () => received.length === 1);
  await goDown(harness, 1);
}

function all(text: string, count: number): readonly string[] {
  return Array.from({ length: count }, () => text);
}

test("the first alert leaves at once, and those that follow soon leave together, each named once", async () => {
  await using box = await digestHarness();
  const { harness, received } = box;
  const began = harness.clock.now();
  const [first] = harness.checks;
  await harness.flip(undefined, "failing", first);
  await harness.until("the first is out", () => received.length === 1);
  assert.ok(harness.clock.now() - began < 1000);
  await goDown(harness, 1);
  assert.deepEqual(await box.ends(5), all("first delivered", 5));
  assert.ok(harness.clock.now() - began <= groupWaitMs + 1000);
  assert.equal(received.length, 2);
  const [alone, settleAll] = received;
  assert.equal(alone?.id, alone?.alerts[0]);
  assert.equal(settleAll?.alerts.length, 4);
  const notifications = await harness.notifications();
  assert.deepEqual(
    received.flatMap(({ alerts }) => alerts).toSorted(),
    notifications.map(({ alertId }) => alertId).toSorted(),
  );
  assert.deepEqual(
    notifications.map(({ bundle, body, alertId }) =>
      bundle === undefined ? body : body === `part of ${alertId}` && bundle === settleAll?.id,
    ),
    [`of ${notifications[0]?.alertId}`, true, true, true, true],
  );
});

test("a channel with more patience waits longer for more", async () => {
  await using box = await digestHarness({ groupWaitFactor: 6 });
  const { harness, received } = box;
  const began = harness.clock.now();
  await bundleOthers(box);
  await harness.until("the others are out", () => received.length === 2);
  const took = harness.clock.now() - began;
  assert.ok(took >= 6 * groupWaitMs && took < 6 * groupWaitMs + 1000, `${took} ms`);
});

test("alerts that are due at the same time leave together at once", async () => {
  await using box = await digestHarness();
  box.harness.notifier.wake();
  await Promise.all(
    box.harness.checks.map((check) => box.harness.flip(undefined, "failing", check)),
  );
  await box.ends(5);
  assert.ok(box.received.length <= 2, `${box.received.length} messages`);
});

for (const { name, failure, tries } of [
  { name: "was refused for now", failure: later, tries: 2 },
  { name: "may have arrived", failure: lost, tries: 2 },
]) {
  test(`a bundle that ${name} goes out again as it was`, async () => {
    await using box = await digestHarness();
    const { harness, received, reply } = box;
    reply(OK, failure);
    await harness.flip(undefined, "failing");
    await harness.until("the first is out", () => received.length === 1);
    await goDown(harness, 1);
    assert.deepEqual(await box.ends(5), all("first delivered", 5));
    const [, ...sent] = received;
    assert.equal(sent.length, tries);
    assert.deepEqual(sent[1], sent[0]);
    const [notification] = (await harness.notifications()).slice(1);
    assert.equal(notification?.attempts, tries);
  });
}

test("a bundle that is refused for good fails with each of its alerts, and none of their Ups is sent", async () => {
  await using box = await digestHarness();
  const { harness } = box;
  await bundleOthers(box, never);
  assert.deepEqual(await box.ends(5), ["first delivered", ...all("first failed 550 never", 4)]);
  for (const check of harness.checks) await harness.flip("failing", "passing", check);
  assert.equal((await box.ends(6)).at(-1), "up delivered");
});

test("a bundle that is refused for good, maybe for what one of its alerts says, is sent one by one", async () => {
  await using box = await digestHarness();
  const { received } = box;
  await bundleOthers(box, unwanted, OK, unwanted);
  const ends = await box.ends(5);
  assert.deepEqual(ends.toSorted(), [
    ...all("first delivered", 4),
    "first failed 554 no such words",
  ]);
  assert.deepEqual(
    received.map(({ alerts }) => alerts.length),
    [1, 4, 1, 1, 1, 1],
  );
});

test("where an alert of a bundle that surely has not left is cancelled, the others leave as another", async () => {
  await using box = await digestHarness();
  const { harness, received } = box;
  await bundleOthers(box, later);
  await harness.until(
    "the bundle was refused",
    async () => (await harness.notifications())[4]?.response !== undefined,
  );
  await harness.flip("failing", "passing", harness.checks[2]);
  assert.deepEqual(await box.ends(6), [
    "first delivered",
    "first delivered",
    "first dropped recovered",
    "first delivered",
    "first delivered",
    "missed delivered",
  ]);
  const [, refused, taken] = received;
  assert.equal(received.length, 4, "the last about the outage that was missed");
  assert.notEqual(taken?.id, refused?.id);
  assert.equal(taken?.alerts.length, 3);
});

test("where all but one alert of a refused bundle are cancelled, that one leaves under its own id", async () => {
  await using box = await digestHarness({ checks: 3 });
  const { harness, received } = box;
  await bundleOthers(box, later);
  await harness.until(
    "the bundle was refused",
    async () => (await harness.notifications())[2]?.response !== undefined,
  );
  await harness.flip("failing", "passing", harness.checks[1]);
  await box.ends(4);
  const last = (await harness.notifications())[2];
  assert.deepEqual(received[2], {
    id: last?.alertId,
    alerts: [last?.alertId],
    text: `of ${last?.alertId}`,
    to: "ann@example.net",
  });
  assert.equal(last?.bundle, undefined);
});

test("no alert of a bundle that may have arrived is cancelled, and each Up follows its Down", async () => {
  await using box = await digestHarness();
  const { harness, received } = box;
  await bundleOthers(box, lost);
  await harness.until(
    "the bundle may have arrived",
    async () => (await harness.notifications())[4]?.response !== undefined,
  );
  for (const check of harness.checks) await harness.flip("failing", "passing", check);
  const ends = await box.ends(10);
  assert.deepEqual(ends, [...all("first delivered", 5), ...all("up delivered", 5)]);
  assert.deepEqual(received[2], received[1]);
});

test("an alert that may have arrived on its own is put together with no others", async () => {
  await using box = await digestHarness();
  const { harness, channel } = box;
  const [check] = harness.checks;
  assert.ok(check !== undefined);
  const wanted = ["lost", "one", "two"].map((id) => ({
    alert: sampleAlert("down", { id, possiblySent: id === "lost" }),
    check,
    address: anAddress("ann"),
    account: alice,
    kind: "down" as const,
  }));
  const { batches } = await batchAlerts(wanted, {
    alerts: harness.store.alerts,
    saveBundle: () => Promise.resolve(),
    removeFromBundles: () => Promise.resolve(),
    ids: createIds(),
    channels: channelsBy(() => channel),
    grouping: new Map([["email", { waitMs: groupWaitMs, alerts: "all" }]]),
    sendSingly: new Set(),
    acknowledgeLinks: sampleAcknowledgeLinks,
    pageLinks: samplePageLinks,
    url: "https://watch.example.org/",
    log: silentLog,
  });
  assert.deepEqual(
    batches.map(({ items }) => items.map(({ alert }) => alert.id)),
    [["lost"], ["one", "two"]],
  );
});

test("a bundle that may have arrived goes out again as it was, though a check of it is gone", async () => {
  await using box = await digestHarness();
  const { harness, received } = box;
  await bundleOthers(box, lost);
  await harness.until("the bundle may have arrived", () => received.length === 2);
  await harness.store.write((tx) => tx.checks.remove(alice.id, "check2", harness.clock.now()));
  assert.equal((await box.ends(5))[2], "first dropped deleted");
  assert.deepEqual(received[2], received[1]);
});

test("an alert that is not wanted is in no bundle", async () => {
  await using box = await digestHarness();
  const { harness, received } = box;
  const [first, second] = harness.checks;
  assert.ok(second !== undefined);
  await harness.store.write((tx) =>
    tx.checks.update({ ...second, mute: true }, harness.clock.now()),
  );
  await harness.flip(undefined, "failing", first);
  await harness.until("the first is out", () => received.length === 1);
  await goDown(harness, 1);
  await harness.until("the others are out", () => received.length === 2);
  assert.equal(received[1]?.alerts.length, 3);
  assert.equal((await harness.ends())[1], "first waiting check_muted");
});

test("where no bundle can be kept each alert leaves on its own", async () => {
  let broken = false;
  const wrap = (store: Store): Store => ({
    ...store,
    write: (unit) => (broken ? Promise.reject(new Unavailable("disk full")) : store.write(unit)),
  });
  await using box = await digestHarness({ wrap });
  const { harness, received } = box;
  broken = true;
  await goDown(harness);
  await harness.until("all are out", () => received.length === 5);
  assert.ok(received.every(({ id, alerts }) => alerts.join() === id));
  broken = false;
  assert.deepEqual(await box.ends(5), all("first delivered", 5));
  assert.equal(received.length, 5);
});

test("hundreds of alerts go out in one bundle", async () => {
  await using box = await digestHarness({ checks: 230 });
  const { received } = box;
  await bundleOthers(box);
  await box.ends(230);
  const sizes = received.slice(1).map(({ alerts }) => alerts.length);
  assert.deepEqual(sizes, [229]);
});

test("a bundle that goes out again, to an address that was changed meanwhile, was sent to that one", async () => {
  await using box = await digestHarness();
  const { harness, received } = box;
  await bundleOthers(box, later);
  await harness.until("the bundle was refused", () => harness.events.includes("notifier.retry"));
  const addresses = [anAddress("ann", { address: "ann@example.org" })];
  await harness.store.write((tx) => tx.contacts.update(aContact("ann", { addresses })));
  await box.ends(5);
  assert.deepEqual(
    (await harness.notifications()).map(({ to }) => to),
    ["ann@example.net", ...all("ann@example.org", 4)],
  );
  assert.deepEqual(received[2], { ...received[1], to: "ann@example.org" });
});

test("a bundle for a destination that hangs does not keep the others waiting", async () => {
  const addresses = [hookAddress("stuck"), hookAddress("good")];
  await using box = await digestHarness({
    addresses,
    notifications: [{ stuck: "All" }],
    checks: 101,
  });
  const { harness, received, reply } = box;
  const last = harness.checks[100];
  assert.ok(last !== undefined);
  reply(OK, ...Array.from({ length: 9 }, () => new Promise<never>(() => {})));
  for (const check of harness.checks.slice(0, 100)) await harness.flip(undefined, "failing", check);
  await harness.until("most hang", () => received.some(({ alerts }) => alerts.length > 64));
  const began = harness.clock.now();
  const other = { ...last, notifications: [{ good: "All" }] };
  await harness.store.write((tx) => tx.checks.update(other, began));
  await harness.flip(undefined, "failing", other);
  await harness.until("the other is out", () => received.some(({ to }) => to.includes("good")));
  assert.ok(harness.clock.now() - began < groupWaitMs);
});

test("a bundle that cannot be read is tried again, and takes nothing else along", async () => {
  let unreadable = false;
  const wrap = (store: Store): Store => ({
    ...store,
    alerts: {
      ...store.alerts,
      async findBundle(id) {
        if (unreadable) throw new Error("disk I/O error");
        return store.alerts.findBundle(id);
      },
    },
  });
  await using box = await digestHarness({ wrap });
  const { harness, received, reply } = box;
  reply(OK, later);
  await harness.flip(undefined, "failing");
  await harness.until("the first is out", () => received.length === 1);
  for (const check of harness.checks.slice(1, 4)) await harness.flip(undefined, "failing", check);
  await harness.until("the bundle was refused", () => harness.events.includes("notifier.retry"));
  unreadable = true;
  await harness.until("it cannot be read", () => harness.events.includes("notifier.error"));
  await harness.flip(undefined, "failing", harness.checks[4]);
  await harness.until(
    "another is out",
    async () => (await harness.ends())[4] === "first delivered",
  );
  unreadable = false;
  assert.deepEqual(await box.ends(5), all("first delivered", 5));
  assert.deepEqual(received.at(-1), received[1]);
});

test("the last alert of a refused bundle, of which nobody knows whether it left on its own, does not come in that bundle again", async () => {
  let broken = false;
  const wrap = (store: Store): Store => ({
    ...store,
    write: (unit) => (broken ? Promise.reject(new Unavailable("gone")) : store.write(unit)),
  });
  await using box = await digestHarness({ checks: 3, wrap });
  const { harness, received } = box;
  await bundleOthers(box, later, new Promise(() => {}));
  await harness.until(
    "the bundle was refused",
    async () => (await harness.notifications())[2]?.response !== undefined,
  );
  const removed = harness.checks[1]?.id ?? "";
  await harness.store.write((tx) => tx.checks.remove(alice.id, removed, harness.clock.now()));
  await harness.until("the last leaves on its own", () => received.length === 3);
  // As if it were killed: what it knows is lost.
  broken = true;
  await Promise.all([harness.stop(), harness.clock.advance(minute)]);
  broken = false;
  const stopping = new AbortController();
  const run = harness.another().run(stopping.signal);
  await box.ends(3);
  assert.equal(received.length, 4);
  assert.deepEqual(received[3], received[2]);
  stopping.abort();
  await run;
});

test("whatever the receiver answers, every alert has one end, and what may have arrived never comes as another message", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(OK, later, lost, never, unwanted), { maxLength: 12 }),
      fc.array(fc.nat({ max: 7 }), { minLength: 1, maxLength: 20 }),
      async (answers, beats) => {
        await using box = await digestHarness({ checks: 8 });
        const { harness, received, reply } = box;
        reply(...answers);
        const down = new Set<number>();
        for (const beat of beats) {
          const isDown = down.has(beat);
          await harness.flip(
            isDown ? "failing" : "passing",
            isDown ? "passing" : "failing",
            harness.checks[beat],
          );
          if (isDown) down.delete(beat);
          else down.add(beat);
          await harness.clock.advance(700);
        }
        await harness.until(
          "all is over",
          async () => (await harness.ends()).every((end) => !end.includes("waiting")),
          1000,
        );
        assert.deepEqual(box.strays, []);
        const sent = Map.groupBy(received, ({ id }) => id);
        for (const same of sent.values())
          assert.equal(new Set(same.map(({ alerts }) => alerts.join())).size, 1);
        const notifications = await harness.notifications();
        for (const { alertId, status } of notifications.filter(
          (each) => each.status === "delivered",
        ))
          assert.ok(
            received.some(({ alerts }) => alerts.includes(alertId)),
            `${alertId} is ${status}`,
          );
        for (const [index, { checkId, kind, status }] of notifications.entries()) {
          if (kind !== "up" || status !== "delivered") continue;
          const before = notifications.slice(0, index).findLast((each) => each.checkId === checkId);
          assert.ok(
            before?.kind === "down" && before.status !== "dropped",
            "an Up without its Down",
          );
        }
      },
    ),
    { numRuns: 25 },
  );
});

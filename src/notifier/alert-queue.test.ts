import assert from "node:assert/strict";
import { test } from "node:test";

import { noSuppressions } from "../domain/contact/contact.ts";
import { DeliveryFailed, Unavailable } from "../kit/errors.ts";
import type { Store } from "../store/store.ts";
import { shiftTimes } from "../store/transactions/shift-times.ts";
import {
  hookAddress,
  notifierHarness,
  type NotifierHarness,
  type Sender,
} from "../../test/harnesses/notifier-harness.ts";
import { digestHarness } from "../../test/harnesses/digest-harness.ts";
import { aContact, minute } from "../../test/record-builders.ts";

const OK = { response: "200 OK" };
const later = new DeliveryFailed("503 later", { retryable: true });
const never = new DeliveryFailed("410 gone", { retryable: false });
const lost = new DeliveryFailed("no answer", { retryable: true, mayHaveArrived: true });

/** A store that cannot commit while it is broken. */
function breaking(isBroken: () => boolean): (store: Store) => Store {
  return (store) => ({
    ...store,
    write: (unit) =>
      isBroken() ? Promise.reject(new Unavailable("disk full")) : store.write(unit),
  });
}

test("two notifiers over one store send each alert once", async () => {
  await using bench = await notifierHarness({ checks: 60 });
  const other = bench.another();
  const stopping = new AbortController();
  const run = other.run(stopping.signal);
  for (const check of bench.checks) {
    await bench.flip(undefined, "failing", check);
    other.wake();
  }
  await bench.until("all are out", async () =>
    (await bench.ends()).every((end) => end === "first delivered"),
  );
  assert.equal(bench.sent.length, 60);
  stopping.abort();
  await run;
});

test("while the store cannot commit, committed alerts go out once each, and their ends are written when it is back", async () => {
  let broken = false;
  const wrap = breaking(() => broken);
  const sender: Sender = ({ attempt, address }) =>
    address.includes("shy") && attempt < 3 ? Promise.reject(lost) : Promise.resolve(OK);
  await using bench = await notifierHarness({
    wrap,
    sender,
    addresses: [
      hookAddress("good"),
      hookAddress("shy"),
      hookAddress("mute", { suppress: { ...noSuppressions, all: true } }),
    ],
  });
  broken = true;
  await bench.flip(undefined, "failing");
  await bench.until("both are out", () => bench.sent.length === 4);
  await bench.clock.advance(2 * minute);
  assert.equal(bench.sent.length, 4, "once to the one, three times to the other until it took it");
  assert.deepEqual(await bench.ends(), ["first waiting", "first waiting", "first waiting"]);
  broken = false;
  await bench.until("the ends are written", async () =>
    (await bench.ends()).every((end) => end !== "first waiting"),
  );
  assert.deepEqual(await bench.ends(), [
    "first delivered",
    "first delivered",
    "first dropped address_suppressed",
  ]);
  await bench.clock.advance(3 * minute);
  assert.equal(bench.sent.length, 4);
  await bench.flip("failing", "passing");
  await bench.until("the Ups are out", () => bench.sent.length === 6);
});

test("an alert that was under way when the store broke is not sent again when its lease runs out", async () => {
  let broken = false;
  const wrap = breaking(() => broken);
  const sender: Sender = () => {
    broken = true;
    return Promise.resolve(OK);
  };
  await using bench = await notifierHarness({ wrap, sender });
  await bench.flip(undefined, "failing");
  await bench.until("it is out", () => bench.sent.length === 1);
  await bench.clock.advance(10 * minute);
  assert.equal(bench.sent.length, 1);
  broken = false;
  await bench.until(
    "its end is written",
    async () => (await bench.ends())[0] === "first delivered",
  );
});

for (const { name, byMs } of [
  { name: "forward", byMs: 8 * 60 * minute },
  { name: "back", byMs: -8 * 60 * minute },
])
  test(`an alert is tried again though the clock was set ${name} during its attempt`, async () => {
    const sender: Sender = async ({ attempt }) => {
      if (attempt > 1) return OK;
      await setClock(bench, byMs);
      throw lost;
    };
    await using bench = await notifierHarness({ sender });
    await bench.flip(undefined, "failing");
    await bench.until("it was tried", () => bench.sent.length === 1);
    await bench.clock.advance(minute);
    assert.equal(bench.sent.length, 2);
    await bench.until("it is out", async () => (await bench.ends())[0] === "first delivered");
  });

test("an alert that was tried while the store was broken is tried again in time though the clock was set back meanwhile", async () => {
  let broken = false;
  const wrap = breaking(() => broken);
  const sender: Sender = ({ attempt }) => {
    broken = true;
    return attempt > 1 ? Promise.resolve(OK) : Promise.reject(later);
  };
  await using bench = await notifierHarness({ wrap, sender });
  await bench.flip(undefined, "failing");
  await bench.until("it was tried", () => bench.sent.length === 1);
  await setClock(bench, -8 * 60 * minute);
  await bench.clock.advance(minute);
  assert.equal(bench.sent.length, 2);
  broken = false;
  await bench.until(
    "its end is written",
    async () => (await bench.ends())[0] === "first delivered",
  );
});

/** As the program adopts a step of the system's clock. */
async function setClock({ store, clock }: NotifierHarness, byMs: number): Promise<void> {
  await store.write(async (tx) => {
    await shiftTimes(tx, { byMs, now: clock.now() + byMs });
    clock.step(byMs);
  });
}

test("a bundle that may have arrived when the store broke goes out again as it was", async () => {
  let isBroken = (): boolean => false;
  const wrap = breaking(() => isBroken());
  await using box = await digestHarness({ wrap });
  const { harness, received, strays, reply } = box;
  reply(OK, lost);
  await harness.flip(undefined, "failing");
  await harness.until("the first is out", () => received.length === 1);
  isBroken = () => received.length > 1;
  for (const check of harness.checks.slice(1)) await harness.flip(undefined, "failing", check);
  await harness.until("it is sent again", () => received.length === 3);
  await harness.clock.advance(minute);
  assert.deepEqual(received.slice(2), [received[1]]);
  assert.deepEqual(strays, []);
  isBroken = () => false;
  assert.deepEqual(
    await box.ends(5),
    Array.from({ length: 5 }, () => "first delivered"),
  );
  assert.equal(received.length, 3);
});

test("an alert that may have arrived unclaimed is put together with no others, though that could be stored", async () => {
  let broken = true;
  const wrap = (store: Store): Store => ({
    ...store,
    write: (unit) =>
      store.write((tx) => {
        const refuse = (): Promise<never> => Promise.reject(new Unavailable("disk full"));
        const changes = broken ? { claim: refuse, finishAttempt: refuse } : {};
        return unit({ ...tx, alerts: { ...tx.alerts, ...changes } });
      }),
  });
  await using box = await digestHarness({ wrap, checks: 3 });
  const { harness, received, strays, reply } = box;
  reply(lost, lost, lost);
  for (const check of harness.checks) await harness.flip(undefined, "failing", check);
  await harness.until("they are sent again", () => received.length > 3);
  await harness.clock.advance(minute);
  assert.deepEqual(strays, []);
  broken = false;
  await box.ends(3);
});

test("an attempt whose end was lost is remembered, though the next one was made while the store was away", async () => {
  let broken = false;
  const wrap = breaking(() => broken);
  await using bench = await notifierHarness({
    wrap,
    sender: () => (bench.sent.length === 1 ? new Promise(() => {}) : Promise.reject(later)),
  });
  await bench.flip(undefined, "failing");
  await bench.until("it is under way", () => bench.sent.length === 1);
  // As if it were killed: what it knows is lost.
  broken = true;
  await Promise.all([bench.stop(), bench.clock.advance(minute)]);
  const stopping = new AbortController();
  const run = bench.another().run(stopping.signal);
  await bench.until("it is tried again", () => bench.sent.length === 2);
  broken = false;
  await bench.until(
    "that is written",
    async () => (await bench.notifications())[0]?.response !== undefined,
  );
  await bench.flip("failing", "passing");
  assert.deepEqual(await bench.ends(), ["first waiting", "up waiting"]);
  stopping.abort();
  await Promise.all([run, bench.clock.advance(minute)]);
});

test("an alert that went out unclaimed is not sent again when it can be claimed", async () => {
  let broken = true;
  const wrap = breaking(() => broken);
  let release: (() => void) | undefined;
  const sender: Sender = () =>
    new Promise((resolve) => {
      release = () => resolve(OK);
    });
  await using bench = await notifierHarness({ wrap, sender });
  await bench.flip(undefined, "failing");
  await bench.until("it is under way", () => release !== undefined);
  broken = false;
  await bench.until("it is claimed", async () => (await bench.notifications())[0]?.attempts === 1);
  await bench.clock.advance(1000);
  assert.equal(bench.sent.length, 1);
  release?.();
  await bench.until(
    "its end is written",
    async () => (await bench.ends())[0] === "first delivered",
  );
  assert.equal(bench.sent.length, 1);
});

/** Holds every send until it is let go. */
function heldSends() {
  const releases: (() => void)[] = [];
  const sender: Sender = () =>
    new Promise((resolve) => {
      releases.push(() => resolve(OK));
    });
  return { releases, sender };
}

for (const { name, releaseFirst } of [
  { name: "its end could be written", releaseFirst: true },
  { name: "it had an end", releaseFirst: false },
]) {
  test(`whoever took a Down while the store was away is sent the Up, though the check recovered before ${name}`, async () => {
    let broken = true;
    const wrap = (store: Store): Store => ({
      ...store,
      write: (unit) => (broken ? Promise.reject(new Unavailable("disk full")) : store.write(unit)),
    });
    const { releases, sender } = heldSends();
    await using bench = await notifierHarness({ wrap, sender });
    await bench.flip(undefined, "failing");
    await bench.until("it is under way", () => releases.length === 1);
    if (releaseFirst) {
      releases[0]?.();
      await bench.clock.advance(1);
    }
    await bench.flip("failing", "passing");
    broken = false;
    await bench.clock.advance(1000);
    releases[0]?.();
    await bench.until("the Up is under way", () => releases.length === 2);
    releases[1]?.();
    await bench.until(
      "both are delivered",
      async () => (await bench.ends()).join() === "first delivered,up delivered",
    );
  });
}

test("an alert whose end cannot be written, whatever the reason, is not sent again", async () => {
  let broken = true;
  const wrap = (store: Store): Store => ({
    ...store,
    write: (unit) =>
      store.write((tx) => {
        const finishAttempt = broken
          ? () => Promise.reject(new Error("no such column"))
          : tx.alerts.finishAttempt;
        return unit({ ...tx, alerts: { ...tx.alerts, finishAttempt } });
      }),
  });
  await using bench = await notifierHarness({ wrap });
  await bench.flip(undefined, "failing");
  await bench.until("it is out", () => bench.sent.length === 1);
  await bench.until(
    "its lease has run out and it is claimed anew",
    async () => (await bench.notifications())[0]?.attempts === 2,
    1000,
  );
  await bench.clock.advance(1000);
  assert.equal(bench.sent.length, 1);
  broken = false;
  await bench.until(
    "its end is written",
    async () => (await bench.ends())[0] === "first delivered",
  );
  assert.equal(bench.sent.length, 1);
});

test("an attempt that may have arrived is remembered though the alert was dropped since, before either could be written", async () => {
  let broken = true;
  const wrap = breaking(() => broken);
  await using bench = await notifierHarness({ wrap, sender: () => Promise.reject(lost) });
  await bench.flip(undefined, "failing");
  await bench.until("it is out", () => bench.sent.length === 1);
  const silence = hookAddress("ann", { suppress: { ...noSuppressions, all: true } });
  await bench.store.write((tx) => tx.contacts.update(aContact("ann", { addresses: [silence] })));
  await bench.until("it is dropped", () => bench.events.includes("notifier.dropped"));
  broken = false;
  await bench.until("its end is written", async () => (await bench.ends())[0] !== "first waiting");
  const [notification] = await bench.notifications();
  const outage = await bench.store.alerts.listByOutage("id-0001");
  assert.deepEqual(
    outage.map(({ id, reason, possiblySent }) => [id, reason, possiblySent]),
    [[notification?.alertId, "address_suppressed", true]],
  );
});

test("an alert that was delivered before its failed attempt could be written stays delivered, though its check is off by then", async () => {
  let broken = false;
  const wrap = breaking(() => broken);
  const sender: Sender = ({ attempt }) => {
    broken = true;
    return attempt === 1 ? Promise.reject(later) : Promise.resolve(OK);
  };
  await using bench = await notifierHarness({ wrap, sender });
  await bench.flip(undefined, "failing");
  await bench.until("it is out", () => bench.events.includes("notifier.delivered"));
  const [check] = bench.checks;
  assert.ok(check !== undefined);
  await bench.store.write((tx) =>
    tx.checks.update({ ...check, enabled: false }, bench.clock.now()),
  );
  broken = false;
  await bench.until("its end is written", async () => (await bench.ends())[0] !== "first waiting");
  assert.deepEqual(await bench.ends(), ["first delivered"]);
});

test("each attempt is written once, though the store comes back while the next one is under way", async () => {
  let broken = true;
  let latch = Promise.resolve();
  let deliveries = 0;
  const wrap = (store: Store): Store => ({
    ...store,
    async write(unit) {
      if (broken) throw new Unavailable("disk full");
      await latch;
      return store.write((tx) => {
        const addDelivery: typeof tx.alerts.addDelivery = (delivery) => {
          deliveries += 1;
          return tx.alerts.addDelivery(delivery);
        };
        return unit({ ...tx, alerts: { ...tx.alerts, addDelivery } });
      });
    },
  });
  let release = (): void => {};
  const sender: Sender = ({ attempt }) =>
    attempt === 1
      ? Promise.reject(later)
      : new Promise((resolve) => {
          release = () => resolve(OK);
        });
  await using bench = await notifierHarness({ wrap, sender });
  await bench.flip(undefined, "failing");
  await bench.until("the second attempt is under way", () => bench.sent.length === 2);
  let open = (): void => {};
  latch = new Promise((resolve) => {
    open = resolve;
  });
  broken = false;
  await bench.clock.advance(3000);
  release();
  await bench.until("it is delivered", () => bench.events.includes("notifier.delivered"));
  open();
  await bench.until(
    "its end is written",
    async () => (await bench.ends())[0] === "first delivered",
  );
  assert.equal(deliveries, 2);
});

test("a store that cannot commit is asked about once a second", async () => {
  let asked = 0;
  const wrap = (store: Store): Store => ({
    ...store,
    write: () => {
      asked += 1;
      return Promise.reject(new Unavailable("disk full"));
    },
  });
  await using bench = await notifierHarness({ wrap, sender: () => new Promise(() => {}) });
  await bench.flip(undefined, "failing");
  await bench.until("it is under way", () => bench.sent.length === 1);
  asked = 0;
  await bench.clock.advance(minute / 2);
  assert.ok(asked > 0 && asked <= 31, `asked ${asked} times`);
});

test("an alert that another settled meanwhile stays as that one left it", async () => {
  let release: (() => void) | undefined;
  const sender: Sender = () =>
    new Promise((_resolve, reject) => {
      release = () => reject(never);
    });
  await using bench = await notifierHarness({ sender });
  await bench.flip(undefined, "failing");
  await bench.until("it is under way", () => release !== undefined);
  const [notification] = await bench.notifications();
  await bench.store.write((tx) =>
    tx.alerts.finishAttempt(notification?.alertId ?? "", {
      status: "delivered",
      at: bench.clock.now(),
    }),
  );
  release?.();
  await bench.clock.advance(minute);
  assert.deepEqual(await bench.ends(), ["first delivered"]);
});

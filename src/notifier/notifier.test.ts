import assert from "node:assert/strict";
import { test } from "node:test";

import { createWebhookChannel } from "../channels/webhook.ts";
import { maxRetryMs } from "../domain/alert/retry.ts";
import { noSuppressions } from "../domain/contact/contact.ts";
import { DeliveryFailed } from "../kit/errors.ts";
import { createSealer } from "../kit/crypto/seal.ts";
import type { Store } from "../store/store.ts";
import { waitFor } from "../../test/time/wait-for.ts";
import { drainEventLoop } from "../../test/time/fake-clock.ts";
import {
  hookAddress,
  notifierHarness,
  scriptedChannel,
  type Sender,
} from "../../test/harnesses/notifier-harness.ts";
import { receiverPeer } from "../../test/peers/webhook-receiver.ts";
import { alice, anAlert, minute } from "../../test/record-builders.ts";

const sealer = createSealer(new Uint8Array(32));
const OK = { response: "200 OK" };
const later = new DeliveryFailed("503 later", { retryable: true });
const never = new DeliveryFailed("410 gone", { retryable: false });
const lost = new DeliveryFailed("no answer", { retryable: true, mayHaveArrived: true });

/** Fails with each error in turn, then takes everything. */
function failing(...errors: readonly Error[]): Sender {
  let count = 0;
  return () => {
    const error = errors[count];
    count += 1;
    return error === undefined ? Promise.resolve(OK) : Promise.reject(error);
  };
}

const hanging: Sender = (_sent, { signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(lost), { once: true });
  });

test("an alert goes to its receiver, and what was said and answered is kept", async () => {
  await using receiver = await receiverPeer();
  receiver.reply({ status: 202, body: "noted" });
  await using bench = await notifierHarness({
    channel: createWebhookChannel({ sealer, url: "https://watch.example.org/" }),
    addresses: [hookAddress("ann", { address: `${receiver.url}/` })],
  });
  await bench.flip("passing", "failing");
  await bench.flip(undefined, "failing");
  await bench.until("it is delivered", async () => (await bench.ends())[0] === "first delivered");
  const [notification] = await bench.notifications();
  assert.equal(receiver.requests.length, 1);
  assert.deepEqual(
    { ...notification, body: undefined },
    {
      alertId: receiver.requests[0]?.headers["webhook-id"],
      accountId: alice.id,
      checkId: "check0",
      kind: "first",
      contactId: "ann",
      addressId: "ann",
      status: "delivered",
      reason: undefined,
      to: `${receiver.url}/`,
      from: "Watchpost",
      subject: "First result: check0 is down",
      body: undefined,
      network: "webhook",
      createdAt: notification?.createdAt,
      dueAt: notification?.createdAt,
      at: notification?.at,
      attempts: 1,
      nextAttemptAt: undefined,
      response: "202 Accepted: noted",
      bundle: undefined,
    },
  );
  assert.equal(notification?.body, receiver.requests[0]?.body);
});

test("the words of an address's own are the same at every attempt, and its headers are kept nowhere", async () => {
  await using receiver = await receiverPeer();
  receiver.reply({ status: 503 });
  const request = {
    action: "put",
    headers: { Authorization: "Bearer s3cret" },
    querystrings: undefined,
    data: "{label} is {event}",
  };
  await using bench = await notifierHarness({
    channel: createWebhookChannel({ sealer, url: "https://watch.example.org/" }),
    addresses: [hookAddress("ann", { address: `${receiver.url}/`, request })],
  });
  await bench.flip(undefined, "failing");
  await bench.until("it was tried", () => receiver.requests.length === 1);
  receiver.reply({ status: 200 });
  await bench.until("it is delivered", async () => (await bench.ends())[0] === "first delivered");
  const [notification] = await bench.notifications();
  assert.deepEqual(
    receiver.requests.map(({ method, body, headers }) => [method, body, headers.authorization]),
    Array.from({ length: 2 }, () => ["PUT", "check0 is first", "Bearer s3cret"]),
  );
  assert.equal(notification?.body, "check0 is first");
  assert.doesNotMatch(JSON.stringify(notification), /s3cret/);
});

test("an alert that cannot be rendered with the template of its address fails for good, and says why", async () => {
  const request = {
    action: undefined,
    headers: undefined,
    querystrings: undefined,
    data: "x".repeat(262_145),
  };
  await using bench = await notifierHarness({
    channel: createWebhookChannel({ sealer, url: "https://watch.example.org/" }),
    addresses: [hookAddress("ann", { request })],
  });
  await bench.flip(undefined, "failing");
  await bench.until("it ended", async () => (await bench.ends())[0] !== "first waiting");
  assert.deepEqual(await bench.ends(), [
    "first failed could not be rendered: data: longer than 262144 characters once it is filled in",
  ]);
});

test("a Down and its Up go out, in that order", async () => {
  await using bench = await notifierHarness();
  await bench.flip(undefined, "failing");
  await bench.until("the first result is out", () => bench.sent.length === 1);
  await bench.flip("failing", "passing");
  await bench.until("the Up is out", () => bench.sent.length === 2);
  assert.deepEqual(
    bench.sent.map(({ kind }) => kind),
    ["first", "up"],
  );
});

test("an alert that nobody announced is found within five seconds", async () => {
  await using bench = await notifierHarness();
  await bench.clock.advance(7000);
  const [check] = bench.checks;
  assert.ok(check !== undefined);
  await bench.store.write((tx) =>
    tx.alerts.insert(anAlert("quiet", check, { contactId: "ann", addressId: "ann" })),
  );
  await bench.clock.advance(5000);
  await waitFor("it is out", () => bench.sent.length === 1);
});

test("a wake is answered at once", async () => {
  await using bench = await notifierHarness();
  await bench.clock.advance(7000);
  await bench.flip(undefined, "failing");
  await waitFor("it is out", () => bench.sent.length === 1);
});

test("a refusal to be tried again comes back later under the same id, and is delivered", async () => {
  await using bench = await notifierHarness({ sender: failing(later, later) });
  await bench.flip(undefined, "failing");
  const start = bench.clock.now();
  await bench.until("it is delivered", async () => (await bench.ends())[0] === "first delivered");
  assert.deepEqual(
    bench.sent.map(({ attempt }) => attempt),
    [1, 2, 3],
  );
  assert.equal(new Set(bench.sent.map(({ alertId }) => alertId)).size, 1);
  assert.ok(bench.clock.now() - start >= 15_000, "5 s, then 10 s");
});

test("a receiver's Retry-After is honoured", async () => {
  const sender = failing(new DeliveryFailed("429", { retryable: true, retryAfterMs: 45_000 }));
  await using bench = await notifierHarness({ sender });
  await bench.flip(undefined, "failing");
  const start = bench.clock.now();
  await bench.until("it is sent again", () => bench.sent.length === 2);
  assert.ok(bench.clock.now() - start >= 45_000);
});

test("a refusal for good is final, keeps its reason, and its Up is not sent", async () => {
  await using bench = await notifierHarness({ sender: failing(never) });
  await bench.flip(undefined, "failing");
  await bench.until(
    "it has failed",
    async () => (await bench.ends())[0] === "first failed 410 gone",
  );
  await bench.flip("failing", "passing");
  await bench.clock.advance(10 * minute);
  assert.equal(bench.sent.length, 1);
  assert.deepEqual(await bench.ends(), ["first failed 410 gone"]);
});

test("a Down that may have arrived is followed by its Up", async () => {
  await using bench = await notifierHarness({ sender: failing(lost, never) });
  await bench.flip(undefined, "failing");
  await bench.until(
    "one attempt is over",
    async () => (await bench.notifications())[0]?.response === "no answer",
  );
  await bench.flip("failing", "passing");
  await bench.until(
    "all have ended",
    async () => (await bench.ends()).join() === "first failed 410 gone,up delivered",
  );
});

test("an Up waits for its Down that is still being tried", async () => {
  await using bench = await notifierHarness({ sender: failing(lost, lost, lost) });
  await bench.flip(undefined, "failing");
  await bench.until("one attempt is over", () => bench.sent.length === 1);
  await bench.flip("failing", "passing");
  await bench.until("the Up is out", () => bench.sent.at(-1)?.kind === "up");
  assert.deepEqual(
    bench.sent.map(({ kind }) => kind),
    ["first", "first", "first", "first", "up"],
  );
});

test("a Down whose delay is not over when the check recovers is cancelled, and no Up is sent", async () => {
  await using bench = await notifierHarness({
    notifications: [{ ann: { schedule: "All", delay: 5 } }],
  });
  await bench.flip(undefined, "failing");
  await bench.clock.advance(4 * minute);
  await bench.flip("failing", "passing");
  await bench.until(
    "both are dropped",
    async () => (await bench.ends()).join() === "first dropped recovered,up dropped down_not_sent",
  );
  await bench.clock.advance(10 * minute);
  assert.deepEqual(bench.sent, []);
});

for (const { name, delay, end } of [
  { name: "whose delay is not over", delay: 5, end: "dropped outdated" },
  { name: "that was refused for now", delay: 0, end: "delivered" },
]) {
  test(`a first result that is up, and ${name}, is ${end} once the check is down`, async () => {
    let tries = 0;
    await using bench = await notifierHarness({
      notifications: [{ ann: { schedule: "All", delay } }],
      sender: () =>
        (tries += 1) === 1 && delay === 0 ? Promise.reject(later) : Promise.resolve(OK),
    });
    await bench.flip(undefined, "passing");
    await bench.clock.advance(100);
    await bench.flip("passing", "failing");
    const over = [`first ${end}`, "down delivered"].join();
    await bench.until("both are over", async () => (await bench.ends()).join() === over);
  });
}

for (const { name, attempts } of [
  { name: "waits for its next attempt", attempts: 1 },
  { name: "is being tried", attempts: 0 },
])
  test(`a first result that is up, and ${name} when its check is switched off after an outage, does not follow what is said of that`, async () => {
    const away = Promise.withResolvers<never>();
    away.promise.catch(() => {});
    let isAway = true;
    await using bench = await notifierHarness({
      sender: () => {
        if (!isAway) return Promise.resolve(OK);
        return attempts === 0 ? away.promise : Promise.reject(later);
      },
    });
    const [check] = bench.checks;
    assert.ok(check !== undefined);
    const turn = (enabled: boolean): Promise<void> =>
      bench.store.write((tx) => tx.checks.update({ ...check, enabled }, bench.clock.now()));
    await bench.flip(undefined, "passing");
    await bench.until("it was tried", () => bench.sent.length === 1);
    await bench.flip("passing", "failing");
    await bench.flip("failing", "passing");
    await turn(false);
    isAway = false;
    away.reject(later);
    await bench.until("what is said of the outage is sent", () => bench.sent.length === 2);
    await turn(true);
    const ends = ["first dropped outdated", "down dropped recovered", "missed delivered"];
    await bench.until("all are over", async () => (await bench.ends()).join() === ends.join());
  });

test("a Down goes out when its delay is over", async () => {
  await using bench = await notifierHarness({
    notifications: [{ ann: { schedule: "All", delay: 5 } }],
  });
  await bench.flip(undefined, "failing");
  const start = bench.clock.now();
  await bench.until("it is out", () => bench.sent.length === 1);
  const waited = bench.clock.now() - start;
  assert.ok(waited >= 5 * minute && waited < 6 * minute, `${waited} ms`);
});

test("a receiver that is away for six hours makes the alert fail, with the last of its words", async () => {
  await using bench = await notifierHarness({ sender: () => Promise.reject(later) });
  await bench.flip(undefined, "failing");
  const start = bench.clock.now();
  await bench.until(
    "it has ended",
    async () => (await bench.ends())[0] !== "first waiting",
    minute,
  );
  assert.deepEqual(await bench.ends(), ["first failed 503 later"]);
  assert.ok(bench.clock.now() - start >= maxRetryMs);
  assert.ok(bench.clock.now() - start <= maxRetryMs + 5 * minute);
});

test("an alert whose contact is gone is dropped with the reason", async () => {
  await using bench = await notifierHarness({ sender: failing(later) });
  await bench.flip(undefined, "failing");
  await bench.until("one attempt is over", () => bench.sent.length === 1);
  await bench.store.write((tx) => tx.contacts.remove(alice.id, "ann"));
  await bench.until(
    "it is dropped",
    async () => (await bench.ends())[0] === "first dropped recipient_gone",
  );
  assert.equal(bench.sent.length, 1);
});

test("a first failure is sent as a Down where first results are not wanted", async () => {
  const suppress = { ...noSuppressions, first: true };
  await using bench = await notifierHarness({ addresses: [hookAddress("ann", { suppress })] });
  await bench.flip(undefined, "failing");
  await bench.until("it is out", () => bench.sent.length === 1);
  assert.equal(bench.sent[0]?.kind, "down");
});

test("an attempt is aborted after a minute, and the next one follows", async () => {
  const ends: number[] = [];
  const sender: Sender = async (sent, wire) => {
    if (sent.attempt > 1) return OK;
    const start = wire.clock.now();
    return hanging(sent, wire).finally(() => ends.push(wire.clock.now() - start));
  };
  await using bench = await notifierHarness({ sender });
  await bench.flip(undefined, "failing");
  await bench.until("it is delivered", async () => (await bench.ends())[0] === "first delivered");
  assert.deepEqual(ends, [minute]);
  assert.equal(bench.sent.length, 2);
});

test("a channel that does not listen to its deadline is let go of", async () => {
  await using bench = await notifierHarness({
    sender: ({ attempt }) => (attempt === 1 ? new Promise(() => {}) : Promise.resolve(OK)),
  });
  await bench.flip(undefined, "failing");
  await bench.until("it is delivered", async () => (await bench.ends())[0] === "first delivered");
  assert.equal(bench.sent.length, 2);
});

test("an alert that breaks in rendering leaves its neighbours alone", async () => {
  const sound = scriptedChannel(() => Promise.resolve(OK));
  const channel = {
    ...sound,
    render: (alertContext: Parameters<typeof sound.render>[0]) => {
      if (alertContext.alert.addressId === "bad") throw new Error("no words");
      return sound.render(alertContext);
    },
  };
  await using bench = await notifierHarness({
    channel,
    addresses: [hookAddress("bad"), hookAddress("good")],
    notifications: [{ ann: "All" }],
  });
  await bench.flip(undefined, "failing");
  await bench.until(
    "the other is delivered",
    async () => (await bench.ends()).join() === "first waiting,first delivered",
  );
});

test("a destination that hangs does not keep the others waiting", async () => {
  let ended = 0;
  const sender: Sender = (sent, wire) =>
    sent.address.includes("stuck")
      ? hanging(sent, wire).finally(() => (ended += 1))
      : Promise.resolve(OK);
  await using bench = await notifierHarness({
    sender,
    addresses: [hookAddress("stuck"), hookAddress("good")],
    notifications: [{ stuck: "All" }],
    checks: 200,
  });
  for (const check of bench.checks.slice(0, 199)) await bench.flip(undefined, "failing", check);
  const last = bench.checks[199];
  assert.ok(last !== undefined);
  await bench.store.write((tx) =>
    tx.checks.update({ ...last, notifications: [{ good: "All" }] }, bench.clock.now()),
  );
  await bench.flip(undefined, "failing", { ...last, notifications: [{ good: "All" }] });
  await bench.until("the other is out", () =>
    bench.sent.some(({ address }) => address.includes("good")),
  );
  assert.equal(ended, 0, "not one of the first has ended");
});

test("when it is stopped, it finishes what is under way and begins nothing", async () => {
  let release: (() => void) | undefined;
  const sender: Sender = () =>
    new Promise((resolve) => {
      release = () => resolve(OK);
    });
  await using bench = await notifierHarness({ sender });
  await bench.flip(undefined, "failing");
  await bench.until("it is under way", () => release !== undefined);
  const stopped = bench.stop();
  await bench.flip("failing", "passing");
  release?.();
  await stopped;
  assert.deepEqual(await bench.ends(), ["first delivered", "up waiting"]);
});

test("when it is stopped, it does not wait for a receiver that hangs, and remembers that it may have arrived", async () => {
  await using bench = await notifierHarness({ sender: hanging });
  await bench.flip(undefined, "failing");
  await bench.until("it is under way", () => bench.sent.length === 1);
  const stopped = bench.stop();
  await bench.clock.advance(8000);
  await stopped;
  await bench.flip("failing", "passing");
  assert.deepEqual(await bench.ends(), ["first waiting", "up waiting"]);
});

test("an idle notifier looks every few seconds and writes nothing", async () => {
  let looks = 0;
  let writes = 0;
  const wrap = (store: Store): Store => ({
    ...store,
    alerts: { ...store.alerts, msUntilDue: () => ((looks += 1), store.alerts.msUntilDue()) },
    write: (unit) => ((writes += 1), store.write(unit)),
  });
  await using bench = await notifierHarness({ wrap });
  await drainEventLoop();
  looks = 0;
  await bench.clock.advance(minute);
  await drainEventLoop();
  assert.ok(looks > 0 && looks <= 30, `${looks} looks`);
  assert.equal(writes, 0);
});

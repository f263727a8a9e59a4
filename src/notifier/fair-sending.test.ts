import assert from "node:assert/strict";
import { test } from "node:test";

import { DeliveryFailed } from "../kit/errors.ts";
import {
  hookAddress,
  notifierHarness,
  type NotifierHarness,
  type Sender,
} from "../../test/harnesses/notifier-harness.ts";
import { drainEventLoop } from "../../test/time/fake-clock.ts";
import { waitFor } from "../../test/time/wait-for.ts";

const OK = { response: "200 OK" };
const later = new DeliveryFailed("503 later", { retryable: true });

for (const destinations of [1, 3, 8]) {
  /* guard: places of a destination */ test(`${destinations} destinations have one send each at a time until they answered, and then up to four`, async () => {
    const releases: (() => void)[] = [];
    const sender: Sender = () =>
      new Promise((resolve) => {
        releases.push(() => resolve(OK));
      });
    const addresses = Array.from({ length: destinations }, (_, index) => hookAddress(`to${index}`));
    await using bench = await notifierHarness({ sender, addresses, checks: 12 });
    for (const check of bench.checks) await bench.flip(undefined, "failing", check);
    let answered = 0;
    for (const most of [1, 2, 3, 4, 4]) {
      await waitFor(
        "as many are under way as may be",
        () => bench.sent.length === answered + most * destinations,
      );
      await drainEventLoop(200);
      assert.equal(bench.sent.length, answered + most * destinations);
      for (const release of releases.splice(0, destinations)) release();
      answered += destinations;
    }
    await bench.until("all are out", () => {
      for (const release of releases.splice(0)) release();
      return bench.sent.length === 12 * destinations;
    });
  });
}

test("an alert whose lease has little left is not begun, and sent under a new one", async () => {
  const { sender, releases } = heldAfterFirst();
  await using bench = await notifierHarness({ sender, checks: 5 });
  await flipAfterFirst(bench);
  bench.clock.step(80_000);
  releases[0]?.();
  await bench.until("the third is let go of", () =>
    bench.events.includes("notifier.lease_too_short"),
  );
  await bench.until("all are delivered", async () => {
    for (const release of releases) release();
    return (await bench.ends()).every((end) => end === "first delivered");
  });
  assert.equal(bench.sent.length, 5);
});

test("when it is stopped, it gives back at once what waits for its turn, as if it had not been claimed", async () => {
  const { sender, releases } = heldAfterFirst();
  await using bench = await notifierHarness({ sender, checks: 5 });
  await flipAfterFirst(bench);
  const stopped = bench.stop();
  await waitFor(
    "two can be claimed",
    async () => (await bench.store.alerts.listDue(9)).length === 2,
  );
  for (const release of releases) release();
  await stopped;
  assert.equal(bench.sent.length, 3);
  assert.deepEqual(
    (await bench.notifications()).map(({ attempts }) => attempts),
    [1, 1, 1, 0, 0],
  );
});

test("what waits for its turn longer than it should is given back, and counts no attempt", async () => {
  const { sender, releases } = heldAfterFirst();
  await using bench = await notifierHarness({ sender, checks: 5 });
  await flipAfterFirst(bench);
  await bench.until(
    "two are given back",
    () => bench.events.filter((event) => event === "notifier.given_back").length === 2,
  );
  await bench.until("all are delivered", async () => {
    for (const release of releases) release();
    return (await bench.ends()).every((end) => end === "first delivered");
  });
  assert.deepEqual(
    (await bench.notifications()).map(({ attempts }) => attempts),
    [1, 1, 1, 1, 1],
  );
  assert.ok(!bench.events.includes("notifier.retry"));
});

test("ten hosts that hang with sixty alerts each delay no alert to another host, though more are due than are looked at", async () => {
  const hosts = Array.from({ length: 10 }, (_, index) => `stuck${index}`);
  await using bench = await notifierHarness({
    sender: hangingAt("stuck"),
    addresses: [...hosts, "good"].map((id) => hookAddress(id)),
    notifications: hosts.map((host) => ({ [host]: "All" })),
    checks: 61,
  });
  const toGood = [{ good: "All" }];
  for (const check of bench.checks.slice(0, 60)) await bench.flip(undefined, "failing", check);
  const last = bench.checks[60];
  assert.ok(last !== undefined);
  const check = { ...last, notifications: toGood };
  await bench.store.write((tx) => tx.checks.update(check, bench.clock.now()));
  const flippedAt = bench.clock.monotonic();
  await bench.flip(undefined, "failing", check);
  const isAlerted = (): boolean => bench.sent.some(({ address }) => address.includes("good"));
  await bench.until("the other is alerted", isAlerted);
  assert.ok(bench.clock.monotonic() - flippedAt < 1000);
  assert.equal(bench.sent.length, 11, "one attempt at each");
  const attempts = (await bench.notifications()).map((alert) => alert.attempts);
  assert.equal(attempts.filter((count) => count > 0).length, 11, "and nothing else is claimed");
});

test("two hundred hosts that hang delay no alert of the same account to another host for more than seconds", async () => {
  const hosts = Array.from({ length: 200 }, (_, index) => `stuck${index}`);
  await using bench = await notifierHarness({
    sender: hangingAt("stuck"),
    addresses: [...hosts, "good"].map((id) => hookAddress(id)),
    notifications: hosts.map((host) => ({ [host]: "All" })),
    checks: 2,
  });
  const [first, second] = bench.checks;
  assert.ok(second !== undefined);
  await bench.flip(undefined, "failing", first);
  await bench.until("it has as many under way as it may", () => bench.sent.length === 128);
  const check = { ...second, notifications: [{ good: "All" }] };
  await bench.store.write((tx) => tx.checks.update(check, bench.clock.now()));
  const flippedAt = bench.clock.monotonic();
  await bench.flip(undefined, "failing", check);
  await bench.until("the other is alerted", () =>
    bench.sent.some(({ address }) => address.includes("good")),
  );
  assert.ok(bench.clock.monotonic() - flippedAt < 5000);
});

/** Accepts all but what it never responds to. */
function hangingAt(name: string): Sender {
  return ({ address }, { signal }) =>
    address.includes(name)
      ? new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(later), { once: true });
        })
      : Promise.resolve(OK);
}

/** Takes the first at once, and holds every later one until it is let go. */
function heldAfterFirst() {
  const releases: (() => void)[] = [];
  let isFirst = true;
  const sender: Sender = (_sent, { signal }) => {
    if (isFirst) {
      isFirst = false;
      return Promise.resolve(OK);
    }
    return new Promise((resolve, reject) => {
      releases.push(() => resolve(OK));
      signal.addEventListener("abort", () => reject(later), { once: true });
    });
  };
  return { releases, sender };
}

/** Once the destination has answered, two are under way and two are claimed ahead. */
async function flipAfterFirst(bench: NotifierHarness): Promise<void> {
  const [first, ...others] = bench.checks;
  await bench.flip(undefined, "failing", first);
  await bench.until("it answered", async () => (await bench.ends())[0] === "first delivered");
  for (const check of others) await bench.flip(undefined, "failing", check);
  await bench.until(
    "two are under way and two are claimed",
    async () =>
      bench.sent.length === 3 &&
      (await bench.notifications()).every(({ attempts }) => attempts === 1),
  );
}

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  digestChannel,
  notifierHarness,
  type NotifierHarness,
  type NotifierHarnessOptions,
} from "../../../test/harnesses/notifier-harness.ts";
import { alice, anAddress } from "../../../test/record-builders.ts";
import { DeliveryFailed } from "../../kit/errors.ts";

/** It is noon on a Monday. The second window opens later than anything is tried again. */
const windows = [
  { time1: "9:00", time2: "13:00" },
  { time1: "20:30", time2: "22:00" },
];
const office = { name: "Office", days: { monday: { windows } } };
const inOffice = [{ ann: "Office" }];

/** Checks that failed in the window and recovered after it. */
async function recoveredAfterHours(options: NotifierHarnessOptions): Promise<NotifierHarness> {
  const bench = await notifierHarness({ notifications: inOffice, ...options });
  await bench.store.write(({ schedules }) => schedules.put(alice.id, office));
  for (const check of bench.checks) await bench.flip(undefined, "failing", check);
  await bench.until("the Downs are sent", async () =>
    (await bench.ends()).every((end) => end === "first delivered"),
  );
  await pass(bench, 2 * hour);
  for (const check of bench.checks) await bench.flip("failing", "passing", check);
  await bench.until("the Ups wait for the window", () =>
    bench.events.includes("notifier.postponed"),
  );
  return bench;
}

const hour = 3_600_000;
const LOOK_INTERVAL_MS = 150_000;

/** Lets time pass in which the notifier looks now and then: often enough to be alive. */
async function pass({ clock }: NotifierHarness, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += LOOK_INTERVAL_MS) {
    clock.jump(LOOK_INTERVAL_MS);
    await clock.advance(100);
  }
}

async function areAllSent({ ends }: NotifierHarness): Promise<boolean> {
  return (await ends()).every((end) => end.endsWith("delivered"));
}

test("Ups that wait for one window are sent in one message, and say until then what they wait for", async () => {
  const messages: string[] = [];
  await using bench = await recoveredAfterHours({
    addresses: [anAddress("ann")],
    checks: 4,
    groupWaitMs: 5000,
    channel: digestChannel(({ message }) => {
      messages.push(message);
      return Promise.resolve({ response: "200 OK" });
    }),
  });
  await bench.until("all of them do", async () => {
    const ends = await bench.ends();
    return ends.filter((end) => end === "up waiting outside_window").length === bench.checks.length;
  });
  const before = messages.length;
  await pass(bench, 6.5 * hour);
  await bench.until("the window opens", () => areAllSent(bench));
  assert.equal(messages.length - before, bench.checks.length);
  assert.equal(new Set(messages.slice(before)).size, 1);
});

test("an Up that waited for its window all night is tried again where its receiver is away then", async () => {
  let failures = 2;
  await using bench = await recoveredAfterHours({
    sender({ kind }) {
      if (kind === "up" && failures > 0) {
        failures -= 1;
        throw new DeliveryFailed("503 later", { retryable: true });
      }
      return Promise.resolve({ response: "200 OK" });
    },
  });
  await pass(bench, 6.5 * hour);
  await bench.until("it is tried for the third time", () => bench.sent.length === 4);
  assert.deepEqual(
    bench.sent.map(({ kind, attempt }) => `${kind} ${attempt}`),
    ["first 1", "up 1", "up 2", "up 3"],
  );
});

test("an address that is named under two schedules is alerted in the windows of both", async () => {
  await using bench = await notifierHarness({
    notifications: [{ ann: "Nights" }, { ann: { schedule: "Days", delay: 1 } }],
  });
  const day = { time1: "9:00", time2: "13:00" };
  await bench.store.write(async ({ schedules }) => {
    await schedules.put(alice.id, { name: "Days", days: { monday: day } });
    await schedules.put(alice.id, { name: "Nights", days: { monday: { ...day, exclude: 1 } } });
  });
  await bench.flip(undefined, "failing");
  const start = bench.clock.now();
  await bench.until("the Down is sent", () => bench.sent.length === 1);
  assert.ok(bench.clock.now() - start >= 60_000, "after the delay of the one that is open");
  await pass(bench, 2 * hour);
  await bench.flip("failing", "passing");
  await bench.until("the Up is sent, in the window of the other", () => areAllSent(bench));
});

test("a Down outside its window is sent when that opens, once, and its Up after it", async () => {
  await using bench = await notifierHarness({ notifications: inOffice });
  await bench.store.write(({ schedules }) => schedules.put(alice.id, office));
  await pass(bench, 2 * hour);
  await bench.flip(undefined, "failing");
  await bench.until("the Down waits", async () =>
    (await bench.ends()).includes("first waiting outside_window"),
  );
  await pass(bench, 6 * hour);
  assert.equal(bench.sent.length, 0);
  await pass(bench, hour);
  await bench.until("the window opens", () => areAllSent(bench));
  await bench.flip("failing", "passing");
  await bench.until("the Up is sent", async () => (await bench.ends()).includes("up delivered"));
  assert.deepEqual(
    bench.sent.map(({ kind }) => kind),
    ["first", "up"],
  );
});

test("a Down that waits for its window goes at once where its schedule is changed to be open", async () => {
  await using bench = await notifierHarness({ notifications: inOffice });
  await bench.store.write(({ schedules }) => schedules.put(alice.id, office));
  await pass(bench, 2 * hour);
  await bench.flip(undefined, "failing");
  await bench.until("the Down waits", async () =>
    (await bench.ends()).includes("first waiting outside_window"),
  );
  const always = { name: "Office", days: { monday: { allday: true } } };
  await bench.store.write(({ schedules }) => schedules.put(alice.id, always));
  await bench.until("it is sent", () => areAllSent(bench));
});

test("a Down is sent although its schedule is opened while it is judged by the closed one", async () => {
  const always = { name: "Office", days: { monday: { allday: true } } };
  await using bench = await notifierHarness({
    notifications: inOffice,
    wrap: (store) => ({
      ...store,
      schedules: {
        ...store.schedules,
        async find(accountId, name) {
          const found = await store.schedules.find(accountId, name);
          await store.write(({ schedules }) => schedules.put(accountId, always));
          return found;
        },
      },
    }),
  });
  await bench.store.write(({ schedules }) => schedules.put(alice.id, office));
  await pass(bench, 2 * hour);
  await bench.flip(undefined, "failing");
  await bench.until("the Down waits", async () =>
    (await bench.ends()).includes("first waiting outside_window"),
  );
  const from = bench.clock.now();
  await bench.until("it is sent", () => areAllSent(bench));
  assert.ok(bench.clock.now() - from <= hour / 4);
});

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

import type { SystemMailSender } from "../channels/mail/system-mail.ts";
import { maxRetryMs } from "../domain/alert/retry.ts";
import { DeliveryFailed, Unavailable } from "../kit/errors.ts";
import { silentLog } from "../kit/log.ts";
import { createSealer } from "../kit/crypto/seal.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import type { Store } from "../store/store.ts";
import { stepUntil, waitFor } from "../../test/time/wait-for.ts";
import { fakeClock } from "../../test/time/fake-clock.ts";
import { headerOf, partOf } from "../../test/peers/smtp.ts";
import { mailQueueHarness } from "../../test/harnesses/mail-queue-harness.ts";
import { aContact, aWelcome, alice, minute } from "../../test/record-builders.ts";
import { countRows, tempStore, type TempStore } from "../../test/stores/temp-store.ts";
import { leaseMs } from "./alert-queue.ts";
import { shiftTimes } from "../store/transactions/shift-times.ts";

/** A store with a system mail to each of the contacts. */
async function storeWithMails(
  options: Parameters<typeof tempStore>[0],
  contactIds: readonly string[] = ["ann"],
): Promise<TempStore> {
  const store = await tempStore(options);
  await store.write(async ({ accounts, contacts, systemMails }) => {
    await accounts.insert(alice);
    for (const id of contactIds) {
      await contacts.insert(aContact(id));
      await systemMails.insert(aWelcome(id));
    }
  });
  return store;
}

function isEmpty({ directory }: Pick<TempStore, "directory">): boolean {
  return countRows(directory, "system_mails") === 0;
}

test("a mail that the mail server takes is gone from the store", async () => {
  const clock = fakeClock();
  await using store = await storeWithMails({ clock });
  await using bench = await mailQueueHarness(clock);
  bench.start(store);
  await waitFor("it is gone", () => isEmpty(store));
  const [mail, ...more] = bench.server.mails;
  assert.deepEqual(more, []);
  assert.deepEqual(mail?.to, ["ann@example.net"]);
  assert.equal(headerOf(mail?.raw ?? "", "message-id"), "<welcome-to-ann@watch.example.org>");
  assert.deepEqual(bench.events, ["notifier.mail_sent", "counted notifier.mail_sent"]);
});

test("a welcome goes out in the words that its account has by then, from its sender", async () => {
  const clock = fakeClock();
  await using store = await storeWithMails({ clock });
  await using bench = await mailQueueHarness(clock);
  const branding = { from: "Shop", welcome: "Yours: {password}" };
  await store.write(({ accounts }) => accounts.update({ ...alice, branding }, clock.now()));
  bench.start(store);
  await waitFor("it is gone", () => isEmpty(store));
  const { raw = "" } = bench.server.mails[0] ?? {};
  assert.equal(headerOf(raw, "from"), "Shop <watchpost@example.org>");
  assert.match(
    partOf(raw, "text/plain"),
    /^Yours: password of ann\r\n\r\n--\r\nYou get this mail because /,
  );
});

test("a mail that is added while the queue looks for none is sent within a second", async () => {
  const clock = fakeClock();
  await using store = await storeWithMails({ clock }, []);
  await using bench = await mailQueueHarness(clock);
  bench.start(store);
  await clock.advance(10 * minute);
  await store.write(async ({ contacts, systemMails }) => {
    await contacts.insert(aContact("ann"));
    await systemMails.insert(aWelcome("ann", { createdAt: clock.now() }));
  });
  await clock.advance(1000);
  await waitFor("it is there", () => bench.server.mails.length === 1);
});

test("while the mail server is down a mail waits, and goes out once, under one id, when it is up", async () => {
  const clock = fakeClock();
  await using store = await storeWithMails({ clock });
  await using bench = await mailQueueHarness(clock);
  const failed = (count: number): Promise<unknown> =>
    waitFor(
      `${count} attempts failed`,
      () => bench.events.filter((event) => event === "notifier.mail_retry").length === count,
    );
  bench.server.behave({ drop: "connect" });
  bench.start(store);
  await failed(1);
  bench.server.behave({ refuse: { data: [451, "4.3.0 not now"] } });
  await clock.advance(5000);
  await failed(2);
  bench.server.behave({});
  await clock.advance(9000);
  assert.deepEqual(bench.server.mails, []);
  await clock.advance(1000);
  await waitFor("it is gone", () => isEmpty(store));
  assert.deepEqual(
    [...bench.server.refusedMails, ...bench.server.mails].map(({ raw }) =>
      headerOf(raw, "message-id"),
    ),
    ["<welcome-to-ann@watch.example.org>", "<welcome-to-ann@watch.example.org>"],
  );
});

test("a mail server that never answers is given a minute, and the mail another attempt", async () => {
  const clock = fakeClock();
  await using store = await storeWithMails({ clock });
  await using bench = await mailQueueHarness(clock);
  bench.server.behave({ hang: "data" });
  bench.start(store);
  await waitFor("it is under way", () => bench.server.reached.includes("data"));
  await clock.advance(minute);
  await waitFor("it ended", () => bench.events.includes("notifier.mail_retry"));
  assert.equal(isEmpty(store), false);
});

test("a mail that is refused for good is dropped, logged and counted", async () => {
  const clock = fakeClock();
  await using store = await storeWithMails({ clock });
  await using bench = await mailQueueHarness(clock);
  bench.server.behave({ refuse: { rcpt: [550, "5.1.1 no such user here"] } });
  bench.start(store);
  await waitFor("it is gone", () => isEmpty(store));
  assert.deepEqual(bench.events, ["notifier.mail_failed", "counted notifier.mail_failed"]);
});

test("a mail that nobody takes for six hours is dropped after a last attempt", async () => {
  const clock = fakeClock();
  await using store = await storeWithMails({ clock });
  await using bench = await mailQueueHarness(clock);
  const tried: number[] = [];
  bench.start(store, {
    async send() {
      tried.push(clock.now());
      throw new DeliveryFailed("down", { retryable: true });
    },
  });
  const end = clock.now() + maxRetryMs;
  await stepUntil("it is dropped", async () => {
    await clock.advance(minute);
    return isEmpty(store);
  });
  assert.ok(tried.length > 1);
  assert.equal(
    tried.findIndex((at) => at >= end),
    tried.length - 1,
  );
  assert.deepEqual(bench.events.slice(-2), [
    "notifier.mail_failed",
    "counted notifier.mail_failed",
  ]);
});

test("a mail is tried again though the clock was set forward, during its attempt or after", async () => {
  const clock = fakeClock();
  await using store = await storeWithMails({ clock });
  await using bench = await mailQueueHarness(clock);
  const setForward = (): Promise<void> =>
    store.write(async (tx) => {
      await shiftTimes(tx, { byMs: maxRetryMs, now: clock.now() + maxRetryMs });
      clock.step(maxRetryMs);
    });
  let attempts = 0;
  bench.start(store, {
    async send() {
      attempts += 1;
      if (attempts === 1) await setForward();
      if (attempts < 4) throw new DeliveryFailed("down", { retryable: true });
    },
  });
  const retries = (): number => bench.events.filter((each) => each === RETRY).length;
  await waitFor("it is tried again later", () => retries() === 1);
  await setForward();
  await stepUntil("it is sent", async () => {
    await clock.advance(1000);
    return isEmpty(store);
  });
  assert.equal(attempts, 4);
  assert.equal(retries(), 3);
});

const RETRY = "notifier.mail_retry";

test("two queues over one store send each mail once", async () => {
  const clock = fakeClock();
  const contactIds = Array.from({ length: 20 }, (_, index) => `contact${index}`);
  await using store = await storeWithMails({ clock }, contactIds);
  await using bench = await mailQueueHarness(clock);
  bench.start(store);
  bench.start(store);
  await waitFor("all are gone", () => isEmpty(store));
  assert.deepEqual(
    bench.server.mails.flatMap(({ to }) => to).toSorted(),
    contactIds.map((id) => `${id}@example.net`).toSorted(),
  );
});

test("a mail outlives a crash, before its attempt and in the middle of it", async () => {
  const clock = fakeClock();
  const sealer = createSealer(randomBytes(32));
  await using store = await storeWithMails({ clock, sealer }, ["ann", "ben"]);
  await store.write(({ systemMails }) => systemMails.claim({ leaseMs }));
  const directory = await mkdtemp(join(tmpdir(), "watchpost-"));
  await cp(store.directory, directory, { recursive: true });
  const reopened = await openSqliteStore({ directory, clock, sealer, log: silentLog });
  {
    await using bench = await mailQueueHarness(clock);
    bench.start(reopened);
    await waitFor("one is there", () => bench.server.mails.length === 1);
    await clock.advance(leaseMs);
    await waitFor("both are gone", () => isEmpty({ directory }));
    assert.deepEqual(
      bench.server.mails.flatMap(({ to }) => to),
      ["ben@example.net", "ann@example.net"],
    );
  }
  await reopened.close();
  await rm(directory, { recursive: true });
});

test("a mail that went out while the store broke is not sent again, and removed when the store is back", async () => {
  const clock = fakeClock();
  await using database = await storeWithMails({ clock });
  await using bench = await mailQueueHarness(clock);
  let broken = false;
  const store: Store = {
    ...database,
    write: (unit) => (broken ? Promise.reject(new Unavailable("disk full")) : database.write(unit)),
  };
  const sent: string[] = [];
  const sender: SystemMailSender = {
    async send({ id }) {
      sent.push(id);
      broken = true;
    },
  };
  bench.start(store, sender);
  await waitFor("the queue has failed", () => bench.events.includes("notifier.mail_queue_failed"));
  broken = false;
  await clock.advance(leaseMs + minute);
  await waitFor("it is gone", () => isEmpty(database));
  assert.deepEqual(sent, ["welcome-to-ann"]);
});

test("a queue that is stopped ends its attempt, and the mail stays for the next start", async () => {
  const clock = fakeClock();
  await using store = await storeWithMails({ clock });
  await using bench = await mailQueueHarness(clock);
  bench.server.behave({ hang: "data" });
  const { stop } = bench.start(store);
  await waitFor("it is under way", () => bench.server.reached.includes("data"));
  await stop();
  assert.equal(isEmpty(store), false);
});

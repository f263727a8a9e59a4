import assert from "node:assert/strict";
import { test } from "node:test";

import {
  hookAddress,
  notifierHarness,
  type NotifierHarness,
} from "../../../test/harnesses/notifier-harness.ts";
import { headerOf, partOf, smtpPeer, type SmtpPeer } from "../../../test/peers/smtp.ts";
import { receiverPeer, type ReceivedRequest } from "../../../test/peers/webhook-receiver.ts";
import { aContact, alice, anAddress, minute } from "../../../test/record-builders.ts";
import { createEmailChannel } from "../../channels/email.ts";
import { createMailer } from "../../channels/mail/mailer.ts";
import { createSenders } from "../../channels/mail/senders.ts";
import { createUnsubscribeLinks } from "../../channels/mail/unsubscribe.ts";
import { createWebhookChannel } from "../../channels/webhook.ts";
import type { Channel } from "../../channels/channel.ts";
import type { Address, WebhookRequest } from "../../domain/contact/contact.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import { DeliveryFailed, Unavailable } from "../../kit/errors.ts";
import type { Store } from "../../store/store.ts";

const url = "https://watch.example.org/";
const sealer = createSealer(new Uint8Array(32));

function settings(word: string): WebhookRequest {
  return {
    action: "put",
    headers: { "X-Room": `${word} {label}`, Authorization: `Bearer ${word}` },
    querystrings: { q: `${word} {label}` },
    data: { text: `${word} {label} {event}` },
  };
}

/** All that the receiver gets but what names and signs the attempt. */
function stable({ method, path, headers, body }: ReceivedRequest): unknown {
  const {
    "webhook-timestamp": _,
    "webhook-signature": __,
    "watchpost-attempt": ___,
    ...kept
  } = headers;
  return { method, path, headers: kept, body };
}

/** Changes all that a message is rendered from: the address's settings, the label of the check, and the account's branding. */
async function changeEverything(harness: NotifierHarness, address: Address): Promise<void> {
  const [check] = harness.checks;
  assert.ok(check);
  await harness.store.write(async (tx) => {
    await tx.contacts.update(aContact("ann", { addresses: [address] }));
    await tx.checks.update({ ...check, label: "renamed" }, harness.clock.now());
    const changes = {
      timeZone: "+05:00",
      branding: { from: "Other", downSubject: "other {label}", firstText: "other {label}" },
    };
    await tx.accounts.update({ ...alice, ...changes }, harness.clock.now());
  });
}

/** No time passes, so that a slow receiver does not outlast the attempt. */
const untilRetry = (harness: NotifierHarness): Promise<void> =>
  harness.until("the first attempt failed", () => harness.events.includes("notifier.retry"), 0);

const untilDelivered = (harness: NotifierHarness): Promise<void> =>
  harness.until("it is delivered", async () =>
    (await harness.ends()).every((end) => end.endsWith("delivered")),
  );

for (const { name, request, changed } of [
  { name: "its own template", request: settings("old"), changed: settings("new") },
  { name: "the payload", request: undefined, changed: settings("new") },
  { name: "a template that is gone", request: settings("old"), changed: undefined },
]) {
  test(`a webhook with ${name} is sent again as it was, whatever was changed meanwhile`, async () => {
    await using receiver = await receiverPeer();
    const address = hookAddress("ann", { address: `${receiver.url}/{label}`, request });
    await using harness = await notifierHarness({
      channel: createWebhookChannel({ sealer, url }),
      addresses: [address],
    });
    receiver.reply({ status: 503 });
    await harness.flip(undefined, "failing");
    await untilRetry(harness);
    await changeEverything(harness, { ...address, request: changed });
    receiver.reply({ status: 200 });
    await untilDelivered(harness);
    const [first, second] = receiver.requests;
    assert.ok(first && second);
    assert.deepEqual(stable(second), stable(first));
    assert.equal(second.headers["watchpost-attempt"], "2");
  });
}

test("a webhook that leads elsewhere by the next attempt is rendered for where it leads", async () => {
  await using receiver = await receiverPeer();
  const address = hookAddress("ann", { address: `${receiver.url}/a`, request: settings("old") });
  await using harness = await notifierHarness({
    channel: createWebhookChannel({ sealer, url }),
    addresses: [address],
  });
  receiver.reply({ status: 503 });
  await harness.flip(undefined, "failing");
  await untilRetry(harness);
  const moved = { ...address, address: `${receiver.url}/b`, request: settings("new") };
  await changeEverything(harness, moved);
  receiver.reply({ status: 200 });
  await untilDelivered(harness);
  assert.deepEqual(
    receiver.requests.map(({ path, body }) => [path, JSON.parse(body).text]),
    [
      ["/a?q=old%20check0", "old check0 first"],
      ["/b?q=new%20check0", "new check0 first"],
    ],
  );
});

function mailChannel(server: SmtpPeer): Channel {
  const senders = createSenders({ own: "Watchpost <watchpost@example.org>", domains: [] });
  return createEmailChannel({
    mailer: createMailer({ url: new Secret(`${server.url}/`), senders }),
    unsubscribing: createUnsubscribeLinks({ sealer, url }),
  });
}

/** All of a mail but its date and the boundary of its parts. */
function contentOf(raw: string): unknown {
  const names = ["from", "to", "subject", "message-id", "x-watchpost-alerts", "list-unsubscribe"];
  return [
    ...names.map((name) => headerOf(raw, name)),
    partOf(raw, "text/plain"),
    partOf(raw, "text/html"),
  ];
}

test("a mail is sent again as it was, whatever was changed meanwhile", async () => {
  await using server = await smtpPeer({ refuse: { data: [451, "later"] } });
  await using harness = await notifierHarness({
    channel: mailChannel(server),
    account: { branding: { firstSubject: "ours {label}", from: "Shop alerts" } },
    addresses: [anAddress("ann")],
  });
  await harness.flip(undefined, "failing");
  await untilRetry(harness);
  await changeEverything(harness, anAddress("ann"));
  server.behave({});
  await untilDelivered(harness);
  const [first, second] = [server.refusedMails[0]?.raw ?? "", server.mails[0]?.raw ?? ""];
  assert.deepEqual(contentOf(second), contentOf(first));
  assert.equal(headerOf(second, "subject"), "ours check0");
});

const later = new DeliveryFailed("503 later", { retryable: true });

/** Creates a channel whose renderings all differ and whose first attempts fail. */
function changingChannel(failures: number) {
  const sent: string[] = [];
  let renderings = 0;
  const base = createWebhookChannel({ sealer, url });
  const channel: Channel = {
    ...base,
    render: () => ({ subject: "", body: `rendering ${(renderings += 1)}` }),
    async send({ message }) {
      sent.push(message.body);
      if (sent.length <= failures) throw later;
      return { response: "200 OK" };
    },
  };
  return { channel, sent };
}

test("an attempt whose process died is made again as it was", async () => {
  const { channel, sent } = changingChannel(0);
  const hanging: Channel = {
    ...channel,
    send: async (outgoing, context) => {
      await channel.send(outgoing, context);
      return sent.length === 1 ? new Promise(() => {}) : { response: "200 OK" };
    },
  };
  await using harness = await notifierHarness({ channel: hanging });
  await harness.flip(undefined, "failing");
  await harness.until("it is under way", () => sent.length === 1);
  const stopping = new AbortController();
  // The first one never comes back: its lease expires, and another claims the alert.
  const run = harness.another().run(stopping.signal);
  await harness.until("another has sent it", () => sent.length === 2, 1000);
  assert.deepEqual(sent, ["rendering 1", "rendering 1"]);
  stopping.abort();
  await Promise.all([run, harness.clock.advance(minute)]);
});

test("while the store cannot commit an alert is sent again as it was, and that is saved afterwards", async () => {
  let isBroken = true;
  const wrap = (store: Store): Store => ({
    ...store,
    write: (unit) => (isBroken ? Promise.reject(new Unavailable("disk full")) : store.write(unit)),
  });
  const { channel, sent } = changingChannel(3);
  await using harness = await notifierHarness({ channel, wrap });
  await harness.flip(undefined, "failing");
  await harness.until("it is tried twice", () => sent.length === 2);
  isBroken = false;
  await untilDelivered(harness);
  assert.deepEqual(
    sent,
    Array.from({ length: 4 }, () => "rendering 1"),
  );
  const [notification] = await harness.notifications();
  assert.equal(notification?.body, "rendering 1");
});

test("a message goes out though it cannot be saved, and is saved with the end of its attempt", async () => {
  let refused = 0;
  const wrap = (store: Store): Store => ({
    ...store,
    write: (unit) =>
      store.write((tx) => {
        const setRendered: typeof tx.alerts.setRendered = (...rendered) => {
          refused += 1;
          return refused === 1
            ? Promise.reject(new Error("no such column"))
            : tx.alerts.setRendered(...rendered);
        };
        return unit({ ...tx, alerts: { ...tx.alerts, setRendered } });
      }),
  });
  const { channel, sent } = changingChannel(1);
  await using harness = await notifierHarness({ channel, wrap });
  await harness.flip(undefined, "failing");
  await untilDelivered(harness);
  assert.deepEqual(sent, ["rendering 1", "rendering 1"]);
  assert.ok(harness.events.includes("notifier.save_failed"));
});

test("an alert of which the store cannot say whether it was rendered waits for the next round", async () => {
  let asked = 0;
  const wrap = (store: Store): Store => ({
    ...store,
    alerts: {
      ...store.alerts,
      findRendered(alertIds) {
        asked += 1;
        return asked === 1
          ? Promise.reject(new Error("disk full"))
          : store.alerts.findRendered(alertIds);
      },
    },
  });
  const { channel, sent } = changingChannel(0);
  await using harness = await notifierHarness({ channel, wrap });
  await harness.flip(undefined, "failing");
  await untilDelivered(harness);
  assert.deepEqual(sent, ["rendering 1"]);
  assert.ok(harness.events.includes("notifier.error"));
});

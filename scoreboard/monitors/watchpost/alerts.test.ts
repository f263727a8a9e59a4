import assert from "node:assert/strict";
import { test } from "node:test";

import type { AlertContext } from "../../../src/channels/channel.ts";
import { createEmailChannel } from "../../../src/channels/email.ts";
import { createMailer } from "../../../src/channels/mail/mailer.ts";
import { createSenders } from "../../../src/channels/mail/senders.ts";
import { createUnsubscribeLinks } from "../../../src/channels/mail/unsubscribe.ts";
import { payloadOf } from "../../../src/channels/webhook/payload.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { createSealer } from "../../../src/kit/crypto/seal.ts";
import { Secret } from "../../../src/kit/crypto/secret.ts";
import { createEgress } from "../../../src/kit/net/egress.ts";
import { createResolver } from "../../../src/kit/net/resolver.ts";
import { outgoingOf } from "../../../test/contracts/channel.ts";
import { smtpPeer } from "../../../test/peers/smtp.ts";
import { sampleAlertContext, sampleNotice } from "../../../test/sample-alert.ts";
import { headersOf } from "../../world/receivers.ts";
import { readAlert } from "./alerts.ts";

type Kind = Parameters<typeof sampleAlertContext>[0];

function alertOf(kind: Kind, label: string): AlertContext {
  const { check } = sampleNotice(kind);
  const changes = { check: { ...check, label, target: `http://${label}.sites.test/` } };
  const context = sampleAlertContext(kind, changes, { address: "ann@example.com" });
  return { ...context, alert: { ...context.alert, id: `alert-${label}`, outage: label } };
}

/** Parses the mail that the program sends for these alerts. */
async function readMail(
  ...[head, ...rest]: readonly [AlertContext, ...AlertContext[]]
): Promise<readonly (readonly [string, string])[]> {
  await using server = await smtpPeer();
  const url = "https://watch.example.org/";
  const senders = createSenders({ own: "Watchpost <watchpost@example.org>", domains: [] });
  const channel = createEmailChannel({
    mailer: createMailer({ url: new Secret(`${server.url}/`), senders }),
    unsubscribing: createUnsubscribeLinks({ sealer: createSealer(new Uint8Array(32)), url }),
  });
  const message =
    rest.length === 0 ? channel.render(head) : channel.renderDigest?.([head, ...rest], "bundle");
  assert.ok(message !== undefined);
  await channel.send(outgoingOf(head, message), {
    signal: new AbortController().signal,
    egress: createEgress({ mode: "private", resolver: createResolver() }),
    clock: systemClock,
    attempt: 1,
  });
  channel.close();
  const [start = "", ...body] = (server.mails[0]?.raw ?? "").split("\r\n\r\n");
  const readings = readAlert({
    way: "mail",
    headers: headersOf(start),
    body: body.join("\r\n\r\n"),
  });
  for (const { state, reason, began } of readings) {
    if (state === "down") assert.match(reason, /503|200/);
    if (state === "past")
      assert.deepEqual([began, /before this could be delivered/.test(reason)], ["00:00", true]);
  }
  return readings.map(({ target, state }) => [target, state] as const);
}

const cases: readonly { readonly kind: Kind; readonly states: readonly string[] }[] = [
  { kind: "down", states: ["down"] },
  { kind: "up", states: ["up"] },
  { kind: "first", states: ["down"] },
  { kind: "missed", states: ["past"] },
  { kind: "reminder", states: [] },
  { kind: "acknowledged", states: [] },
];

for (const { kind, states } of cases)
  test(`an alert of kind ${kind} says ${states.join(", ") || "nothing new"}, by mail and by webhook`, async () => {
    const expected = states.map((state) => ["shop-1", state]);
    assert.deepEqual(await readMail(alertOf(kind, "shop-1")), expected);
    const body = JSON.stringify(payloadOf(alertOf(kind, "shop-1")));
    const read = readAlert({ way: "webhook", body, headers: {} });
    assert.deepEqual(
      read.map(({ target, state }) => [target, state]),
      expected,
    );
  });

test("a mail of several says of each what it is", async () => {
  const read = await readMail(
    alertOf("down", "shop-1"),
    alertOf("up", "shop-2"),
    alertOf("missed", "shop-3"),
    alertOf("down", "shop-4"),
  );
  assert.deepEqual(
    new Set(read.map((one) => one.join(" "))),
    new Set(["shop-1 down", "shop-2 up", "shop-3 past", "shop-4 down"]),
  );
  assert.equal(read.length, 4);
});

test("a mail of several with one state says it of each", async () => {
  const read = await readMail(alertOf("up", "shop-1"), alertOf("up", "shop-2"));
  assert.deepEqual(read, [
    ["shop-1", "up"],
    ["shop-2", "up"],
  ]);
});

test("a webhook of several says what each says", () => {
  const alerts = [payloadOf(alertOf("down", "shop-1")), payloadOf(alertOf("up", "shop-2"))];
  const body = JSON.stringify({ schema_version: 1, type: "checks.first", alerts });
  assert.deepEqual(
    readAlert({ way: "webhook", body, headers: {} }).map(({ target, state }) => [target, state]),
    [
      ["shop-1", "down"],
      ["shop-2", "up"],
    ],
  );
});

test("what else comes is no alarm", () => {
  assert.deepEqual(readAlert({ way: "mail", headers: { subject: "Welcome" }, body: "Hello" }), []);
});

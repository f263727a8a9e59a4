import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { test } from "node:test";

import { createEgress } from "../kit/net/egress.ts";
import { systemClock } from "../kit/clock.ts";
import { createResolver } from "../kit/net/resolver.ts";
import { createSealer } from "../kit/crypto/seal.ts";
import {
  channelContract,
  failureOf,
  sendBy,
  outgoingOf,
  type ChannelHarness,
} from "../../test/contracts/channel.ts";
import { drainEventLoop, fakeClock } from "../../test/time/fake-clock.ts";
import { selfSigned } from "../../test/peers/certificates.ts";
import { receiverPeer, type Receiver, type Reply } from "../../test/peers/webhook-receiver.ts";
import { sampleAlert, sampleAlertContext } from "../../test/sample-alert.ts";
import { createOwnListener } from "../kit/net/own-listener.ts";
import { alertsToItself } from "../kit/net/own-policy.ts";
import { createWebhookChannel } from "./webhook.ts";
import { fullPeer } from "../../test/peers/tcp.ts";

const OWN_URL = "https://watch.example.org/";
const sealer = createSealer(new Uint8Array(32));

interface HookBench extends ChannelHarness {
  readonly receiver: Receiver;
}

async function hookBench(reply: Reply = { status: 200, body: "thanks" }): Promise<HookBench> {
  const receiver = await receiverPeer();
  receiver.reply(reply);
  const replies: Readonly<Record<string, Reply>> = {
    refuse: { status: 400 },
    defer: { status: 503 },
    hang: "hang",
    break: "break",
  };
  let left = false;
  const leave = async (): Promise<void> => {
    if (!left) await receiver[Symbol.asyncDispose]();
    left = true;
  };
  return {
    receiver,
    channel: createWebhookChannel({ sealer, url: OWN_URL }),
    address: `${receiver.url}/alerts?key=1`,
    arrived: () =>
      receiver.requests.map(({ headers, body }) => ({
        id: String(headers["webhook-id"]),
        words: body,
      })),
    behave: (manner) => receiver.reply(replies[manner] ?? { status: 200 }),
    leave,
    [Symbol.asyncDispose]: leave,
  };
}

channelContract("webhook", {
  harness: () => hookBench(),
  goodAddresses: [
    "https://example.com/alerts",
    "http://10.0.0.1:8080/?a=b",
    "https://user:secret@example.com/",
    "https://example.com/{label}?event={event}&{if message}m={message}{/if}",
    "https://example.com?{label}",
  ],
  badAddresses: [
    "",
    "example.com",
    "ftp://example.com/",
    "file:///etc/passwd",
    "https://",
    "https://watch.example.org/v1?id=1",
    "https://{label}.example.com/",
    "https://{label}@example.com/",
    "https://example.com:{runtime}/",
    "https://example.com{if label}.evil.example/{/if}",
    "https://example.com\\{label}",
    "https:example.com/{label}",
    "{label}://example.com/",
    `https://example.com/${"a".repeat(2000)}`,
  ],
});

test("a webhook is a POST of the documented envelope under the documented headers", async () => {
  await using bench = await hookBench();
  const context = sampleAlertContext("up");
  const { response } = await sendBy(bench, context, { attempt: 3 });
  assert.equal(response, "200 OK: thanks");
  const [request] = bench.receiver.requests;
  assert.deepEqual([request?.method, request?.path], ["POST", "/alerts?key=1"]);
  assert.equal(request?.headers["content-type"], "application/json; charset=utf-8");
  assert.equal(request?.headers["user-agent"], "Watchpost");
  assert.equal(request?.headers["webhook-id"], context.alert.id);
  assert.equal(request?.headers["watchpost-attempt"], "3");
  assert.ok(
    Math.abs(Number(request?.headers["webhook-timestamp"]) - systemClock.now() / 1000) < 60,
  );
  assert.deepEqual(JSON.parse(request?.body ?? ""), {
    schema_version: 1,
    id: context.alert.id,
    type: "check.up",
    created_at: Date.UTC(2026, 0, 5, 12, 12, 1, 120),
    account: { id: "202601051200ALICE", name: "Alice" },
    check: {
      id: "202601051200ALICE-SHOP0001",
      label: "Shop",
      type: "HTTP",
      target: "https://shop.example.com/",
      interval: 1,
    },
    state: {
      now: "up",
      previous: "down",
      since: Date.UTC(2026, 0, 5, 12, 12),
      duration_ms: 720_000,
    },
    result: {
      id: `202601051200ALICE-SHOP0001-${Date.UTC(2026, 0, 5, 12, 12, 1)}`,
      s: Date.UTC(2026, 0, 5, 12, 12, 1),
      e: Date.UTC(2026, 0, 5, 12, 12, 1, 120),
      rt: 120,
      sc: "200",
      m: "Success",
      evidence: null,
      certificate: null,
    },
    confirmations: [
      { location: "fra", at: Date.UTC(2026, 0, 5, 12, 12), ok: true, message: "Success" },
      { location: "nyc", at: Date.UTC(2026, 0, 5, 12, 12, 1), ok: true, message: "Success" },
    ],
    dedup_key: `202601051200ALICE-SHOP0001-${Date.UTC(2026, 0, 5, 12)}`,
    reminder: null,
    acknowledgement: null,
    late: null,
    links: {
      installation: OWN_URL,
      page: null,
      check: `${OWN_URL}#202601051200ALICE-SHOP0001`,
      acknowledge: null,
    },
  });
});

for (const request of [
  undefined,
  { action: "PUT", headers: undefined, querystrings: undefined, data: "{label} é" },
  { action: "get", headers: undefined, querystrings: undefined, data: undefined },
]) {
  test(`a webhook is signed over the body that arrives, called by ${request?.action ?? "its envelope"}`, async () => {
    await using bench = await hookBench();
    const context = sampleAlertContext("down", {}, { request });
    await sendBy(bench, context);
    const [received] = bench.receiver.requests;
    assert.ok(received);
    const { headers, body } = received;
    const secret = bench.channel.signingSecretOf?.(context.to) ?? "";
    const key = Buffer.from(secret.replace("whsec_", ""), "base64");
    const said = `${String(headers["webhook-id"])}.${String(headers["webhook-timestamp"])}.${body}`;
    const expected = createHmac("sha256", key).update(said).digest("base64");
    assert.equal(headers["webhook-signature"], `v1,${expected}`);
  });
}

test("the beginning and the end of an outage share their key, and a first result that is up has none", () => {
  const { render } = createWebhookChannel({ sealer, url: OWN_URL });
  const keyOf = (context: Parameters<typeof render>[0]): unknown =>
    JSON.parse(render(context).body).dedup_key;
  assert.equal(keyOf(sampleAlertContext("down")), keyOf(sampleAlertContext("up")));
  assert.equal(keyOf(sampleAlertContext("first")), keyOf(sampleAlertContext("up")));
  assert.equal(keyOf(sampleAlertContext("first", { state: "passing" })), null);
});

test("an alert that goes out under another kind says that kind", () => {
  const { render } = createWebhookChannel({ sealer, url: OWN_URL });
  assert.equal(
    JSON.parse(render({ ...sampleAlertContext("first"), kind: "down" }).body).type,
    "check.down",
  );
});

test("a webhook is called with the method, headers, parameters and body of its address", async () => {
  await using bench = await hookBench();
  const request = {
    action: "put",
    headers: { Authorization: "Bearer s3cret", "X-Title": "{label} → {event}" },
    querystrings: { check: "{_id}" },
    data: { text: "{label}: {message}" },
  };
  const context = sampleAlertContext("down", {}, { request });
  await sendBy(bench, context, { attempt: 2 });
  await sendBy(bench, context, { attempt: 3 });
  const [received, again] = bench.receiver.requests;
  assert.deepEqual(
    [received?.method, received?.path, received?.body],
    [
      "PUT",
      "/alerts?key=1&check=202601051200ALICE-SHOP0001",
      '{"text":"Shop: HTTP status returned: 503"}',
    ],
  );
  const { headers = {} } = received ?? {};
  assert.equal(headers.authorization, "Bearer s3cret");
  assert.equal(Buffer.from(String(headers["x-title"]), "latin1").toString(), "Shop → down");
  assert.equal(headers["content-type"], "application/json; charset=utf-8");
  assert.equal(headers["user-agent"], "Watchpost");
  assert.equal(headers["webhook-id"], context.alert.id);
  assert.equal(headers["watchpost-attempt"], "2");
  assert.equal(again?.body, received?.body);
});

for (const action of ["GET", "head"]) {
  test(`a webhook that is called by ${action} gets no body, and what is shown of it has no headers`, async () => {
    await using bench = await hookBench({ status: 200 });
    const request = {
      action,
      headers: { Authorization: "Bearer s3cret", "User-Agent": "mine" },
      querystrings: undefined,
      data: "{label}",
    };
    const context = sampleAlertContext("down", {}, { request });
    await sendBy(bench, context);
    const [received] = bench.receiver.requests;
    assert.deepEqual([received?.method, received?.body], [action.toUpperCase(), ""]);
    assert.equal(received?.headers["content-type"], undefined);
    assert.equal(received?.headers["user-agent"], "mine");
    assert.equal(received?.headers["webhook-id"], context.alert.id);
    const { subject, body } = bench.channel.render(context);
    assert.deepEqual([subject, body], ["DOWN: Shop", ""]);
  });
}

// guard: webhooks never lead to this installation
test("a label cannot lead a webhook to this installation itself", async () => {
  await using receiver = await receiverPeer();
  const channel = createWebhookChannel({ sealer, url: `${receiver.url}/watch` });
  const { check } = sampleAlert("down").notice;
  const context = sampleAlertContext("down", { check: { ...check, label: "watch" } });
  const failure = await failureOf(sendBy({ channel, address: `${receiver.url}/{label}` }, context));
  assert.match(failure.message, /must not be this installation itself/);
  assert.equal(failure.retryable, false);
  assert.deepEqual(receiver.requests, []);
});

for (const { status, retryable, mayHaveArrived = false, address } of [
  { status: 301, retryable: false, address: "refused" },
  { status: 307, retryable: false, address: "refused" },
  { status: 400, retryable: false, address: "refused" },
  { status: 401, retryable: false, address: "refused" },
  { status: 404, retryable: false, address: "refused" },
  { status: 408, retryable: true },
  { status: 410, retryable: false, address: "gone" },
  { status: 425, retryable: true },
  { status: 429, retryable: true },
  { status: 500, retryable: true },
  { status: 502, retryable: true, mayHaveArrived: true },
  { status: 503, retryable: true },
  { status: 504, retryable: true, mayHaveArrived: true },
]) {
  test(`an answer of ${status}: retryable ${retryable}, may have arrived ${mayHaveArrived}, address ${address}`, async () => {
    await using elsewhere = await receiverPeer();
    await using bench = await hookBench({
      status,
      headers: { location: elsewhere.url },
      body: "why",
    });
    const failure = await failureOf(sendBy(bench, sampleAlertContext("down")));
    assert.deepEqual(
      [failure.retryable, failure.mayHaveArrived, failure.address],
      [retryable, mayHaveArrived, address],
    );
    assert.match(failure.message, new RegExp(`^${status} .*: why`));
    assert.equal(bench.receiver.requests.length, 1);
    assert.deepEqual(elsewhere.requests, []);
  });
}

for (const status of [200, 201, 202, 204]) {
  test(`an answer of ${status} takes the alert`, async () => {
    await using bench = await hookBench({ status });
    assert.match(
      (await sendBy(bench, sampleAlertContext("down"))).response,
      new RegExp(`^${status}`),
    );
  });
}

test("a redirect's failure says that none is followed", async () => {
  await using bench = await hookBench({
    status: 302,
    headers: { location: "http://127.0.0.1:1/" },
  });
  assert.equal(
    (await failureOf(sendBy(bench, sampleAlertContext("down")))).message,
    "302 Found (redirects are not followed)",
  );
});

test("Retry-After is passed on", async () => {
  await using bench = await hookBench({ status: 429, headers: { "retry-after": "120" } });
  assert.equal((await failureOf(sendBy(bench, sampleAlertContext("down")))).retryAfterMs, 120_000);
});

test("the answer is kept as one line of at most 500 characters", async () => {
  await using bench = await hookBench({
    status: 400,
    body: `bad\r\n\u0007\u202Ething ${"x".repeat(100_000)}`,
  });
  const { message } = await failureOf(sendBy(bench, sampleAlertContext("down")));
  assert.match(message, /^400 Bad Request: bad thing x+…$/);
  assert.ok(message.length <= 520);
});

// guard: egress of connections
test("an address that the egress policy refuses is never dialled, and not tried again", async () => {
  await using bench = await hookBench();
  const egress = createEgress({ mode: "public", resolver: createResolver() });
  const { channel, address } = bench;
  const context = sampleAlertContext("down", {}, { address });
  const sending = channel.send(outgoingOf(context, channel.render(context)), {
    signal: new AbortController().signal,
    egress,
    clock: systemClock,
    attempt: 1,
  });
  const failure = await failureOf(sending);
  assert.deepEqual([failure.retryable, failure.mayHaveArrived], [false, false]);
  assert.equal(bench.receiver.accepted(), 0);
});

test("a host that is not reached within ten seconds ends the attempt, and nothing was sent", async () => {
  await using deaf = await fullPeer();
  await using bench = await hookBench();
  const { channel } = bench;
  const clock = fakeClock();
  const address = `http://${deaf.host}:${deaf.port}/`;
  const context = sampleAlertContext("down", {}, { address });
  const failed = failureOf(
    channel.send(outgoingOf(context, channel.render(context)), {
      signal: new AbortController().signal,
      egress: createEgress({ mode: "private", resolver: createResolver() }),
      clock,
      attempt: 1,
    }),
  );
  await clock.advance(10_000);
  const { retryable, mayHaveArrived } = await failed;
  assert.deepEqual([retryable, mayHaveArrived], [true, false]);
});

for (const code of ["ECONNREFUSED", "EMFILE", "ENFILE", "dns_failure", "unavailable"]) {
  test(`after ${code} nothing was sent, and it is tried again`, async () => {
    await using bench = await hookBench();
    const { channel, address } = bench;
    const trouble = Object.assign(new Error("no socket"), { code });
    const context = sampleAlertContext("down", {}, { address });
    const sending = channel.send(outgoingOf(context, channel.render(context)), {
      signal: new AbortController().signal,
      egress: { resolve: () => Promise.reject(trouble), isPublic: () => false },
      clock: systemClock,
      attempt: 1,
    });
    const failure = await failureOf(sending);
    assert.deepEqual([failure.retryable, failure.mayHaveArrived], [true, false]);
  });
}

test("an installation below a path shares its origin with other receivers", () => {
  const channel = createWebhookChannel({ sealer, url: "https://example.com/watch" });
  for (const own of ["https://example.com/watch", "https://example.com/watch/v1?id=1"])
    assert.throws(() => channel.parseAddress(own), { code: "invalid_input" });
  for (const other of ["https://example.com/", "https://example.com/watchers"])
    assert.equal(channel.parseAddress(other), other);
});

test("no spelling of the installation's own name is another", () => {
  const channel = createWebhookChannel({ sealer, url: "https://watch.example.org:8443/" });
  for (const host of ["WATCH.example.org", "watch.example.org.", "watch。example.org"])
    for (const user of ["", "user@"])
      assert.throws(() => channel.parseAddress(`https://${user}${host}:8443/v1`), {
        message: /must not be this installation itself/,
      });
});

for (const host of [
  "localhost",
  "LOCALHOST.",
  "alerts.localhost",
  "127.0.0.1",
  "127.1",
  "0x7f000001",
  "0.0.0.0",
  "0",
  "[::]",
  "[::1]",
  "[::ffff:127.0.0.1]",
  "[64:ff9b::7f00:1]",
  "192.0.2.7",
  "[::ffff:192.0.2.7]",
  "[2001:db8::7]",
]) {
  // guard: spellings of this installation
  test(`a webhook to ${host} at our own port is refused, and at another port is not`, () => {
    const listener = createOwnListener(undefined, () => ["127.0.0.1", "192.0.2.7", "2001:db8::7"]);
    listener.listensAt(4848);
    const channel = createWebhookChannel({ sealer, url: OWN_URL, listener });
    assert.throws(() => channel.parseAddress(`http://${host}:4848/v1?id=1`), {
      code: "invalid_input",
      message: /^must not be this installation itself/,
    });
    const other = `http://${host}:4849/v1?id=1`;
    assert.equal(channel.parseAddress(other), other);
  });
}

// guard: names of this installation
test("a name that leads to our own listener is refused when it is dialled, and not tried again", async () => {
  await using receiver = await receiverPeer();
  const listener = createOwnListener();
  listener.listensAt(Number(new URL(receiver.url).port));
  const egress = createEgress({
    mode: "private",
    resolver: { resolve: async () => ["127.0.0.1"] },
    own: alertsToItself(listener),
  });
  const channel = createWebhookChannel({ sealer, url: OWN_URL, listener });
  const address = receiver.url.replace("127.0.0.1", "elsewhere.example");
  assert.equal(channel.parseAddress(address), address);
  const context = sampleAlertContext("down", {}, { address });
  const failure = await failureOf(
    channel.send(outgoingOf(context, channel.render(context)), {
      signal: new AbortController().signal,
      egress,
      clock: systemClock,
      attempt: 1,
    }),
  );
  assert.deepEqual(
    [failure.message, failure.retryable, failure.mayHaveArrived, receiver.accepted()],
    ['alerts are never sent to this installation itself: "elsewhere.example"', false, false, 0],
  );
});

test("an address that came to be our own is not dialled", async () => {
  await using receiver = await receiverPeer();
  const channel = createWebhookChannel({ sealer, url: `${receiver.url}/` });
  const failure = await failureOf(
    sendBy({ channel, address: `${receiver.url}/v1?id=1` }, sampleAlertContext("down")),
  );
  assert.equal(failure.retryable, false);
  assert.equal(receiver.accepted(), 0);
});

test("a certificate that does not fit stops the alert before it leaves", async () => {
  await using receiver = await receiverPeer(selfSigned());
  const channel = createWebhookChannel({ sealer, url: OWN_URL });
  const failure = await failureOf(
    sendBy({ channel, address: receiver.url }, sampleAlertContext("down")),
  );
  assert.deepEqual([failure.retryable, failure.mayHaveArrived], [true, false]);
  assert.deepEqual(receiver.requests, []);
});

test("a receiver that never accepts the connection surely did not take the alert", async () => {
  await using peer = await fullPeer();
  const deadline = new AbortController();
  const channel = createWebhookChannel({ sealer, url: OWN_URL });
  const failure = failureOf(
    sendBy({ channel, address: `http://127.0.0.1:${peer.port}/` }, sampleAlertContext("down"), {
      signal: deadline.signal,
    }),
  );
  await drainEventLoop();
  deadline.abort();
  assert.deepEqual([(await failure).retryable, (await failure).mayHaveArrived], [true, false]);
});

test("a hostile label stays a string of the JSON", () => {
  const { render } = createWebhookChannel({ sealer, url: OWN_URL });
  const { check } = sampleAlert("down").notice;
  const label = `"},"id":"forged"\r\n\u2028\uD800`;
  const body = JSON.parse(render(sampleAlertContext("down", { check: { ...check, label } })).body);
  assert.equal(body.check.label, label);
  assert.equal(body.id, sampleAlert("down").id);
});

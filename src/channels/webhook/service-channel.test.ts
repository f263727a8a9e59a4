import assert from "node:assert/strict";
import { test } from "node:test";

import {
  channelContract,
  failureOf,
  sendBy,
  outgoingOf,
  type ChannelHarness,
} from "../../../test/contracts/channel.ts";
import { receiverPeer, type Receiver, type Reply } from "../../../test/peers/webhook-receiver.ts";
import { sampleAlertContext } from "../../../test/sample-alert.ts";
import { systemClock } from "../../kit/clock.ts";
import { createSealer } from "../../kit/crypto/seal.ts";
import { Secret } from "../../kit/crypto/secret.ts";
import type { Channel } from "../channel.ts";
import { createChannels, type AddressKind } from "../registry.ts";
import { createServiceChannel } from "./service-channel.ts";
import { pushover } from "../services/pushover.ts";

const url = "https://watch.example.org/";
const sealer = createSealer(new Uint8Array(32));
const TOKEN = "azGDORePK8gMaC0QOYAMyEEuzJnyUi";
const key = "a1B2".repeat(8);
const user = key.slice(2);

function channelFor(kind: AddressKind, pushoverToken?: Secret): Channel {
  const channels = createChannels({ mailer: undefined, url, sealer, pushoverToken });
  return channels[kind];
}

async function benchOf(
  channelAt: (receiver: Receiver) => Channel,
  addressAt: (receiver: Receiver) => string,
): Promise<ChannelHarness> {
  const receiver = await receiverPeer();
  const replies: Readonly<Record<string, Reply>> = {
    refuse: { status: 400 },
    defer: { status: 503 },
    hang: "hang",
    break: "break",
  };
  const take: Reply = { status: 200, body: "ok" };
  receiver.reply(take);
  let left = false;
  const leave = async (): Promise<void> => {
    if (!left) await receiver[Symbol.asyncDispose]();
    left = true;
  };
  return {
    channel: channelAt(receiver),
    address: addressAt(receiver),
    arrived: () =>
      receiver.requests.map(({ headers, body }) => ({
        id: String(headers["webhook-id"]),
        words: body,
      })),
    behave: (manner) => receiver.reply(replies[manner] ?? take),
    leave,
    [Symbol.asyncDispose]: leave,
  };
}

channelContract("slack", {
  harness: () =>
    benchOf(
      () => channelFor("slack"),
      (receiver) => `${receiver.url}/services/T0/B0/x`,
    ),
  goodAddresses: ["https://hooks.example.com/services/T0/B0/x"],
  badAddresses: [
    "",
    "#channel",
    "http://hooks.example.com/x",
    "https://",
    "https://a b/",
    "https:hooks.example.com",
    "https://watch.example.org/v1?id=1",
    `https://h.example/${"x".repeat(2000)}`,
  ],
});

const EVENT = /"event_action":"(trigger|resolve)"/;

channelContract("pushover", {
  harness: () =>
    benchOf(
      ({ url: server }) =>
        createServiceChannel({
          ...channelFor("pushover"),
          service: pushover,
          urlOf: (key) => `${server}/1/messages.json?token=${TOKEN}&user=${key}`,
          unavailableReason: undefined,
          installation: { url },
        }),
      () => user,
    ),
  goodAddresses: [user],
  badAddresses: ["", key, key.slice(3), "ann@example.com", user.replace("B", " ")],
});

for (const address of [key, "https://events.example.com/v2/enqueue"]) {
  test(`pagerduty: the address ${JSON.stringify(address)} is kept as it is`, () =>
    assert.equal(channelFor("pagerduty").parseAddress(` ${address} `), address));
}

for (const address of ["", key.slice(1), `${key}0`, key.replace("1", "-"), "http://e.example/"]) {
  test(`pagerduty: the address ${JSON.stringify(address)} is refused with a word on what would be right`, () =>
    assert.throws(() => channelFor("pagerduty").parseAddress(address), {
      code: "invalid_input",
      message: /^must be /,
    }));
}

test("pagerduty: a URL is called with the events of the API, and its answer is kept", async () => {
  await using bench = await benchOf(
    () => channelFor("pagerduty"),
    (receiver) => `${receiver.url}/v2/enqueue?routing_key=${key}`,
  );
  assert.equal((await sendBy(bench, sampleAlertContext("down"))).response, "200 OK: ok");
  await sendBy(bench, sampleAlertContext("up"));
  const words = bench.arrived().map(({ words }) => words);
  for (const each of words) {
    assert.match(each, EVENT);
    assert.match(each, new RegExp(`"routing_key":"${key}"`));
  }
});

for (const { kind, address, host } of [
  { kind: "pagerduty", address: key, host: "events.pagerduty.com" },
  { kind: "pushover", address: user, host: "api.pushover.net" },
  { kind: "slack", address: "https://hooks.slack.com/services/T0/B0/x", host: "hooks.slack.com" },
] as const) {
  test(`${kind}: what an address stands for is dialled, under the egress policy`, async () => {
    const channel = channelFor(kind, new Secret(TOKEN));
    assert.equal(channel.unavailableReason, undefined);
    const dialled: string[] = [];
    const context = sampleAlertContext("down", {}, { kind, address });
    const message = channel.render(context);
    const sending = channel.send(outgoingOf(context, message), {
      signal: new AbortController().signal,
      egress: {
        resolve(name) {
          dialled.push(name);
          return Promise.reject(Object.assign(new Error("refused"), { code: "blocked" }));
        },
        isPublic: () => true,
      },
      clock: systemClock,
      attempt: 1,
    });
    assert.equal((await failureOf(sending)).retryable, false);
    assert.deepEqual(dialled, [host]);
    for (const secret of [TOKEN, key, user]) assert.equal(message.body.includes(secret), false);
  });
}

test("pushover: without an application nothing is sent, and the setting is named", async () => {
  const channel = channelFor("pushover");
  assert.match(channel.unavailableReason ?? "", /WATCHPOST_PUSHOVER_TOKEN/);
  const failure = await failureOf(sendBy({ channel, address: user }, sampleAlertContext("down")));
  assert.deepEqual([failure.message, failure.retryable], [channel.unavailableReason, false]);
});

test("an address that came to be this installation is not dialled", async () => {
  await using receiver = await receiverPeer();
  const channels = createChannels({ mailer: undefined, url: receiver.url, sealer });
  const channel = channels.slack;
  const failure = await failureOf(
    sendBy({ channel, address: `${receiver.url}/v1` }, sampleAlertContext("down")),
  );
  assert.match(failure.message, /must not be this installation itself/);
  assert.equal(receiver.accepted(), 0);
});

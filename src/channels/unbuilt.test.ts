import assert from "node:assert/strict";
import { test } from "node:test";

import { failureOf, sendBy } from "../../test/contracts/channel.ts";
import { sampleTelling } from "../../test/sample-alert.ts";
import type { AddressKind } from "../domain/contact.ts";
import type { Channel } from "./channel.ts";
import { channelOf, createChannels } from "./registry.ts";

const channels = createChannels({ mailer: undefined, url: "https://watch.example.org/" });

function channelFor(kind: AddressKind): Channel {
  const channel = channelOf(channels, kind);
  assert.ok(channel);
  return channel;
}

const key = "a1B2".repeat(8);
const phones = {
  good: [
    "+442079460000",
    "+44 20 7946-0000",
    "(020) 7946.0000",
    "112 00",
    "123456789012345",
    "020/79460000",
  ],
  bad: [
    "",
    "1234",
    "+1234",
    "1234567890123456",
    "+1234567890123456",
    "+0123456789",
    "44+2079460000",
    "020 7946 ext 5",
    "1+2345",
    "+",
    "------",
  ],
};

const rows: readonly {
  readonly kind: AddressKind;
  readonly good: readonly string[];
  readonly bad: readonly string[];
}[] = [
  { kind: "sms", ...phones },
  { kind: "voice", ...phones },
  {
    kind: "twitter",
    good: ["example", "@example", "@A_1", "@ann@mastodon.example", "ann.b@mastodon.example"],
    bad: [
      "",
      "@",
      "two words",
      "@ann@",
      "@ann@localhost",
      "@ann@a b.example",
      "https://x.example/ann",
      "@ann.b",
      "x".repeat(31),
    ],
  },
  {
    kind: "slack",
    good: ["https://hooks.example.com/services/T0/B0/x"],
    bad: [
      "",
      "#channel",
      "http://hooks.example.com/x",
      "https://",
      "https://a b/",
      "https:hooks.example.com",
      `https://h.example/${"x".repeat(2000)}`,
    ],
  },
  {
    kind: "pagerduty",
    good: [key, "https://events.example.com/v2/enqueue"],
    bad: ["", key.slice(1), `${key}0`, key.replace("1", "-"), "http://events.example.com/"],
  },
  {
    kind: "pushover",
    good: [key.slice(2)],
    bad: ["", key, key.slice(3), "ann@example.com", key.slice(2).replace("B", " ")],
  },
];

for (const { kind, good, bad } of rows) {
  for (const address of good) {
    test(`${kind}: the address ${JSON.stringify(address)} is kept as it is`, () =>
      assert.equal(channelFor(kind).parseAddress(` ${address} `), address));
  }
  for (const address of bad) {
    test(`${kind}: the address ${JSON.stringify(address.slice(0, 60))} is refused with a word on what would be right`, () =>
      assert.throws(() => channelFor(kind).parseAddress(address), {
        code: "invalid_input",
        message: /^must be /,
      }));
  }
  test(`${kind}: nothing is sent, and that is said`, async () => {
    const channel = channelFor(kind);
    const trouble = `no provider for ${kind} is built yet`;
    assert.equal(channel.trouble, trouble);
    const sending = sendBy({ channel, address: good[0] ?? "" }, sampleTelling("down"));
    const { message, retryable, mayHaveArrived } = await failureOf(sending);
    assert.deepEqual([message, retryable, mayHaveArrived], [trouble, false, false]);
  });
}

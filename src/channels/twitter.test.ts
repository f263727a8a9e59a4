import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import {
  channelContract,
  failureOf,
  sendBy,
  type ChannelHarness,
} from "../../test/contracts/channel.ts";
import type { ApiFailure } from "../../test/peers/json-api.ts";
import { mastodonPeer, type MastodonPeer } from "../../test/peers/mastodon.ts";
import { xPeer, xProblem, type XPeer } from "../../test/peers/x.ts";
import { sampleNotice, sampleAlertContext } from "../../test/sample-alert.ts";
import { systemClock } from "../kit/clock.ts";
import type { AddressRefusal } from "../kit/errors.ts";
import { Secret } from "../kit/crypto/secret.ts";
import { createMastodon } from "./providers/mastodon.ts";
import { createX } from "./providers/x.ts";
import { createTwitterChannel } from "./twitter.ts";

const addresses = {
  goodAddresses: ["example", "@example", "@A_1", "@ann@mastodon.example", "ann.b@mastodon.example"],
  badAddresses: [
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
};

const keys = {
  apiKey: "k3y",
  apiSecret: "s3cret/of+it",
  accessToken: "99-t0ken",
  accessSecret: "s3cret of the token",
};
const TOKEN = "b3arer";

async function xBench(
  changes: Partial<typeof keys> = {},
): Promise<ChannelHarness & { server: XPeer }> {
  const server = await xPeer(keys);
  const shown = { ...keys, ...changes };
  const x = createX({
    apiKey: new Secret(shown.apiKey),
    apiSecret: new Secret(shown.apiSecret),
    accessToken: new Secret(shown.accessToken),
    accessSecret: new Secret(shown.accessSecret),
    url: server.url,
  });
  const troubles: Readonly<Record<string, ApiFailure>> = {
    refuse: xProblem(403, "Forbidden", {
      detail: "You do not have permission to DM one or more participants.",
    }),
    defer: xProblem(429, "Too Many Requests"),
    hang: "hang",
    break: "break",
  };
  return {
    server,
    channel: createTwitterChannel({ x, mastodon: undefined }),
    address: "@Ann",
    arrived: () => server.messages.map(({ text }) => ({ id: text, words: text })),
    behave(manner) {
      const send = troubles[manner];
      server.behave(send === undefined ? {} : { send });
    },
    leave: async () => server[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

async function mastodonBench(token = TOKEN): Promise<ChannelHarness & { server: MastodonPeer }> {
  const server = await mastodonPeer({ token: TOKEN });
  const mastodon = createMastodon({ url: server.url, token: new Secret(token) });
  const troubles: Readonly<Record<string, ApiFailure>> = {
    refuse: { status: 403, body: { error: "This action is not allowed" } },
    defer: { status: 429, body: { error: "Too many requests" } },
    hang: "hang",
    break: "break",
  };
  return {
    server,
    channel: createTwitterChannel({ x: undefined, mastodon }),
    address: "@ann@mastodon.example",
    arrived: () => server.posts.map(({ key, status }) => ({ id: key, words: status })),
    behave: (manner) => server.behave(troubles[manner]),
    leave: async () => server[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

channelContract("twitter by X", { harness: () => xBench(), ...addresses });
channelContract("twitter by Mastodon", { harness: () => mastodonBench(), ...addresses });

const link = "https://watch.example.org/#202601051200ALICE-SHOP0001";
const down = `DOWN: Shop\nSince 2026-01-05 12:00:00 GMT\nHTTP status returned: 503\n${link}`;

test("a handle of X is sent a direct message", async () => {
  await using bench = await xBench();
  const { response } = await sendBy(bench, sampleAlertContext("down"));
  assert.deepEqual(bench.server.messages, [{ to: "2244994945", text: down }]);
  assert.equal(response, "201 1580705921830768647");
});

test("a handle with its server is sent a status that nobody else sees", async () => {
  await using bench = await mastodonBench();
  const { response } = await sendBy(bench, sampleAlertContext("down"));
  const text = `@ann@mastodon.example ${down}`;
  assert.deepEqual(bench.server.statuses, [{ text, seenBy: ["ann@mastodon.example"] }]);
  assert.equal(response, "200 https://mastodon.example/users/watchpost/statuses/1");
});

test("a repeated attempt posts no second status", async () => {
  await using bench = await mastodonBench();
  const first = await sendBy(bench, sampleAlertContext("down"));
  const second = await sendBy(bench, sampleAlertContext("down"), { attempt: 2 });
  await sendBy(bench, sampleAlertContext("up"));
  assert.deepEqual(first, second);
  assert.equal(bench.server.statuses.length, 2);
});

test("both networks side by side have their own addresses and places", async () => {
  await using x = await xBench();
  await using mastodon = await mastodonBench();
  const channel = createTwitterChannel({
    x: createX({
      apiKey: new Secret(keys.apiKey),
      apiSecret: new Secret(keys.apiSecret),
      accessToken: new Secret(keys.accessToken),
      accessSecret: new Secret(keys.accessSecret),
      url: x.server.url,
    }),
    mastodon: createMastodon({ url: mastodon.server.url, token: new Secret(TOKEN) }),
  });
  for (const address of ["example", "bob@other.example"])
    await sendBy({ channel, address }, sampleAlertContext("up"));
  const up = `UP: Shop\nSince 2026-01-05 12:12:00 GMT\nWas down for 12 min\n${link}`;
  assert.deepEqual(x.server.messages, [{ to: "783214", text: up }]);
  assert.deepEqual(mastodon.server.statuses, [
    { text: `@bob@other.example ${up}`, seenBy: ["bob@other.example"] },
  ]);
});

test("whatever strangers wrote, a status fits and is shown to its reader alone", async () => {
  await using bench = await mastodonBench();
  const words = fc.oneof(
    fc.string({ unit: "binary", maxLength: 400 }),
    fc.constantFrom(
      "@eve",
      "a @eve@mastodon.example b",
      "@@eve",
      "x".repeat(600),
      "\u{1F44D}".repeat(300),
    ),
  );
  const { check, result } = sampleNotice("down");
  await fc.assert(
    fc.asyncProperty(words, words, async (label, message) => {
      const changes = { check: { ...check, label }, result: { ...result, message } };
      const context = sampleAlertContext("down", changes);
      const alert = { ...context.alert, id: `alert ${bench.server.posts.length}` };
      await sendBy(bench, { ...context, alert });
    }),
    { numRuns: 50 },
  );
  assert.ok(bench.server.statuses.length >= 50);
  for (const { seenBy } of bench.server.statuses)
    assert.deepEqual(seenBy, ["ann@mastodon.example"]);
});

interface Refusal {
  readonly answer: ApiFailure;
  readonly message: string;
  readonly retryable: boolean;
  readonly mayHaveArrived?: boolean;
  readonly address?: AddressRefusal;
}

const refusals: readonly (Refusal & { readonly step: "find" | "send" })[] = [
  {
    step: "send",
    answer: xProblem(403, "Forbidden", {
      detail: "You do not have permission to DM one or more participants.",
    }),
    message: "403 Forbidden: You do not have permission to DM one or more participants.",
    retryable: false,
    address: "refused",
  },
  {
    step: "send",
    answer: xProblem(401, "Unauthorized"),
    message: "401 Unauthorized: Unauthorized",
    retryable: false,
  },
  {
    step: "send",
    answer: xProblem(503, "Service Unavailable"),
    message: "503 Service Unavailable: Service Unavailable",
    retryable: true,
  },
  {
    step: "send",
    answer: { status: 502, body: "bad\ngateway" },
    message: "502 bad gateway",
    retryable: true,
    mayHaveArrived: true,
  },
  {
    step: "find",
    answer: { status: 502, body: "bad gateway" },
    message: "502 bad gateway",
    retryable: true,
  },
  {
    step: "find",
    answer: xProblem(403, "Forbidden"),
    message: "403 Forbidden: Forbidden",
    retryable: false,
  },
  {
    step: "find",
    answer: { status: 200, body: "{}" },
    message: "no such user: {}",
    retryable: true,
  },
];

for (const { step, answer, message, ...expected } of refusals) {
  test(`X that answers ${JSON.stringify(answer)} when asked to ${step} makes a failure`, async () => {
    await using bench = await xBench();
    bench.server.behave({ [step]: answer });
    const failure = await failureOf(sendBy(bench, sampleAlertContext("down")));
    const { retryable, mayHaveArrived, address } = failure;
    assert.deepEqual(
      { message: failure.message, retryable, mayHaveArrived, address },
      { message, mayHaveArrived: false, address: undefined, ...expected },
    );
  });
}

for (const step of ["find", "send"] as const) {
  test(`X whose limit is reached when asked to ${step} is left alone until that is over`, async () => {
    await using bench = await xBench();
    const reset = String(Math.floor(systemClock.now() / 1000) + 600);
    const answer = {
      ...xProblem(429, "Too Many Requests"),
      headers: { "x-rate-limit-reset": reset },
    };
    bench.server.behave({ [step]: answer });
    const { retryable, retryAfterMs = 0 } = await failureOf(
      sendBy(bench, sampleAlertContext("down")),
    );
    assert.ok(retryable && retryAfterMs > 500_000 && retryAfterMs <= 600_000, `${retryAfterMs} ms`);
  });
}

test("X that breaks off while it looks somebody up surely has no message", async () => {
  await using bench = await xBench();
  bench.server.behave({ find: "break" });
  const { retryable, mayHaveArrived } = await failureOf(sendBy(bench, sampleAlertContext("down")));
  assert.deepEqual([retryable, mayHaveArrived], [true, false]);
});

for (const [address, message, refusal] of [
  ["@nobody", "Could not find user with username: [nobody].", "gone"],
  [
    "@longer_than_names_are",
    "400 Invalid Request: One or more parameters to your request was invalid.",
    undefined,
  ],
] as const) {
  test(`${address} is nobody at X, for good`, async () => {
    await using bench = await xBench();
    const failure = await failureOf(sendBy({ ...bench, address }, sampleAlertContext("down")));
    assert.deepEqual(
      [failure.message, failure.retryable, failure.address],
      [message, false, refusal],
    );
  });
}

for (const key of ["apiKey", "apiSecret", "accessToken", "accessSecret"] as const) {
  test(`X refuses another ${key}, and it is not repeated`, async () => {
    await using bench = await xBench({ [key]: "an0ther" });
    const { message, retryable } = await failureOf(sendBy(bench, sampleAlertContext("down")));
    assert.deepEqual([message, retryable], ["401 Unauthorized: Unauthorized", false]);
    assert.deepEqual(bench.server.messages, []);
  });
}

const errors: readonly Refusal[] = [
  {
    answer: { status: 404, body: { error: "Record not found" } },
    message: "404 Record not found",
    retryable: false,
  },
  {
    answer: { status: 422, body: { error: "Validation failed: Text can't be blank" } },
    message: "422 Validation failed: Text can't be blank",
    retryable: false,
  },
  { answer: { status: 500, body: "<html>" }, message: "500 <html>", retryable: true },
  { answer: { status: 504, body: "" }, message: "504", retryable: true, mayHaveArrived: true },
];

for (const { answer, message, ...expected } of errors) {
  test(`a Mastodon server that answers ${JSON.stringify(answer)} makes a failure`, async () => {
    await using bench = await mastodonBench();
    bench.server.behave(answer);
    const failure = await failureOf(sendBy(bench, sampleAlertContext("down")));
    const { retryable, mayHaveArrived, address } = failure;
    assert.deepEqual(
      { message: failure.message, retryable, mayHaveArrived, address },
      { message, mayHaveArrived: false, address: undefined, ...expected },
    );
  });
}

test("a Mastodon server whose limit is reached is left alone until that is over", async () => {
  await using bench = await mastodonBench();
  const reset = new Date(systemClock.now() + 300_000).toISOString();
  const body = { error: "Too many requests" };
  bench.server.behave({ status: 429, headers: { "x-ratelimit-reset": reset }, body });
  const { message, retryAfterMs = 0 } = await failureOf(sendBy(bench, sampleAlertContext("down")));
  assert.equal(message, "429 Too many requests");
  assert.ok(retryAfterMs > 200_000 && retryAfterMs <= 300_000, `${retryAfterMs} ms`);
});

test("a Mastodon server refuses another token, and it is not repeated", async () => {
  await using bench = await mastodonBench("an0ther");
  const { message, retryable } = await failureOf(sendBy(bench, sampleAlertContext("down")));
  assert.deepEqual([message, retryable], ["401 The access token is invalid", false]);
});

test("whom the Mastodon server does not know is nobody, for good", async () => {
  await using bench = await mastodonBench();
  const address = "@nobody@mastodon.example";
  const failure = await failureOf(sendBy({ ...bench, address }, sampleAlertContext("down")));
  assert.deepEqual(
    [failure.message, failure.retryable, failure.address],
    ['no such account: "@nobody@mastodon.example"', false, "refused"],
  );
});

test("without an account to write from a message fails for good, and says which setting is missing", async () => {
  const none = createTwitterChannel({ x: undefined, mastodon: undefined });
  assert.equal(
    none.unavailableReason,
    "no account that writes messages is set: WATCHPOST_X_API_KEY, WATCHPOST_MASTODON_URL",
  );
  for (const [address, trouble] of [
    ["example", "no account of X is set: WATCHPOST_X_API_KEY"],
    ["ann@mastodon.example", "no account of Mastodon is set: WATCHPOST_MASTODON_URL"],
  ] as const) {
    const failure = await failureOf(sendBy({ channel: none, address }, sampleAlertContext("down")));
    assert.deepEqual(
      [failure.message, failure.retryable, failure.mayHaveArrived],
      [trouble, false, false],
    );
  }
});

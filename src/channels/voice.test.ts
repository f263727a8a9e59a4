import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { channelContract, failureOf, sendBy } from "../../test/contracts/channel.ts";
import {
  badNumbers,
  goodNumbers,
  phoneResponseContract,
  phoneHarness,
} from "../../test/harnesses/phone-harness.ts";
import { sampleNotice, sampleAlertContext } from "../../test/sample-alert.ts";
import type { AlertContext } from "./channel.ts";
import { createVoiceChannel } from "./voice.ts";

const harness = () => phoneHarness(createVoiceChannel);

channelContract("voice", { harness, goodAddresses: goodNumbers, badAddresses: badNumbers });

function labelled(label: string, message = "Timeout"): AlertContext {
  const { check, result } = sampleNotice("down");
  return sampleAlertContext("down", { check: { ...check, label }, result: { ...result, message } });
}

const noon = "2026-01-05 12:00:00 GMT";

for (const [name, context, words] of [
  [
    "down",
    sampleAlertContext("down"),
    `Watchpost. Shop is down since ${noon}. HTTP status returned: 503.`,
  ],
  [
    "up",
    sampleAlertContext("up"),
    "Watchpost. Shop is up since 2026-01-05 12:12:00 GMT. Was down for 12 min.",
  ],
  [
    "about an outage that was missed",
    sampleAlertContext("missed"),
    `Watchpost. Shop was down from ${noon} to 12:12:00. Over before this was delivered.`,
  ],
  [
    "first and up",
    sampleAlertContext("first", { state: "passing" }),
    `Watchpost. Shop is up since ${noon}. First result.`,
  ],
  [
    "full of URLs",
    labelled("https://ann:pw@shop.example.com:8443/a?b=<c>", "GET HTTP://[::1]/x failed"),
    `Watchpost. shop.example.com<c> is down since ${noon}. GET [::1] failed.`,
  ],
  [
    "with a label that looks like markup",
    labelled(`</Say><Dial>+15550199</Dial><Say> & "so" 'on' ]]> <!--`),
    `Watchpost. </Say><Dial>+15550199</Dial><Say> & "so" 'on' ]]> <!-- is down since ${noon}. Timeout.`,
  ],
] as const) {
  test(`a call that is ${name} says twice ${JSON.stringify(words)}`, async () => {
    await using peer = await harness();
    await sendBy(peer, context);
    assert.deepEqual(peer.server.calls, [{ to: "+442079460000", words: `${words} ${words}` }]);
    assert.equal(peer.channel.render(context).body, words);
  });
}

// guard: XML of calls
test("whatever strangers wrote, the provider reads it as text", async () => {
  await using peer = await harness();
  const words = fc.string({ unit: "binary", maxLength: 400 });
  await fc.assert(
    fc.asyncProperty(words, words, async (label, message) => {
      await sendBy(peer, labelled(label, message));
    }),
    { numRuns: 50 },
  );
  await sendBy(peer, labelled("&".repeat(400), '"'.repeat(400)));
  await sendBy(peer, labelled("a\uFFFEb\uFFFFc\uD800d"));
  assert.match(peer.server.calls.at(-1)?.words ?? "", /^Watchpost\. abc\uFFFDd is down since /);
});

phoneResponseContract(harness);

test("without a provider a call fails for good, and says which setting is missing", async () => {
  const channel = createVoiceChannel({ phones: undefined });
  const trouble = "no provider of calls is set: WATCHPOST_TWILIO_ACCOUNT";
  assert.equal(channel.unavailableReason, trouble);
  const failure = await failureOf(
    sendBy({ channel, address: "+15550100" }, sampleAlertContext("down")),
  );
  assert.deepEqual(
    [failure.message, failure.retryable, failure.mayHaveArrived],
    [trouble, false, false],
  );
});

test("one call reads several alerts out", async () => {
  const { renderDigest } = createVoiceChannel({ phones: undefined });
  const named = (label: string) =>
    sampleAlertContext("down", { check: { ...sampleNotice("down").check, label, target: label } });
  const message = renderDigest?.([named("https://shop.example.com/cart"), named("Mail")], "id");
  assert.equal(message?.body, "Watchpost. 2 checks are down: shop.example.com, Mail.");
});

import assert from "node:assert/strict";
import { test } from "node:test";

import * as fc from "fast-check";

import { testedZones } from "../../test/time/time-zones.ts";
import { channelContract, failureOf, sendBy } from "../../test/contracts/channel.ts";
import {
  badNumbers,
  goodNumbers,
  phoneResponseContract,
  phoneHarness,
} from "../../test/harnesses/phone-harness.ts";
import { sampleNotice, sampleAlertContext, sampleTestContext } from "../../test/sample-alert.ts";
import type { LateReason } from "../domain/alert/alert.ts";
import type { AlertContext } from "./channel.ts";
import { createSmsChannel } from "./sms.ts";

const harness = () => phoneHarness(createSmsChannel);

channelContract("sms", { harness, goodAddresses: goodNumbers, badAddresses: badNumbers });

function labelled(label: string, kind: "down" | "up" | "first" = "down"): AlertContext {
  return sampleAlertContext(kind, {
    check: { ...sampleNotice(kind).check, label, target: `${label}.example.com` },
  });
}

function withReason(context: AlertContext, waitedFor: LateReason): AlertContext {
  return { ...context, alert: { ...context.alert, waitedFor } };
}

const noon = "2026-01-05 12:00:00 GMT";

for (const [name, context, text] of [
  ["down", sampleAlertContext("down"), `DOWN: Shop since ${noon}. HTTP status returned: 503`],
  ["up", sampleAlertContext("up"), "UP: Shop since 2026-01-05 12:12:00 GMT. Was down for 12 min"],
  [
    "about an outage that was missed",
    sampleAlertContext("missed"),
    `WAS DOWN: Shop from ${noon} to 12:12:00. Over before this was delivered`,
  ],
  [
    "down and late",
    withReason(sampleAlertContext("down"), "outside_window"),
    `DOWN: Shop since ${noon}. HTTP status returned: 503. Late: its window was closed until now`,
  ],
  [
    "up without an outage",
    sampleAlertContext("up", { downForMs: undefined }),
    "UP: Shop since 2026-01-05 12:12:00 GMT",
  ],
  [
    "first and down",
    sampleAlertContext("first"),
    `DOWN: Shop since ${noon}. First result: HTTP status returned: 503`,
  ],
  [
    "first and up",
    sampleAlertContext("first", { state: "passing" }),
    `UP: Shop since ${noon}. First result`,
  ],
  [
    "of an account with another time",
    { ...sampleAlertContext("down"), timeZone: "+05:45" },
    "DOWN: Shop since 2026-01-05 17:45:00 GMT+5:45. HTTP status returned: 503",
  ],
  [
    "with a label in odd letters",
    labelled("Café – “Łódź”"),
    `DOWN: Café - "Lodz" since ${noon}. HTTP status returned: 503`,
  ],
  [
    "with a label that no telephone can show",
    labelled("магазин 👍"),
    `DOWN: 202601051200ALICE-SHOP0001 since ${noon}. HTTP status returned: 503`,
  ],
  [
    "with a label that fills it",
    labelled(`${"[x]".repeat(30)} shop`),
    `DOWN: ${"[x]".repeat(24)}[.. since ${noon}`,
  ],
  [
    "with a long remark",
    sampleAlertContext("down", {
      result: { ...sampleNotice("down").result, message: "no ".repeat(80) },
    }),
    `DOWN: Shop since ${noon}. ${"no ".repeat(39).trimEnd()}..`,
  ],
  ["a test", sampleTestContext(), `TEST: nothing is down at ${noon}. asked for by Alice`],
] as const) {
  test(`a text that is ${name} reads ${JSON.stringify(text)}`, async () => {
    await using peer = await harness();
    await sendBy(peer, context);
    assert.deepEqual(peer.server.texts, [{ to: "+442079460000", body: text, parts: 1 }]);
  });
}

test("whatever strangers wrote, a text is one part with the state first and the time whole", async () => {
  await using peer = await harness();
  const words = fc.string({ unit: "binary", maxLength: 400 });
  await fc.assert(
    fc.asyncProperty(
      words,
      words,
      fc.constantFrom(...testedZones, "+05:45", "-09:30"),
      async (label, message, timeZone) => {
        const { check, result } = sampleNotice("down");
        const context = sampleAlertContext("down", {
          check: { ...check, label },
          result: { ...result, message },
        });
        await sendBy(peer, { ...context, timeZone });
        const text = peer.server.texts.at(-1);
        assert.equal(text?.parts, 1);
        assert.match(
          text?.body ?? "",
          /^DOWN: \S.* since 2026-01-0\d \d\d:\d\d:\d\d (?:GMT([+-]\d+(:\d\d)?)?|[A-Z]{2,5})(\. .+)?$/,
        );
      },
    ),
    { numRuns: 50 },
  );
});

phoneResponseContract(harness);

test("the provider's name for the message is kept", async () => {
  await using peer = await harness();
  const { response } = await sendBy(peer, sampleAlertContext("down"));
  assert.match(response, /^201 SM[0-9a-f]{32} queued$/);
});

test("a message that is taken in words of no sense is taken", async () => {
  await using peer = await harness();
  peer.server.behave({ status: 201, body: "fine" });
  assert.deepEqual(await sendBy(peer, sampleAlertContext("down")), { response: "201 fine" });
});

test("a number that the provider cannot dial is refused for good", async () => {
  await using peer = await harness();
  const failure = await failureOf(
    sendBy({ ...peer, address: "(020) 7946.0000" }, sampleAlertContext("down")),
  );
  assert.deepEqual(
    [failure.message, failure.retryable],
    ["400 21211 The 'To' number 02079460000 is not a valid phone number.", false],
  );
});

test("a token that is refused is refused for good, and not repeated", async () => {
  await using peer = await phoneHarness(createSmsChannel, { token: "an0ther-t0ken" });
  const { message, retryable } = await failureOf(sendBy(peer, sampleAlertContext("down")));
  assert.deepEqual([message, retryable], ["401 20003 Authenticate", false]);
  assert.deepEqual(peer.server.texts, []);
});

test("without a provider a text fails for good, and says which setting is missing", async () => {
  const channel = createSmsChannel({ phones: undefined });
  const trouble = "no provider of text messages is set: WATCHPOST_TWILIO_ACCOUNT";
  assert.equal(channel.unavailableReason, trouble);
  const failure = await failureOf(
    sendBy({ channel, address: "+15550100" }, sampleAlertContext("down")),
  );
  assert.deepEqual(
    [failure.message, failure.retryable, failure.mayHaveArrived],
    [trouble, false, false],
  );
});

test("several alerts fit one message, however many there are, and those it does not name are counted", () => {
  const { renderDigest } = createSmsChannel({ phones: undefined });
  const [head, ...rest] = Array.from({ length: 100 }, (_, index) =>
    labelled(index === 0 ? "Café – “Łódź”" : `check number ${index}`),
  );
  assert.ok(head !== undefined);
  const { body, parts } = renderDigest?.([head, ...rest], "bundle") ?? { body: "", parts: [] };
  assert.match(body, /^DOWN: Café - "Lodz", check number 1, .* and 9\d more$/);
  assert.ok(body.length > 130 && body.length <= 160, body);
  assert.deepEqual(
    parts,
    Array.from({ length: 100 }, () => body),
  );
});

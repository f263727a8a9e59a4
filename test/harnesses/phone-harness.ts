import assert from "node:assert/strict";
import { test } from "node:test";

import type { Channel } from "../../src/channels/channel.ts";
import type { PhoneProvider } from "../../src/channels/providers/provider.ts";
import { createTwilio } from "../../src/channels/providers/twilio.ts";
import type { AddressRefusal } from "../../src/kit/errors.ts";
import { Secret } from "../../src/kit/crypto/secret.ts";
import { failureOf, sendBy, type ChannelHarness } from "../contracts/channel.ts";
import type { ApiFailure } from "../peers/json-api.ts";
import { twilioError, twilioPeer, type TwilioPeer } from "../peers/twilio.ts";
import { sampleAlertContext } from "../sample-alert.ts";

const ACCOUNT = `AC${"0123456789abcdef".repeat(2)}`;
const TOKEN = "s3cret-t0ken";

export interface PhoneHarness extends ChannelHarness {
  readonly server: TwilioPeer;
}

const troubles: Readonly<Record<string, ApiFailure>> = {
  refuse: twilioError(400, 21610, "Attempt to send to unsubscribed recipient"),
  defer: twilioError(429, 20429, "Too Many Requests"),
  hang: "hang",
  break: "break",
};

/** A channel to telephones, with the peer that brings its words there; `token` is what the channel shows it. */
export async function phoneHarness(
  create: (deps: { phones: PhoneProvider }) => Channel,
  { token = TOKEN }: { readonly token?: string } = {},
): Promise<PhoneHarness> {
  const from = "+15550100";
  const server = await twilioPeer({ account: ACCOUNT, token: TOKEN, from });
  const phones = createTwilio({
    account: ACCOUNT,
    token: new Secret(token),
    from,
    url: server.url,
  });
  return {
    server,
    channel: create({ phones }),
    address: "+44 20 7946-0000",
    arrived: () => [
      ...server.texts.map(({ body }) => ({ id: body, words: body })),
      ...server.calls.map(({ words }) => ({ id: words, words })),
    ],
    behave: (manner) => server.behave(troubles[manner]),
    leave: async () => server[Symbol.asyncDispose](),
    [Symbol.asyncDispose]: server[Symbol.asyncDispose],
  };
}

export const goodNumbers = [
  "+442079460000",
  "+44 20 7946-0000",
  "(020) 7946.0000",
  "112 00",
  "123456789012345",
  "020/79460000",
];

export const badNumbers = [
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
];

/** Responses of the provider, with their meaning for the alert. */
const phoneAnswers: readonly {
  readonly answer: ApiFailure;
  readonly message: string;
  readonly retryable: boolean;
  readonly mayHaveArrived?: boolean;
  readonly retryAfterMs?: number;
  readonly address?: AddressRefusal;
}[] = [
  {
    answer: twilioError(400, 21211, "The 'To' number 5551234567 is not a valid phone number."),
    message: "400 21211 The 'To' number 5551234567 is not a valid phone number.",
    retryable: false,
    address: "gone",
  },
  {
    answer: twilioError(400, 21614, "'To' number is not a valid mobile number"),
    message: "400 21614 'To' number is not a valid mobile number",
    retryable: false,
    address: "gone",
  },
  {
    answer: twilioError(400, 21610, "Attempt to send to unsubscribed recipient"),
    message: "400 21610 Attempt to send to unsubscribed recipient",
    retryable: false,
    address: "gone",
  },
  {
    answer: twilioError(401, 20003, "Authenticate"),
    message: "401 20003 Authenticate",
    retryable: false,
  },
  {
    answer: twilioError(400, 21606, "The 'From' phone number provided is not a valid"),
    message: "400 21606 The 'From' phone number provided is not a valid",
    retryable: false,
  },
  {
    answer: twilioError(
      400,
      21611,
      "This 'From' number has exceeded the maximum number of queued messages",
    ),
    message: "400 21611 This 'From' number has exceeded the maximum number of queued messages",
    retryable: true,
  },
  {
    answer: { ...twilioError(429, 20429, "Too Many Requests"), headers: { "retry-after": "7" } },
    message: "429 20429 Too Many Requests",
    retryable: true,
    retryAfterMs: 7000,
  },
  {
    answer: twilioError(500, 20500, "Internal Server Error"),
    message: "500 20500 Internal Server Error",
    retryable: true,
  },
  {
    answer: { status: 503, body: "<html>upstream\nfailed</html>" },
    message: "503 <html>upstream failed</html>",
    retryable: true,
  },
  {
    answer: { status: 504, body: "" },
    message: "504",
    retryable: true,
    mayHaveArrived: true,
  },
  {
    answer: { status: 302, headers: { location: "http://127.0.0.1/" }, body: "" },
    message: "302",
    retryable: false,
  },
];

/** Contract of the provider's responses, whatever is sent through it. */
export function phoneResponseContract(bench: () => Promise<PhoneHarness>): void {
  for (const { answer, message, ...expected } of phoneAnswers) {
    test(`an answer of ${JSON.stringify(answer)} is kept as ${JSON.stringify(message)}`, async () => {
      await using peer = await bench();
      peer.server.behave(answer);
      const failure = await failureOf(sendBy(peer, sampleAlertContext("down")));
      const { retryable, mayHaveArrived, retryAfterMs, address } = failure;
      assert.deepEqual(
        { message: failure.message, retryable, mayHaveArrived, retryAfterMs, address },
        {
          message,
          mayHaveArrived: false,
          retryAfterMs: undefined,
          address: undefined,
          ...expected,
        },
      );
    });
  }
}

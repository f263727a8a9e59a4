import assert from "node:assert/strict";
import { test } from "node:test";

import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { sampleAlertContext } from "../../../test/sample-alert.ts";
import { withoutCode } from "../../../test/unescaped-markdown.ts";
import { webex } from "./webex.ts";

/** As the reference of "Create a Message" has it. */
const message = z.strictObject({
  roomId: z.literal("Y2lzY29zcGFyazovL3Vz"),
  markdown: z.string().min(1),
});
const MAX_BYTES = 7439;
const token = "NzQ1ZGI4ZTctbm90LWEtdG9rZW4";

function refused(status: number, message: string): { status: number; body: string } {
  return {
    status,
    body: JSON.stringify({ message, errors: [{ description: message }], trackingId: "x" }),
  };
}

serviceContract(webex, {
  address: `https://webexapis.com/v1/messages?roomId=Y2lzY29zcGFyazovL3Vz&token=${token}`,
  others: [
    "https://webexapis.com/v1/messages?toPersonEmail=ann@example.com&token=x",
    "https://webexapis.com/v1/webhooks/incoming/Y2lzY29zcGFyazovL3Vz",
  ],
  foreign: ["https://webexapis.com/v1/rooms", "https://webexapis.com.evil.example/v1/messages"],
  secrets: [token],
  answer({ path, headers, body }) {
    if (headers.authorization !== `Bearer ${token}` || path !== "/v1/messages")
      return refused(
        401,
        "The request requires a valid access token set in the Authorization request header.",
      );
    const { data } = message.safeParse(JSON.parse(body));
    return data !== undefined && Buffer.byteLength(data.markdown) <= MAX_BYTES
      ? { status: 200, body: '{"id":"Y2lzY29","roomId":"Y2lzY29zcGFyazovL3Vz"}' }
      : refused(400, "Message text is too long");
  },
  shown({ body }) {
    const { markdown } = message.parse(JSON.parse(body));
    return [
      { text: markdown, alive: /[<\p{Cf}\p{Cs}]/u },
      { text: withoutCode(markdown), alive: /[@[\]_~`]/ },
    ];
  },
  refusals: [
    { answer: refused(401, "The request requires a valid access token"), retryable: false },
    { answer: refused(404, "Could not find a room with provided ID."), retryable: false },
    {
      answer: { ...refused(429, "Too many requests"), headers: { "retry-after": "3600" } },
      retryable: true,
      retryAfterMs: 3_600_000,
    },
    { answer: refused(500, "Something went wrong"), retryable: true },
  ],
});

test("Webex: an incoming webhook is sent the text alone, without a token", () => {
  const url = new URL("https://webexapis.com/v1/webhooks/incoming/Y2lz");
  const { url: target, headers, body } = webex.requestOf(sampleAlertContext("down"), url);
  assert.deepEqual([target.href, headers, Object.keys(body)], [url.href, {}, ["markdown"]]);
});

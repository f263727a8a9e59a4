import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { slack } from "./slack.ts";

const plainText = z.strictObject({
  type: z.literal("plain_text"),
  text: z.string().min(1).max(3000),
  emoji: z.boolean().optional(),
});
/** As the references of incoming webhooks, attachments and blocks have it. */
const payload = z.strictObject({
  text: z.string().min(1).max(40_000),
  mrkdwn: z.boolean(),
  parse: z.enum(["none", "full"]),
  link_names: z.boolean(),
  unfurl_links: z.boolean(),
  unfurl_media: z.boolean(),
  attachments: z.tuple([
    z.strictObject({
      color: z.string().regex(/^#[0-9a-f]{6}$/),
      blocks: z.tuple([
        z.strictObject({ type: z.literal("section"), text: plainText }),
        z.strictObject({
          type: z.literal("context"),
          elements: z.tuple([z.strictObject({ type: z.literal("mrkdwn"), text: z.string() })]),
        }),
      ]),
    }),
  ]),
});

// guard: tags and mentions = nothing that strangers say is more than text
serviceContract(slack, {
  address: "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
  others: ["https://hooks.slack-gov.com/services/T0/B0/x"],
  foreign: [
    "https://hooks.slack.com/workflows/T0/A0/1/x",
    "https://hooks.slack.com.evil.example/services/T0/B0/x",
    "https://slack.com/services/T0/B0/x",
  ],
  secrets: ["XXXXXXXX"],
  answer({ body, headers }) {
    const isJson = headers["content-type"]?.startsWith("application/json") === true;
    return isJson && payload.safeParse(JSON.parse(body)).success
      ? { status: 200, body: "ok" }
      : { status: 400, body: "invalid_payload" };
  },
  shown({ body }) {
    const { text, mrkdwn, parse, link_names: names } = payload.parse(JSON.parse(body));
    // Brackets are read even where the rest of the markup is off.
    const alive = mrkdwn || names || parse !== "none" ? /^/ : /[<>]|&(?!amp;|lt;|gt;)/;
    return [{ text, alive }];
  },
  links({ body }) {
    const [{ blocks }] = payload.parse(JSON.parse(body)).attachments;
    const text = blocks[1].elements[0].text.replaceAll("&amp;", "&");
    return [...text.matchAll(/<(https:[^|<>]+)\|\w+>/g)].map(([, url = ""]) => url);
  },
  refusals: [
    { answer: { status: 400, body: "invalid_payload" }, retryable: false },
    { answer: { status: 403, body: "action_prohibited" }, retryable: false },
    { answer: { status: 404, body: "no_service" }, retryable: false, address: "gone" },
    { answer: { status: 404, body: "channel_not_found" }, retryable: false },
    { answer: { status: 410, body: "channel_is_archived" }, retryable: false, address: "gone" },
    { answer: { status: 200, body: "no_service" }, retryable: false, address: "gone" },
    { answer: { status: 200, body: "invalid_payload" }, retryable: false },
    { answer: { status: 200, body: "rollup_error" }, retryable: true },
    { answer: { status: 500, body: "rollup_error" }, retryable: true },
    {
      answer: { status: 429, headers: { "retry-after": "30" }, body: "rate_limited" },
      retryable: true,
      retryAfterMs: 30_000,
    },
  ],
});

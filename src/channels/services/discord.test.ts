import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { unescapedMarkdown, withoutCode } from "../../../test/unescaped-markdown.ts";
import { discord } from "./discord.ts";

/** As the references of Execute Webhook and of embeds have it. */
const payload = z.strictObject({
  embeds: z.tuple([
    z.strictObject({
      title: z.string().min(1).max(256),
      description: z.string().max(4096),
      color: z.int().max(0xffffff),
      timestamp: z.iso.datetime(),
      footer: z.strictObject({ text: z.string().max(2048) }),
    }),
  ]),
  allowed_mentions: z.strictObject({ parse: z.array(z.enum(["roles", "users", "everyone"])) }),
});

// guard: Markdown of strangers = nothing that strangers say is more than text
serviceContract(discord, {
  address: "https://discord.com/api/webhooks/1234567890/abc-DEF_s3cret",
  others: [
    "https://discordapp.com/api/webhooks/1/x",
    "https://canary.discord.com/api/v10/webhooks/1/x?thread_id=2",
  ],
  foreign: [
    "https://discord.com/api/webhooks/1/x/slack",
    "https://discord.com/api/webhooks/1/x/github",
    "https://evil-discord.com/api/webhooks/1/x",
  ],
  secrets: ["s3cret"],
  answer({ path, body }) {
    const waits = new URL(path, "https://discord.com").searchParams.get("wait") === "true";
    const parsed = payload.safeParse(JSON.parse(body));
    if (!parsed.success)
      return { status: 400, body: '{"code":50035,"message":"Invalid Form Body"}' };
    return waits ? { status: 200, body: '{"id":"1"}' } : { status: 204 };
  },
  shown({ body }) {
    const { embeds, allowed_mentions: mentions } = payload.parse(JSON.parse(body));
    const alive = mentions.parse.length > 0 ? /^/ : unescapedMarkdown;
    return embeds.flatMap(({ title, description }) => [
      { text: title, alive },
      { text: withoutCode(description), alive: /[<@[\]_~`]/ },
    ]);
  },
  refusals: [
    {
      answer: { status: 404, body: '{"code":10015,"message":"Unknown Webhook"}' },
      retryable: false,
      address: "gone",
    },
    { answer: { status: 404, body: '{"code":10003}' }, retryable: false },
    { answer: { status: 401, body: '{"code":50027,"message":"Invalid Token"}' }, retryable: false },
    { answer: { status: 400, body: '{"code":50035}' }, retryable: false },
    {
      answer: {
        status: 429,
        headers: { "retry-after": "65" },
        body: '{"message":"You are being rate limited.","retry_after":64.57,"global":false}',
      },
      retryable: true,
      retryAfterMs: 64_570,
    },
    {
      answer: { status: 429, headers: { "retry-after": "65" }, body: "<html>" },
      retryable: true,
      retryAfterMs: 65_000,
    },
    { answer: { status: 500, body: "" }, retryable: true },
  ],
});

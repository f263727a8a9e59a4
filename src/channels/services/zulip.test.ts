import assert from "node:assert/strict";
import { test } from "node:test";

import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { sampleAlertContext } from "../../../test/sample-alert.ts";
import { withoutCode } from "../../../test/unescaped-markdown.ts";
import { zulip } from "./zulip.ts";

/** As the reference of "Send a message" has it. */
const message = z.strictObject({
  type: z.literal("stream"),
  to: z.string().min(1),
  topic: z.string().min(1).max(60),
  content: z.string().min(1).max(10_000),
});
const email = "watchpost+ops-bot@example.zulipchat.com";
const key = "a0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5";
const basic = `Basic ${Buffer.from(`${email}:${key}`).toString("base64")}`;
const bot = `https://example.zulipchat.com/api/v1/messages?email=${email}&key=${key}`;

const parsed = (body: string) => message.safeParse(Object.fromEntries(new URLSearchParams(body)));

function refused(code: string, rest: object = {}): string {
  return JSON.stringify({ result: "error", msg: "no", code, ...rest });
}

serviceContract(zulip, {
  address: `${bot}&to=ops%20alerts`,
  others: ["https://chat.example.com/zulip/api/v1/messages?email=a@b.c&key=x&to=7&topic=Down"],
  foreign: ["https://example.zulipchat.com/api/v1/messages", bot],
  secrets: [key, email],
  answer({ path, headers, body }) {
    if (headers.authorization !== basic || path !== "/api/v1/messages")
      return { status: 401, body: refused("INVALID_API_KEY") };
    const isForm = headers["content-type"] === "application/x-www-form-urlencoded";
    return isForm && parsed(body).data?.to === "ops alerts"
      ? { status: 200, body: '{"result":"success","msg":"","id":42}' }
      : { status: 400, body: refused("BAD_REQUEST") };
  },
  shown({ body }) {
    const { content = "", topic = "" } = parsed(body).data ?? {};
    return [
      { text: content, alive: /[\p{Cf}\p{Cs}]/u },
      { text: withoutCode(content), alive: /[<@[\]_~`$]/ },
      { text: topic, alive: /[\n\p{Cf}\p{Cs}]/u },
    ];
  },
  refusals: [
    { answer: { status: 401, body: refused("INVALID_API_KEY") }, retryable: false },
    { answer: { status: 400, body: refused("STREAM_DOES_NOT_EXIST") }, retryable: false },
    { answer: { status: 403, body: refused("USER_DEACTIVATED") }, retryable: false },
    {
      answer: { status: 429, body: refused("RATE_LIMIT_HIT", { "retry-after": 28.706 }) },
      retryable: true,
      retryAfterMs: 28_706,
    },
    { answer: { status: 500, body: "" }, retryable: true },
  ],
});

test("Zulip: a check has one topic, down and up, unless the address names another", () => {
  const topicOf = (kind: "down" | "up", more = ""): unknown =>
    Reflect.get(
      zulip.requestOf(sampleAlertContext(kind), new URL(`${bot}&to=ops${more}`)).body,
      "topic",
    );
  assert.deepEqual([topicOf("down"), topicOf("up")], ["Shop", "Shop"]);
  assert.equal(topicOf("down", "&topic=Outages"), "Outages");
});

test("Zulip: a direct message names people, and has no topic", () => {
  const url = new URL(`${bot}&type=direct&to=ann@example.com,bob+ops@example.com`);
  const { body } = zulip.requestOf(sampleAlertContext("down"), url);
  assert.deepEqual(Object.keys(body), ["type", "to", "content"]);
  assert.equal(Reflect.get(body, "type"), "direct");
  assert.equal(Reflect.get(body, "to"), '["ann@example.com","bob+ops@example.com"]');
});

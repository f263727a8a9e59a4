import assert from "node:assert/strict";
import { test } from "node:test";

import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { sampleAlertContext } from "../../../test/sample-alert.ts";
import { pushover, pushoverUrl } from "./pushover.ts";

const token = "azGDORePK8gMaC0QOYAMyEEuzJnyUi";
const user = "uQiRzpo4DXghDmr9QzzfQu27cmVRsG";
const seconds = z.coerce.number().int();

/** As the reference of the message API has it; parameters that it does not know are ignored. */
const message = z
  .object({
    token: z.literal(token),
    user: z.literal(user),
    title: z.string().max(250),
    message: z.string().min(1).max(1024),
    url: z.string().max(512),
    url_title: z.string().max(100),
    timestamp: seconds,
    priority: z.enum(["-2", "-1", "0", "1", "2"]),
    retry: seconds.min(30).optional(),
    expire: seconds.max(10_800).optional(),
    html: z.undefined().optional(),
  })
  .refine(({ priority, retry, expire }) => priority !== "2" || (retry && expire));

const parsed = (body: string) => message.safeParse(Object.fromEntries(new URLSearchParams(body)));

function refused(status: number, error: string): { status: number; body: string } {
  return { status, body: JSON.stringify({ status: 0, errors: [error], request: "x" }) };
}

serviceContract(pushover, {
  address: pushoverUrl(token, user),
  others: [`${pushoverUrl(token, user)}&device=phone`],
  foreign: ["https://api.pushover.net/1/glances.json", "https://pushover.net/1/messages.json"],
  secrets: [token, user],
  answer({ path, headers, body }) {
    const isForm = headers["content-type"] === "application/x-www-form-urlencoded";
    return isForm && path === "/1/messages.json" && parsed(body).success
      ? { status: 200, body: '{"status":1,"request":"x"}' }
      : refused(400, "message cannot be blank");
  },
  shown({ body }) {
    const { data } = parsed(body);
    return [
      { text: data?.title ?? "", alive: /[\n\p{Cf}\p{Cs}]/u },
      { text: data?.message ?? "", alive: /[\p{Cf}\p{Cs}]/u },
    ];
  },
  refusals: [
    { answer: refused(400, "user identifier is invalid"), retryable: false, address: "gone" },
    { answer: refused(400, "user has no active devices"), retryable: false },
    {
      answer: refused(400, "application token is invalid, see https://pushover.net/api"),
      retryable: false,
      address: undefined,
    },
    {
      answer: refused(200, "application token is invalid"),
      retryable: false,
      address: undefined,
    },
    { answer: refused(429, "application is over its quota"), retryable: true },
    { answer: { status: 500, body: "" }, retryable: true, retryAfterMs: 5000 },
  ],
});

test("Pushover: a URL can add to a message, but not make markup of it", () => {
  const url = new URL(`${pushoverUrl(token, user)}&device=phone&html=1`);
  const { body } = pushover.requestOf(sampleAlertContext("down"), url);
  assert.deepEqual([Reflect.get(body, "device"), Reflect.get(body, "html")], ["phone", undefined]);
});

for (const { priority, kind, expected } of [
  { priority: -2, kind: "down", expected: ["-2", undefined] },
  { priority: 2, kind: "down", expected: ["2", "60"] },
  { priority: 2, kind: "up", expected: ["1", undefined] },
  { priority: undefined, kind: "up", expected: ["0", undefined] },
] as const) {
  test(`Pushover: an address of priority ${priority} is sent ${kind} with ${expected[0]}`, () => {
    const context = sampleAlertContext(kind, {}, { priority });
    const { body } = pushover.requestOf(context, new URL(pushoverUrl(token, user)));
    assert.deepEqual([Reflect.get(body, "priority"), Reflect.get(body, "retry")], expected);
  });
}

import assert from "node:assert/strict";
import { test } from "node:test";

import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { sampleAlertContext } from "../../../test/sample-alert.ts";
import { pagerduty, pagerdutyUrl } from "./pagerduty.ts";

const key = "a1B2c3D4".repeat(4);
const keys = {
  routing_key: z.literal(key),
  dedup_key: z.string().min(1).max(255),
};
/** As the schema of Events API v2 has it. */
const event = z.discriminatedUnion("event_action", [
  z.strictObject({
    ...keys,
    event_action: z.literal("trigger"),
    payload: z.strictObject({
      summary: z.string().min(1).max(1024),
      source: z.string().min(1),
      severity: z.enum(["critical", "error", "warning", "info"]),
      timestamp: z.iso.datetime(),
      class: z.string(),
      custom_details: z.record(z.string(), z.unknown()),
    }),
    client: z.string(),
    client_url: z.url(),
  }),
  z.strictObject({ ...keys, event_action: z.enum(["acknowledge", "resolve"]) }),
]);

const MAX_BYTES = 512 * 1024;

serviceContract(pagerduty, {
  address: `https://events.pagerduty.com/v2/enqueue?routing_key=${key}`,
  others: [
    `https://events.eu.pagerduty.com/v2/enqueue?routing_key=${key}`,
    `https://events.pagerduty.com/integration/${key}/enqueue`,
  ],
  foreign: [
    "https://events.pagerduty.com/v2/change/enqueue",
    "https://events.pagerduty.com.evil.example/v2/enqueue",
  ],
  secrets: [key],
  answer({ path, body }) {
    const fits = Buffer.byteLength(body) <= MAX_BYTES && event.safeParse(JSON.parse(body)).success;
    return fits && !path.includes("routing_key")
      ? { status: 202, body: '{"status":"success","message":"Event processed","dedup_key":"x"}' }
      : { status: 400, body: '{"status":"invalid event","errors":[]}' };
  },
  shown({ body }) {
    const sent = event.parse(JSON.parse(body));
    return sent.event_action === "trigger"
      ? [{ text: sent.payload.summary, alive: /[\n\p{Cf}\p{Cs}]/u }]
      : [];
  },
  incident({ body }) {
    const { event_action: action, dedup_key: key } = event.parse(JSON.parse(body));
    return { key, isOver: action === "resolve" };
  },
  refusals: [
    { answer: { status: 400, body: '{"status":"invalid event"}' }, retryable: false },
    { answer: { status: 429, body: "" }, retryable: true },
    { answer: { status: 500, body: "" }, retryable: true },
  ],
});

test("an outage that is told of after its end is informational, and began when it did", () => {
  const context = sampleAlertContext("missed");
  const { since, downForMs = 0 } = context.alert.notice;
  const { body } = pagerduty.requestOf(context, new URL(pagerdutyUrl(key)));
  const { payload } = z
    .object({ payload: z.object({ severity: z.string(), timestamp: z.string() }) })
    .parse(body);
  assert.equal(payload.severity, "info");
  assert.equal(payload.timestamp, new Date(since - downForMs).toISOString());
});

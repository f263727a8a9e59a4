import assert from "node:assert/strict";
import { test } from "node:test";

import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { sampleAlertContext } from "../../../test/sample-alert.ts";
import { ntfy } from "./ntfy.ts";

/** As the section on publishing as JSON has it. */
const message = z.strictObject({
  topic: z.string().regex(/^[-\w]{1,64}$/),
  title: z.string(),
  message: z.string().refine((text) => Buffer.byteLength(text) <= 4096),
  priority: z.int().min(1).max(5),
  tags: z.array(z.string()),
  click: z.url(),
  actions: z
    .array(z.strictObject({ action: z.literal("view"), label: z.string(), url: z.url() }))
    .max(3)
    .optional(),
});

/** Twice what a message may have, as its server has it. */
const MAX_JSON_BYTES = 8192;

function refused(code: number, error: string): { status: number; body: string } {
  const http = Math.floor(code / 100);
  return { status: http, body: JSON.stringify({ code, http, error }) };
}

serviceContract(ntfy, {
  address: "https://ntfy.sh/alerts-of_ops?auth=QmVhcmVy",
  others: ["http://ntfy.example.com:8080/ops"],
  foreign: ["https://ntfy.sh/", "https://ntfy.sh/ops/json", "https://notntfy.sh/ops"],
  secrets: ["QmVhcmVy"],
  answer({ path, body }) {
    if (Buffer.byteLength(body) > MAX_JSON_BYTES) return refused(41_303, "JSON body too large");
    if (!path.startsWith("/?auth=QmVhcmVy")) return refused(40_301, "forbidden");
    return message.safeParse(JSON.parse(body)).success
      ? { status: 200, body: '{"id":"sPs71M8A2T","event":"message"}' }
      : refused(40_024, "invalid request: request body must be valid JSON");
  },
  // Only a message that says so is Markdown.
  shown: ({ body }) => [
    { text: message.parse(JSON.parse(body)).title, alive: /[\n\p{Cf}\p{Cs}]/u },
  ],
  links({ body }) {
    const { click, actions = [] } = message.parse(JSON.parse(body));
    return [click, ...actions.map(({ url }) => url)];
  },
  refusals: [
    { answer: refused(40_009, "invalid request: topic invalid"), retryable: false },
    { answer: refused(40_101, "unauthorized"), retryable: false },
    { answer: refused(40_301, "forbidden"), retryable: false },
    { answer: refused(42_901, "limit reached: too many requests"), retryable: true },
    { answer: refused(42_908, "limit reached: daily message quota reached"), retryable: true },
    { answer: refused(50_001, "internal server error"), retryable: true },
  ],
});

test("ntfy: no URL makes Markdown of a message", () => {
  const { headers } = ntfy.requestOf(
    sampleAlertContext("down"),
    new URL("https://ntfy.sh/ops?auth=QmVhcmVy&md=1"),
  );
  // Its server asks for this name first, and for headers before the query.
  assert.equal(headers?.["x-markdown"], "no");
});

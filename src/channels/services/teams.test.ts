import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { teams } from "./teams.ts";

const run = z.strictObject({
  type: z.literal("TextRun"),
  text: z.string(),
  weight: z.literal("bolder").optional(),
  size: z.literal("large").optional(),
  color: z.enum(["attention", "good"]).optional(),
});
/** As the schema of Adaptive Cards 1.4 has it; the lines are runs, which know no Markdown. */
const payload = z.strictObject({
  type: z.literal("message"),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal("application/vnd.microsoft.card.adaptive"),
      content: z.strictObject({
        $schema: z.url(),
        type: z.literal("AdaptiveCard"),
        version: z.literal("1.4"),
        body: z.array(
          z.strictObject({ type: z.literal("RichTextBlock"), inlines: z.array(run).min(1) }),
        ),
        actions: z.array(
          z.strictObject({ type: z.literal("Action.OpenUrl"), title: z.string(), url: z.url() }),
        ),
        msteams: z.strictObject({ width: z.literal("Full") }),
      }),
    }),
  ]),
});

const MAX_BYTES = 28 * 1024;
const failed = (status: number): string =>
  `Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error ${status} with ContextId x`;

serviceContract(teams, {
  address:
    "https://prod-12.westeurope.logic.azure.com:443/workflows/0a1b/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=s3cret",
  others: [
    "https://default0a1b.12.environment.api.powerplatform.com/powerautomate/automations/direct/workflows/0a/triggers/manual/paths/invoke?api-version=1&sig=x",
    "https://example.webhook.office.com/webhookb2/0a@0b/IncomingWebhook/0c/0d",
  ],
  foreign: ["https://logic.azure.com.evil.example/workflows/x", "https://evillogic.azure.com/x"],
  secrets: ["s3cret"],
  answer({ body }) {
    if (Buffer.byteLength(body) > MAX_BYTES) return { status: 413 };
    return payload.safeParse(JSON.parse(body)).success ? { status: 202 } : { status: 400 };
  },
  shown({ body }) {
    const [{ content }] = payload.parse(JSON.parse(body)).attachments;
    return content.body.flatMap(({ inlines }) =>
      inlines.map(({ text }) => ({ text, alive: /[\n\p{Cf}\p{Cs}]/u })),
    );
  },
  links: ({ body }) =>
    payload.parse(JSON.parse(body)).attachments[0].content.actions.map(({ url }) => url),
  refusals: [
    {
      answer: { status: 400, body: '{"error":{"code":"TriggerInputSchemaMismatch"}}' },
      retryable: false,
    },
    {
      answer: { status: 401, body: '{"error":{"code":"DirectApiAuthorizationRequired"}}' },
      retryable: false,
    },
    { answer: { status: 404, body: '{"error":{"code":"WorkflowNotFound"}}' }, retryable: false },
    {
      answer: { status: 429, headers: { "retry-after": "17" }, body: "{}" },
      retryable: true,
      retryAfterMs: 17_000,
    },
    { answer: { status: 200, body: failed(429) }, retryable: true },
    { answer: { status: 200, body: failed(503) }, retryable: true },
    { answer: { status: 200, body: failed(403) }, retryable: false },
  ],
});

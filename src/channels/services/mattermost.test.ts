import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { unescapedMarkdown, withoutCode } from "../../../test/unescaped-markdown.ts";
import { mattermost } from "./mattermost.ts";

/** As the references of incoming webhooks and of message attachments have it. */
const payload = z.strictObject({
  attachments: z.tuple([
    z.strictObject({
      color: z.string(),
      fallback: z.string().min(1),
      title: z.string().min(1),
      text: z.string(),
      footer: z.string(),
    }),
  ]),
});

/** Limit of older servers (https://gitlab.com/gitlab-org/gitlab-foss/-/issues/37555), which count the attachments' JSON as encoded by Go. */
const MAX_ATTACHMENTS_LENGTH = 7900;
const id = "xxx9generatedkey8xxx1y2z3a";

function refused(status: number, id: string): { status: number; body: string } {
  return { status, body: JSON.stringify({ id, message: "no", status_code: status }) };
}

serviceContract(mattermost, {
  address: `https://chat.example.com/hooks/${id}`,
  others: [`http://10.0.0.1:8065/team/hooks/${id}`],
  foreign: [
    "https://chat.example.com/hooks/short",
    `https://chat.example.com/hooks/${id}/token`,
    "https://example.com/hooks/",
  ],
  secrets: [id],
  answer({ body }) {
    const parsed = payload.safeParse(JSON.parse(body));
    const kept = JSON.stringify(parsed.data?.attachments ?? "").replaceAll(/[<>&]/g, "\\u003c");
    return parsed.success && kept.length <= MAX_ATTACHMENTS_LENGTH
      ? { status: 200, body: "ok" }
      : refused(400, "web.incoming_webhook.parse.app_error");
  },
  shown({ body }) {
    const [{ title, text }] = payload.parse(JSON.parse(body)).attachments;
    return [
      { text: title, alive: unescapedMarkdown },
      { text: withoutCode(text), alive: /[<@[\]_~`]/ },
    ];
  },
  refusals: [
    { answer: refused(400, "web.incoming_webhook.invalid.app_error"), retryable: false },
    { answer: refused(404, "api.context.404.app_error"), retryable: false },
    { answer: refused(403, "api.incoming_webhook.disabled.app_error"), retryable: false },
    { answer: refused(500, "web.incoming_webhook.channel.app_error"), retryable: true },
    {
      answer: { ...refused(429, "rate"), headers: { "retry-after": "1" } },
      retryable: true,
      retryAfterMs: 1000,
    },
  ],
});

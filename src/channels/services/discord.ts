import { responseJson, secondsInMs } from "../webhook/response-json.ts";
import { escapeMarkdown, markdownLine } from "../format/markup.ts";
import { takeLines, truncate, stateColors, summaryLines } from "../format/alert-lines.ts";
import { pageUrlOf, summaryOf } from "../format/alert-text.ts";
import type { Service } from "./service.ts";

const hosts = /^((canary|ptb)\.)?discord(app)?\.com$/;
const path = /^\/api(\/v\d+)?\/webhooks\/\d+\/[\w-]+\/?$/;
const MAX_TITLE_LENGTH = 256;
const MAX_DESCRIPTION_LENGTH = 4096;
/** Error code of https://discord.com/developers/docs/topics/opcodes-and-status-codes: the webhook or its channel was deleted. */
const UNKNOWN_WEBHOOK = 10_015;

export const discord: Service = {
  name: "Discord",
  group: "chat",
  guide: "https://support.discord.com/hc/en-us/articles/228383668",
  recipe: {
    steps: "In the settings of a channel: Integrations, Webhooks, New Webhook, Copy Webhook URL.",
    addresses: ["https://discord.com/api/webhooks/1234567890/AbCdEf-gHiJkL"],
  },
  addresses: ["{url}"],
  fields: [
    {
      name: "url",
      title: { en: "Webhook URL", de: "Webhook-URL" },
      help: {
        en: "Channel settings, Integrations, Webhooks, Copy Webhook URL",
        de: "Kanaleinstellungen, Integrationen, Webhooks, Webhook-URL kopieren",
      },
      example: "https://discord.com/api/webhooks/1234567890/AbCdEf-gHiJkL",
      kind: "url",
      secret: true,
    },
  ],
  matches: ({ hostname, pathname }) => hosts.test(hostname) && path.test(pathname),
  requestOf(context, url) {
    const summary = summaryOf(context);
    const { notice, createdAt } = context.alert;
    const lines = takeLines(summaryLines(summary, markdownLine), MAX_DESCRIPTION_LENGTH);
    const waiting = new URL(url);
    // Otherwise Discord responds before it has stored the message.
    waiting.searchParams.set("wait", "true");
    return {
      url: waiting,
      body: {
        embeds: [
          {
            title: truncate(escapeMarkdown(summary.subject), MAX_TITLE_LENGTH),
            description: lines.join("\n"),
            color: Number.parseInt(stateColors[notice.state].slice(1), 16),
            timestamp: new Date(createdAt).toISOString(),
            footer: { text: pageUrlOf(context) },
          },
        ],
        allowed_mentions: { parse: [] },
      },
    };
  },
  failureDetailsOf({ status, text }) {
    const { code, retry_after: seconds } = responseJson(text);
    if (status === 404 && code === UNKNOWN_WEBHOOK) return { address: "gone" };
    return status === 429 ? { retryAfterMs: secondsInMs(seconds) } : undefined;
  },
};

import { escapeMarkdown, markdownLine } from "../format/markup.ts";
import { takeLines, stateColors, summaryLines } from "../format/alert-lines.ts";
import { pageUrlOf, summaryOf } from "../format/alert-text.ts";
import type { Service } from "./service.ts";

/** Older servers take 7900 characters of attachments, in the JSON that Go makes of them. */
const MAX_TEXT_LENGTH = 6500;

/** Incoming webhooks, on whatever host the server is: their ids have 26 letters and digits. */
export const mattermost: Service = {
  name: "Mattermost",
  group: "chat",
  guide: "https://developers.mattermost.com/integrate/webhooks/incoming/",
  recipe: {
    steps:
      "Integrations, Incoming Webhooks, Add. Any URL that ends in `/hooks/` and an id of 26 letters and digits.",
    addresses: ["https://chat.example.com/hooks/xxx9generatedkey8xxx1y2z3a"],
  },
  addresses: ["{url}"],
  fields: [
    {
      name: "url",
      title: { en: "Webhook URL", de: "Webhook-URL" },
      help: {
        en: "Integrations, Incoming Webhooks, Add",
        de: "Integrationen, Eingehende Webhooks, Hinzufügen",
      },
      example: "https://chat.example.com/hooks/xxx9generatedkey8xxx1y2z3a",
      kind: "url",
      secret: true,
    },
  ],
  matches: ({ pathname }) => /\/hooks\/[a-z0-9]{26}$/.test(pathname),
  requestOf(context, url) {
    const summary = summaryOf(context);
    const lines = takeLines(summaryLines(summary, markdownLine), MAX_TEXT_LENGTH, sizeOf);
    return {
      url,
      body: {
        attachments: [
          {
            color: stateColors[context.alert.notice.state],
            fallback: summary.subject,
            // Mentions are looked for in texts, never in titles and code.
            title: escapeMarkdown(summary.subject),
            text: lines.join("\n"),
            footer: pageUrlOf(context),
          },
        ],
      },
    };
  },
};

function sizeOf(line: string): number {
  return JSON.stringify(line).replaceAll(/[<>&]/g, String.raw`\u003c`).length;
}

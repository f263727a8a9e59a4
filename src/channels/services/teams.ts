import { takeLines, summaryLines, withoutLinks } from "../format/alert-lines.ts";
import { summaryOf } from "../format/alert-text.ts";
import { linksOf } from "./links.ts";
import type { Service } from "./service.ts";

const hosts = /\.(logic\.azure\.com|powerplatform\.com|webhook\.office\.com)$/;
/** A message has at most 28 KB, the card around its lines included. */
const MAX_BYTES = 20_000;
const BYTES_OF_A_BLOCK = 80;

/** Workflows that post a card when a webhook request is received, and what is left of the connectors before them. */
export const teams: Service = {
  name: "Microsoft Teams",
  group: "chat",
  guide: "https://support.microsoft.com/en-us/office/8ae491c7-0394-4861-ba59-055e33f75498",
  recipe: {
    steps:
      'Workflows: "Send webhook alerts to a channel". What is left of the connectors, at `….webhook.office.com`, is called too.',
    addresses: [
      "https://prod-12.westeurope.logic.azure.com/workflows/0a1b/triggers/manual/paths/invoke?api-version=2016-06-01&sig=s3cret",
    ],
  },
  addresses: ["{url}"],
  fields: [
    {
      name: "url",
      title: { en: "Workflow URL", de: "URL des Workflows" },
      help: {
        en: 'The menu of the channel, Workflows, "Send webhook alerts to a channel"',
        de: "Menü des Kanals, Workflows, „Webhook-Benachrichtigungen an einen Kanal senden“",
      },
      example:
        "https://prod-12.westeurope.logic.azure.com/workflows/0a1b/triggers/manual/paths/invoke?api-version=2016-06-01&sig=s3cret",
      kind: "url",
      secret: true,
    },
  ],
  matches: ({ hostname }) => hosts.test(hostname),
  requestOf(context, url) {
    const summary = withoutLinks(summaryOf(context));
    const color = context.alert.notice.state === "failing" ? "attention" : "good";
    const title = { text: summary.subject, weight: "bolder", size: "large", color };
    const lines = takeLines(summaryLines(summary), MAX_BYTES, sizeOf);
    const content = {
      $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
      type: "AdaptiveCard",
      version: "1.4",
      body: [textBlock(title), ...lines.map((text) => textBlock({ text }))],
      actions: linksOf(context).map((link) => ({ type: "Action.OpenUrl", ...link })),
      msteams: { width: "Full" },
    };
    return {
      url,
      body: {
        type: "message",
        attachments: [{ contentType: "application/vnd.microsoft.card.adaptive", content }],
      },
    };
  },
  /** A connector responds with 200 and names the status that it received in the body. */
  failureDetailsOf({ status, text }) {
    const [, inner] = /delivery failed with error: .*HTTP error (\d{3})/s.exec(text) ?? [];
    if (status !== 200 || inner === undefined) return undefined;
    return { retryable: inner === "429" || inner.startsWith("5") };
  },
};

/** Unlike a TextBlock it knows no Markdown. */
function textBlock(run: { readonly text: string }): object {
  return { type: "RichTextBlock", inlines: [{ type: "TextRun", ...run }] };
}

function sizeOf(line: string): number {
  return Buffer.byteLength(JSON.stringify(line)) + BYTES_OF_A_BLOCK;
}

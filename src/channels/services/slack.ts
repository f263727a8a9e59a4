import { escapeTags } from "../format/markup.ts";
import { takeLines, stateColors, summaryLines, withoutLinks } from "../format/alert-lines.ts";
import { summaryOf } from "../format/alert-text.ts";
import { linksOf } from "./links.ts";
import type { Service } from "./service.ts";

const hosts = new Set(["hooks.slack.com", "hooks.slack-gov.com"]);
const MAX_SECTION_LENGTH = 3000;
const error =
  /^(?:action|channel|invalid|missing|no|posting|rate|rollup|team|too|user)(?:_[a-z]+)+$/;

/** Incoming webhooks. Workflow URLs are different: they accept the variables that the workflow declares. */
export const slack: Service = {
  name: "Slack",
  group: "chat",
  guide: "https://api.slack.com/messaging/webhooks",
  recipe: {
    steps:
      "Create an app at api.slack.com/apps with Incoming Webhooks, and add one to a channel. A workflow wants `data` of [its own](webhooks.md#a-request-of-your-own).",
    addresses: ["https://hooks.slack.com/services/T0000/B0000/XXXXXXXX"],
  },
  addresses: ["{url}"],
  fields: [
    {
      name: "url",
      title: { en: "Webhook URL", de: "Webhook-URL" },
      help: {
        en: "Your app, Incoming Webhooks, Add New Webhook to Workspace",
        de: "Ihre App, Incoming Webhooks, Add New Webhook to Workspace",
      },
      example: "https://hooks.slack.com/services/T0000/B0000/XXXXXXXX",
      kind: "url",
      secret: true,
    },
  ],
  matches: ({ hostname, pathname }) => hosts.has(hostname) && pathname.startsWith("/services/"),
  requestOf(alertContext, url) {
    const summary = withoutLinks(summaryOf(alertContext));
    const links = linksOf(alertContext).map(
      ({ title, url: link }) => `<${escapeTags(link)}|${title}>`,
    );
    const lines = takeLines(summaryLines(summary), MAX_SECTION_LENGTH);
    return {
      url,
      body: {
        text: escapeTags(summary.subject),
        mrkdwn: false,
        parse: "none",
        link_names: false,
        unfurl_links: false,
        unfurl_media: false,
        attachments: [
          {
            color: stateColors[alertContext.alert.notice.state],
            blocks: [
              { type: "section", text: plainText(lines.join("\n")) },
              { type: "context", elements: [{ type: "mrkdwn", text: links.join("   ") }] },
            ],
          },
        ],
      },
    };
  },
  /** An error may come with a 200: a word in place of `ok`. */
  failureDetailsOf({ status, text }) {
    const word = text.trim();
    if (word === "no_service") return { retryable: false, address: "gone" };
    return status === 200 && error.test(word)
      ? { retryable: word === "rollup_error" || word === "rate_limited" }
      : undefined;
  },
};

/** Nothing is markup in it. */
function plainText(text: string): object {
  return { type: "plain_text", text, emoji: false };
}

import { escapeTags } from "../format/markup.ts";
import { takeLines, summaryLines, withoutLinks } from "../format/alert-lines.ts";
import { summaryOf } from "../format/alert-text.ts";
import { linksOf } from "./links.ts";
import type { Service } from "./service.ts";

/** A message has at most 32,000 bytes, its card included. */
const MAX_BYTES = 28_000;

export const googleChat: Service = {
  name: "Google Chat",
  group: "chat",
  guide: "https://developers.google.com/workspace/chat/quickstart/webhooks",
  recipe: {
    steps: "In a space: Apps & integrations, Webhooks, Add webhook.",
    addresses: ["https://chat.googleapis.com/v1/spaces/AAAAxyz/messages?key=AIzaSy&token=t0ken"],
  },
  addresses: ["{url}"],
  fields: [
    {
      name: "url",
      title: { en: "Webhook URL", de: "Webhook-URL" },
      help: {
        en: "In the space: Apps & integrations, Webhooks, Add webhook",
        de: "Im Gruppenbereich: Apps und Integrationen, Webhooks, Webhook hinzufügen",
      },
      example: "https://chat.googleapis.com/v1/spaces/AAAAxyz/messages?key=AIzaSy&token=t0ken",
      kind: "url",
      secret: true,
    },
  ],
  matches: ({ hostname, pathname }) =>
    hostname === "chat.googleapis.com" && /^\/v1\/spaces\/[^/]+\/messages$/.test(pathname),
  requestOf(context, url) {
    const summary = withoutLinks(summaryOf(context));
    const lines = takeLines(summaryLines(summary).map(escapeTags), MAX_BYTES, sizeOf);
    const buttons = linksOf(context).map(({ title, url: link }) => ({
      text: title,
      onClick: { openLink: { url: link } },
    }));
    const widgets = [{ textParagraph: { text: lines.join("<br>") } }, { buttonList: { buttons } }];
    return {
      url,
      body: {
        fallbackText: summary.subject,
        cardsV2: [
          {
            cardId: context.alert.id,
            card: { header: { title: summary.subject }, sections: [{ widgets }] },
          },
        ],
      },
    };
  },
};

function sizeOf(line: string): number {
  return Buffer.byteLength(JSON.stringify(`${line}<br>`));
}

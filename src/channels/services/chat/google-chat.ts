import { escapeTags } from "../../format/markup.ts";
import { takeLines, summaryLines } from "../../format/alert-lines.ts";
import { pageUrlOf, summaryOf } from "../../format/alert-text.ts";
import type { Service } from "../service.ts";

/** A message has at most 32,000 bytes, its card included. */
const MOST_BYTES = 28_000;

export const googleChat: Service = {
  name: "Google Chat",
  matches: ({ hostname, pathname }) =>
    hostname === "chat.googleapis.com" && /^\/v1\/spaces\/[^/]+\/messages$/.test(pathname),
  requestOf(context, url) {
    const summary = summaryOf(context);
    const lines = takeLines(summaryLines(summary).map(escapeTags), MOST_BYTES, sizeOf);
    const link = { text: "Watchpost", onClick: { openLink: { url: pageUrlOf(context) } } };
    const widgets = [
      { textParagraph: { text: lines.join("<br>") } },
      { buttonList: { buttons: [link] } },
    ];
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

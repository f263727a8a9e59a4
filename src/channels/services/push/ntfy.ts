import { takeLines, summaryLines, withoutLinks } from "../../format/alert-lines.ts";
import { pageUrlOf, summaryOf } from "../../format/alert-text.ts";
import { acknowledgeLinksOf } from "../links.ts";
import type { Service } from "../service.ts";

/** A message of more bytes becomes a file to download, and JSON of more than twice as many is refused. */
const MOST_BYTES = 4096;
const QUOTES = 2;
const path = /^\/(?<topic>[-\w]{1,64})$/;

/** A topic at ntfy.sh, or at a host that is called ntfy. */
export const ntfy: Service = {
  name: "ntfy",
  matches: ({ hostname, pathname }) => hostname.startsWith("ntfy.") && path.test(pathname),
  requestOf(context, url) {
    const summary = withoutLinks(summaryOf(context));
    const buttons = acknowledgeLinksOf(context);
    const fails = context.alert.notice.state === "failing";
    return {
      url: new URL(`/${url.search}`, url),
      // Overrides what the URL or the headers of the address set.
      headers: { "x-markdown": "no" },
      body: {
        topic: path.exec(url.pathname)?.groups?.topic,
        title: summary.subject,
        message: takeLines(summaryLines(summary), MOST_BYTES, sizeOf).join("\n"),
        priority: fails ? 4 : 3,
        tags: [fails ? "rotating_light" : "white_check_mark"],
        click: pageUrlOf(context),
        ...(buttons.length > 0 && {
          actions: buttons.map(({ title, url: link }) => ({
            action: "view",
            label: title,
            url: link,
          })),
        }),
      },
    };
  },
};

function sizeOf(line: string): number {
  return Buffer.byteLength(JSON.stringify(line)) - QUOTES;
}

import { takeLines, summaryLines, withoutLinks } from "../format/alert-lines.ts";
import { pageUrlOf, summaryOf } from "../format/alert-text.ts";
import { acknowledgeLinksOf } from "./links.ts";
import type { Service, ValueEncoding } from "./service.ts";
import { term } from "../../schema/words.ts";

/** A message of more bytes becomes a file to download, and JSON of more than twice as many is refused. */
const MAX_BYTES = 4096;
const QUOTES = 2;
const path = /^\/(?<topic>[-\w]{1,64})$/;

/** The value of an Authorization header as a parameter, https://docs.ntfy.sh/publish/#query-param. */
const bearerInQuery: ValueEncoding = {
  encode: (token) => Buffer.from(`Bearer ${token}`).toString("base64url"),
  decode: (value) => /^Bearer (.+)$/.exec(Buffer.from(value, "base64url").toString())?.[1],
};

/** A topic at ntfy.sh, or at a host that is called ntfy. */
export const ntfy: Service = {
  name: "ntfy",
  group: "push",
  guide: "https://docs.ntfy.sh/publish/",
  recipe: {
    steps:
      "A topic at ntfy.sh, or at a host whose name begins with `ntfy.`; who knows its name can read it. For a protected topic set `headers` with your `Authorization`.",
    addresses: ["https://ntfy.sh/ops-alerts-x1"],
  },
  addresses: ["{server}/{topic}?auth={token}"],
  fields: [
    {
      name: "server",
      title: term("Server"),
      help: {
        en: "ntfy.sh, or your own server at a host whose name begins with ntfy",
        de: "ntfy.sh oder ein eigener Server, dessen Hostname mit ntfy beginnt",
      },
      example: "https://ntfy.sh",
      kind: "url",
      suggested: "https://ntfy.sh",
    },
    {
      name: "topic",
      title: { en: "Topic", de: "Thema" },
      help: {
        en: "Anyone who knows the name can read an unprotected topic",
        de: "Ein ungeschütztes Thema kann lesen, wer seinen Namen kennt",
      },
      example: "ops-alerts-x1",
      pattern: /^[-\w]{1,64}$/,
    },
    {
      name: "token",
      title: { en: "Access token", de: "Zugangstoken" },
      help: {
        en: "Only for a protected topic: Account, Access tokens",
        de: "Nur für ein geschütztes Thema: Account, Access tokens",
      },
      example: "tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2",
      secret: true,
      optional: true,
      pattern: /^tk_\w+$/,
      encoding: bearerInQuery,
    },
  ],
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
        message: takeLines(summaryLines(summary), MAX_BYTES, sizeOf).join("\n"),
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

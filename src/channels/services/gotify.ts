import type { Mark } from "../format/alert-lines.ts";
import { markdownLine } from "../format/markup.ts";
import { pageUrlOf, subjectOf } from "../format/alert-text.ts";
import { messageText } from "./message-text.ts";
import type { Service } from "./service.ts";

/** No limit is documented. */
const LONGEST_MESSAGE = 10_000;
/** As the app makes sounds: https://github.com/gotify/android#message-priorities. */
const priorities = { failing: 8, passing: 5 };
/** Tokens of applications begin with A, https://gotify.net/docs/pushmsg. */
const token = /^A[\w.-]{14}$/;

/** A message of an application, on whatever host the server is, https://gotify.net/api-docs#/message/createMessage. */
export const gotify: Service = {
  name: "Gotify",
  group: "push",
  guide: "https://gotify.net/docs/pushmsg",
  addresses: ["{server}/message?token={token}"],
  fields: [
    {
      name: "server",
      title: "Server",
      help: "Where your Gotify server is",
      example: "https://gotify.example.com",
      kind: "url",
    },
    {
      name: "token",
      title: "Application token",
      help: "Under Apps; it begins with A",
      example: "AbCdEfGh.iJ_kLm",
      secret: true,
      pattern: /^A[\w.-]{14}$/,
    },
  ],
  matches: ({ pathname, searchParams }) =>
    pathname.endsWith("/message") && token.test(searchParams.get("token") ?? ""),
  requestOf: (context, url) => ({
    url: new URL(url.pathname, url),
    headers: { "x-gotify-key": url.searchParams.get("token") ?? "" },
    body: {
      title: subjectOf(context),
      message: messageText(context, { most: LONGEST_MESSAGE, mark, withSubject: false }),
      priority: priorities[context.alert.notice.state],
      extras: {
        "client::display": { contentType: "text/markdown" },
        "client::notification": { click: { url: pageUrlOf(context) } },
      },
    },
  }),
};

/** In its Markdown a line ends with two spaces. */
function mark(...line: Parameters<Mark>): string {
  return `${markdownLine(...line)}  `;
}

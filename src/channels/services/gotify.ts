import type { Mark } from "../format/alert-lines.ts";
import { markdownLine } from "../format/markup.ts";
import { pageUrlOf, subjectOf } from "../format/alert-text.ts";
import { messageText } from "./message-text.ts";
import type { Service } from "./service.ts";
import { term } from "../../schema/words.ts";

/** No limit is documented. */
const MAX_MESSAGE_LENGTH = 10_000;
/** As the app makes sounds: https://github.com/gotify/android#message-priorities. */
const priorities = { failing: 8, passing: 5 };
/** Tokens of applications begin with A, https://gotify.net/docs/pushmsg. */
const token = /^A[\w.-]{14}$/;

/** A message of an application, on whatever host the server is, https://gotify.net/api-docs#/message/createMessage. */
export const gotify: Service = {
  name: "Gotify",
  group: "push",
  guide: "https://gotify.net/docs/pushmsg",
  recipe: {
    steps:
      "Create an application, and enter the URL of your server with `/message` and the token of the application, which begins with `A`. Failures have priority 8, recoveries 5.",
    addresses: ["https://gotify.example.com/message?token=AbCdEfGh.iJ_kLm"],
  },
  addresses: ["{server}/message?token={token}"],
  fields: [
    {
      name: "server",
      title: term("Server"),
      help: { en: "Where your Gotify server is", de: "Wo Ihr Gotify-Server zu erreichen ist" },
      example: "https://gotify.example.com",
      kind: "url",
    },
    {
      name: "token",
      title: { en: "Application token", de: "Token der Anwendung" },
      help: { en: "Under Apps; it begins with A", de: "Unter Apps; es beginnt mit A" },
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
      message: messageText(context, { most: MAX_MESSAGE_LENGTH, mark, withSubject: false }),
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

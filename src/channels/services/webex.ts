import { markdownLine, replaceBrackets } from "../format/markup.ts";
import { bearerOf } from "./credentials.ts";
import { bytesOf, messageText } from "./message-text.ts";
import type { Service } from "./service.ts";

/** https://developer.webex.com/docs/api/v1/messages/create-a-message. */
const MAX_BYTES = 7439;
const recipients = new Set(["roomId", "toPersonEmail", "toPersonId"]);
const incoming = /^\/v1\/webhooks\/incoming\/[^/]+$/;

/** A message of a bot, whose token and recipient are in the query of the URL; or an incoming webhook, which has both in its path. */
export const webex: Service = {
  name: "Webex",
  group: "chat",
  guide: "https://developer.webex.com/docs/bots",
  recipe: {
    steps:
      "Create a bot at developer.webex.com, add it to the space, and enter its token with `roomId`, or with `toPersonEmail` for a person. Or add the app Incoming Webhooks to the space, and enter the URL that it shows.",
    addresses: [
      "https://webexapis.com/v1/messages?roomId=Y2lzY29zcGFyazovL3Vz&token=NzQ1ZGI4ZTct",
      "https://webexapis.com/v1/webhooks/incoming/Y2lzY29zcGFyazovL3Vz",
    ],
  },
  addresses: [
    "https://webexapis.com/v1/messages?roomId={room}&token={token}",
    "https://webexapis.com/v1/messages?toPersonEmail={person}&token={token}",
  ],
  fields: [
    {
      name: "token",
      title: { en: "Bot token", de: "Token des Bots" },
      help: {
        en: "Shown once, when you create the bot at developer.webex.com",
        de: "Wird einmal gezeigt, wenn Sie den Bot auf developer.webex.com anlegen",
      },
      example: "NzQ1ZGI4ZTct",
      secret: true,
    },
    {
      name: "room",
      title: { en: "Room ID", de: "Raum-ID" },
      help: {
        en: "Of the space; add the bot to it",
        de: "Des Bereichs; nehmen Sie den Bot darin auf",
      },
      example: "Y2lzY29zcGFyazovL3Vz",
    },
    {
      name: "person",
      title: { en: "Email address of a person", de: "E-Mail-Adresse einer Person" },
      help: { en: "In place of a space", de: "An Stelle eines Bereichs" },
      example: "ann@example.com",
      kind: "numbers",
      pattern: /^\S+@\S+$/,
    },
  ],
  matches: ({ hostname, pathname }) =>
    hostname === "webexapis.com" && (pathname === "/v1/messages" || incoming.test(pathname)),
  requestOf(context, url) {
    const to = [...url.searchParams].filter(([name]) => recipients.has(name));
    const markdown = messageText(context, { most: MAX_BYTES, sizeOf: bytesOf, mark });
    return {
      url: new URL(url.pathname, url),
      headers: bearerOf(url, "token"),
      body: { ...Object.fromEntries(to), markdown },
    };
  },
};

/** A mention is a tag. In its Markdown a line ends with two spaces. */
function mark(value: string, ...rest: [string?, true?]): string {
  return `${markdownLine(replaceBrackets(value), ...rest)}  `;
}

import { createHash } from "node:crypto";

import { bearerOf } from "./credentials.ts";
import { messageText } from "./message-text.ts";
import type { Service } from "./service.ts";

/** UTF-16 units, https://developers.line.biz/en/reference/messaging-api/#text-message. */
const MAX_TEXT_LENGTH = 5000;

/** The monthly message quota is used up. */
const usedUp = /monthly limit/;

/** A push message of a bot. LINE Notify was closed in March 2025. */
export const line: Service = {
  name: "LINE",
  group: "chat",
  guide: "https://developers.line.biz/en/docs/messaging-api/getting-started/",
  recipe: {
    steps:
      "Create a channel of the Messaging API (LINE Notify was closed in March 2025), issue a long-lived channel access token, and let the official account be a friend of the user or a member of the group. `to` is the id of the user or group, as a webhook event shows it.",
    addresses: [
      "https://api.line.me/v2/bot/message/push?to=U4af4980629f4a4cdb9a0b1c2d3e4f5a6&token=l0ngLived/ChannelAccessToken=",
    ],
  },
  addresses: ["https://api.line.me/v2/bot/message/push?to={to}&token={token}"],
  fields: [
    {
      name: "to",
      title: { en: "User or group ID", de: "ID des Benutzers oder der Gruppe" },
      help: {
        en: "From a webhook event of the channel; it begins with U, C, or R",
        de: "Aus einem Webhook-Ereignis des Kanals; sie beginnt mit U, C oder R",
      },
      example: "U4af4980629f4a4cdb9a0b1c2d3e4f5a6",
      pattern: /^[UCR][\da-f]{32}$/,
    },
    {
      name: "token",
      title: { en: "Channel access token", de: "Zugangstoken des Kanals" },
      help: {
        en: "The long-lived token of your Messaging API channel",
        de: "Das langlebige Token Ihres Kanals der Messaging API",
      },
      example: "l0ngLived/ChannelAccessToken=",
      secret: true,
    },
  ],
  matches: ({ hostname, pathname }) =>
    hostname === "api.line.me" && pathname === "/v2/bot/message/push",
  requestOf: (context, url) => ({
    url: new URL(url.pathname, url),
    headers: { ...bearerOf(url, "token"), "x-line-retry-key": uuidOf(context.alert.id) },
    body: {
      to: url.searchParams.get("to") ?? "",
      messages: [{ type: "text", text: messageText(context, { most: MAX_TEXT_LENGTH }) }],
    },
  }),
  /** https://developers.line.biz/en/docs/messaging-api/retrying-api-request/: it has accepted this retry key already. */
  repeatedStatus: 409,
  failureDetailsOf({ status, text }) {
    return status === 429 && usedUp.test(text)
      ? { retryable: false, address: "refused" }
      : undefined;
  },
};

/** The same for the same text; version 8 is for whatever a maker likes (RFC 9562, 5.8). */
function uuidOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

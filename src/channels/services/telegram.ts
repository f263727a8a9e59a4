import { isRecord } from "../../kit/safe-json.ts";
import { responseJson, secondsInMs } from "../webhook/response-json.ts";
import { messageText } from "./message-text.ts";
import type { Service } from "./service.ts";

const MAX_TEXT_LENGTH = 4096;
/** Reasons why a chat is closed to the bot. "Cannot write to a user" is not among them, because it also occurs during Telegram's own outages. */
const closed = /bot was blocked by the user|user is deactivated|bot was kicked from/;
/** Fields that would turn the text into markup. */
const ours = new Set(["text", "parse_mode", "entities"]);

/** A message of a bot; the query of the URL names the chat and further parameters of the method. */
export const telegram: Service = {
  name: "Telegram",
  group: "chat",
  guide: "https://core.telegram.org/bots/features#botfather",
  recipe: {
    steps:
      "Let @BotFather make a bot, write to it or add it to a group, and find the id of the chat with `getUpdates`. Further parameters of `sendMessage` may follow, such as `message_thread_id`.",
    addresses: ["https://api.telegram.org/bot123456:ABC-DEF/sendMessage?chat_id=-1001234567890"],
  },
  addresses: [
    "https://api.telegram.org/bot{token}/sendMessage?chat_id={chat_id}&message_thread_id={message_thread_id}",
  ],
  fields: [
    {
      name: "token",
      title: { en: "Bot token", de: "Token des Bots" },
      help: { en: "From @BotFather", de: "Von @BotFather" },
      example: "123456:ABC-DEF",
      secret: true,
      pattern: /^\d+:[\w-]+$/,
    },
    {
      name: "chat_id",
      title: { en: "Chat ID", de: "Chat-ID" },
      help: {
        en: "A number, or the @name of a public channel; getUpdates of the bot shows it",
        de: "Eine Zahl oder der @Name eines öffentlichen Kanals; getUpdates des Bots zeigt sie",
      },
      example: "-1001234567890",
      pattern: /^(-?\d+|@\w+)$/,
    },
    {
      name: "message_thread_id",
      title: { en: "Topic ID", de: "ID des Themas" },
      help: { en: "Only in a group with topics", de: "Nur in einer Gruppe mit Themen" },
      example: "42",
      optional: true,
      pattern: /^\d+$/,
    },
  ],
  matches: ({ hostname, pathname }) =>
    hostname === "api.telegram.org" && /^\/bot[^/]+\/sendMessage$/i.test(pathname),
  requestOf(context, url) {
    const parameters = [...url.searchParams].filter(([name]) => !ours.has(name));
    return {
      url: new URL(url.pathname, url),
      body: {
        ...Object.fromEntries(parameters),
        text: messageText(context, { most: MAX_TEXT_LENGTH }),
        link_preview_options: { is_disabled: true },
      },
    };
  },
  failureDetailsOf({ status, text }) {
    const { ok, error_code: code = status, description, parameters } = responseJson(text);
    if (ok !== false || typeof code !== "number") return undefined;
    const seconds = isRecord(parameters) ? parameters.retry_after : undefined;
    const isClosed = code === 403 && typeof description === "string" && closed.test(description);
    return {
      retryable: code === 429 || code >= 500,
      retryAfterMs: secondsInMs(seconds),
      address: isClosed ? "gone" : "refused",
    };
  },
};

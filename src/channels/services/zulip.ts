import { markdownLine } from "../format/markup.ts";
import { truncate } from "../format/alert-lines.ts";
import { labelOf } from "../format/alert-text.ts";
import { responseJson, secondsInMs } from "../webhook/response-json.ts";
import { parameterWithPlus } from "./credentials.ts";
import { messageText } from "./message-text.ts";
import type { Service } from "./service.ts";
import { term } from "../../schema/words.ts";

/** `max_message_length` and `max_topic_length` of https://zulip.com/api/register-queue. */
const MAX_CONTENT_LENGTH = 10_000;
const MAX_TOPIC_LENGTH = 60;

/** A message of a bot, https://zulip.com/api/send-message: to a channel, with a topic for each check, or to people. */
export const zulip: Service = {
  name: "Zulip",
  group: "chat",
  guide: "https://zulip.com/help/add-a-bot-or-integration",
  recipe: {
    steps:
      "Personal settings, Bots, Add a new bot of the type Incoming webhook or Generic, and subscribe it to the channel. Enter its email address and API key with `to`, the channel. Each check has a topic, named by its label, unless `topic` names one for all. With `type=direct`, `to` are the mailboxes of people, with commas between.",
    addresses: [
      "https://example.zulipchat.com/api/v1/messages?email=watchpost-bot@example.zulipchat.com&key=a0b1c2d3e4f5&to=ops",
      "https://example.zulipchat.com/api/v1/messages?email=watchpost-bot@example.zulipchat.com&key=a0b1c2d3e4f5&type=direct&to=ann@example.com",
    ],
  },
  addresses: ["{server}/api/v1/messages?email={email}&key={key}&to={to}&type={type}&topic={topic}"],
  fields: [
    {
      name: "server",
      title: term("Server"),
      help: { en: "Your organization", de: "Ihre Organisation" },
      example: "https://example.zulipchat.com",
      kind: "url",
    },
    {
      name: "email",
      title: { en: "Email address of the bot", de: "E-Mail-Adresse des Bots" },
      help: { en: "Personal settings, Bots", de: "Persönliche Einstellungen, Bots" },
      example: "watchpost-bot@example.zulipchat.com",
      kind: "numbers",
      pattern: /^\S+@\S+$/,
    },
    {
      name: "key",
      title: { en: "API key of the bot", de: "API-Schlüssel des Bots" },
      help: { en: "Beside its email address", de: "Neben seiner E-Mail-Adresse" },
      example: "a0b1c2d3e4f5",
      secret: true,
    },
    {
      name: "to",
      title: { en: "Channel or people", de: "Kanal oder Personen" },
      help: {
        en: "The name of a channel, or email addresses separated by commas",
        de: "Der Name eines Kanals oder E-Mail-Adressen, durch Kommas getrennt",
      },
      example: "ops",
    },
    {
      name: "type",
      title: { en: "Recipients", de: "Empfänger" },
      help: { en: "Whether it is a channel or people", de: "Ob es ein Kanal ist oder Personen" },
      example: "channel",
      kind: "choice",
      optional: true,
      choices: {
        stream: { title: { en: "A channel", de: "Ein Kanal" } },
        direct: { title: { en: "People", de: "Personen" } },
      },
    },
    {
      name: "topic",
      title: { en: "Topic", de: "Thema" },
      help: { en: "The label of the check if empty", de: "Leer für die Bezeichnung der Prüfung" },
      example: "Watchpost",
      optional: true,
    },
  ],
  form: true,
  matches: ({ pathname, searchParams }) =>
    pathname.endsWith("/api/v1/messages") &&
    ["email", "key", "to"].every((name) => searchParams.has(name)),
  requestOf(context, url) {
    const { searchParams } = url;
    const user = `${parameterWithPlus(url, "email")}:${searchParams.get("key") ?? ""}`;
    const topic = searchParams.get("topic") ?? labelOf(context);
    const isDirect = searchParams.get("type") === "direct";
    const people = parameterWithPlus(url, "to").split(",");
    return {
      url: new URL(url.pathname, url),
      headers: { authorization: `Basic ${Buffer.from(user).toString("base64")}` },
      body: {
        ...(isDirect
          ? { type: "direct", to: JSON.stringify(people) }
          : {
              type: "stream",
              to: searchParams.get("to"),
              topic: truncate(topic, MAX_TOPIC_LENGTH),
            }),
        content: messageText(context, { most: MAX_CONTENT_LENGTH, mark: markdownLine }),
      },
    };
  },
  failureDetailsOf({ status, text }) {
    return status === 429
      ? { retryAfterMs: secondsInMs(responseJson(text)["retry-after"]) }
      : undefined;
  },
};

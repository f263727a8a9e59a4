import { markdownLine } from "../format/markup.ts";
import { truncate } from "../format/alert-lines.ts";
import { labelOf } from "../format/alert-text.ts";
import { responseJson, secondsInMs } from "../webhook/response-json.ts";
import { parameterWithPlus } from "./credentials.ts";
import { messageText } from "./message-text.ts";
import type { Service } from "./service.ts";

/** `max_message_length` and `max_topic_length` of https://zulip.com/api/register-queue. */
const LONGEST_CONTENT = 10_000;
const LONGEST_TOPIC = 60;

/** A message of a bot, https://zulip.com/api/send-message: to a channel, with a topic for each check, or to people. */
export const zulip: Service = {
  name: "Zulip",
  group: "chat",
  guide: "https://zulip.com/help/add-a-bot-or-integration",
  addresses: ["{server}/api/v1/messages?email={email}&key={key}&to={to}&type={type}&topic={topic}"],
  fields: [
    {
      name: "server",
      title: "Server",
      help: "Your organization",
      example: "https://example.zulipchat.com",
      kind: "url",
    },
    {
      name: "email",
      title: "Email address of the bot",
      help: "Personal settings, Bots",
      example: "watchpost-bot@example.zulipchat.com",
      kind: "numbers",
      pattern: /^\S+@\S+$/,
    },
    {
      name: "key",
      title: "API key of the bot",
      help: "Beside its email address",
      example: "a0b1c2d3e4f5",
      secret: true,
    },
    {
      name: "to",
      title: "Channel or people",
      help: "The name of a channel, or email addresses separated by commas",
      example: "ops",
    },
    {
      name: "type",
      title: "Recipients",
      help: "Whether it is a channel or people",
      example: "channel",
      kind: "choice",
      optional: true,
      choices: { stream: { title: "A channel" }, direct: { title: "People" } },
    },
    {
      name: "topic",
      title: "Topic",
      help: "The label of the check if empty",
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
          : { type: "stream", to: searchParams.get("to"), topic: truncate(topic, LONGEST_TOPIC) }),
        content: messageText(context, { most: LONGEST_CONTENT, mark: markdownLine }),
      },
    };
  },
  failureDetailsOf({ status, text }) {
    return status === 429
      ? { retryAfterMs: secondsInMs(responseJson(text)["retry-after"]) }
      : undefined;
  },
};

import { isRecord } from "../../../kit/safe-json.ts";
import { responseJson, secondsInMs } from "../../webhook/response-json.ts";
import { messageText } from "../message-text.ts";
import type { Service } from "../service.ts";

const LONGEST_TEXT = 4096;
/** Why a chat is closed to the bot; that it cannot write to a user is also said while Telegram itself is in trouble. */
const closed = /bot was blocked by the user|user is deactivated|bot was kicked from/;
/** What would make markup of the text. */
const ours = new Set(["text", "parse_mode", "entities"]);

/** A message of a bot; the query of the URL names the chat and further parameters of the method. */
export const telegram: Service = {
  name: "Telegram",
  matches: ({ hostname, pathname }) =>
    hostname === "api.telegram.org" && /^\/bot[^/]+\/sendMessage$/i.test(pathname),
  requestOf(context, url) {
    const parameters = [...url.searchParams].filter(([name]) => !ours.has(name));
    return {
      url: new URL(url.pathname, url),
      body: {
        ...Object.fromEntries(parameters),
        text: messageText(context, { most: LONGEST_TEXT }),
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

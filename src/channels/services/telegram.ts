import { isRecord } from "../../kit/safe-json.ts";
import { answeredJson, secondsInMs } from "../kit/answered-json.ts";
import { fitting, storyLines } from "../kit/story-text.ts";
import { storyOf } from "../telling.ts";
import type { Service } from "./service.ts";

const LONGEST_TEXT = 4096;
/** What would make markup of the text. */
const ours = new Set(["text", "parse_mode", "entities"]);

/** A message of a bot; the query of the URL says to which chat, and what else the method takes. */
export const telegram: Service = {
  name: "Telegram",
  owns: ({ hostname, pathname }) =>
    hostname === "api.telegram.org" && /^\/bot[^/]+\/sendMessage$/i.test(pathname),
  callOf(telling, url) {
    const story = storyOf(telling);
    const parameters = [...url.searchParams].filter(([name]) => !ours.has(name));
    const lines = [story.subject, "", ...storyLines(story)];
    const link = `\n\n${telling.url}`;
    return {
      url: new URL(url.pathname, url),
      body: {
        ...Object.fromEntries(parameters),
        text: fitting(lines, LONGEST_TEXT - link.length).join("\n") + link,
        link_preview_options: { is_disabled: true },
      },
    };
  },
  refusalOf({ status, text }) {
    const { ok, error_code: code = status, parameters } = answeredJson(text);
    if (ok !== false || typeof code !== "number") return undefined;
    const seconds = isRecord(parameters) ? parameters.retry_after : undefined;
    return { retryable: code === 429 || code >= 500, retryAfterMs: secondsInMs(seconds) };
  },
};

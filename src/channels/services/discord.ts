import { answeredJson, secondsInMs } from "../kit/answered-json.ts";
import { escapedMarkdown, markdownLine } from "../kit/markup.ts";
import { fitting, shortened, stateColors, storyLines } from "../kit/story-text.ts";
import { pageOf, storyOf } from "../telling.ts";
import type { Service } from "./service.ts";

const hosts = /^((canary|ptb)\.)?discord(app)?\.com$/;
const path = /^\/api(\/v\d+)?\/webhooks\/\d+\/[\w-]+\/?$/;
const LONGEST_TITLE = 256;
const LONGEST_DESCRIPTION = 4096;
/** Of https://discord.com/developers/docs/topics/opcodes-and-status-codes: the webhook was deleted, or its channel. */
const UNKNOWN_WEBHOOK = 10_015;

export const discord: Service = {
  name: "Discord",
  owns: ({ hostname, pathname }) => hosts.test(hostname) && path.test(pathname),
  callOf(telling, url) {
    const story = storyOf(telling);
    const { notice, createdAt } = telling.alert;
    const lines = fitting(storyLines(story, markdownLine), LONGEST_DESCRIPTION);
    const waiting = new URL(url);
    // Otherwise Discord answers before it knows whether it keeps the message.
    waiting.searchParams.set("wait", "true");
    return {
      url: waiting,
      body: {
        embeds: [
          {
            title: shortened(escapedMarkdown(story.subject), LONGEST_TITLE),
            description: lines.join("\n"),
            color: Number.parseInt(stateColors[notice.state].slice(1), 16),
            timestamp: new Date(createdAt).toISOString(),
            footer: { text: pageOf(telling) },
          },
        ],
        allowed_mentions: { parse: [] },
      },
    };
  },
  refusalOf({ status, text }) {
    const { code, retry_after: seconds } = answeredJson(text);
    if (status === 404 && code === UNKNOWN_WEBHOOK) return { address: "gone" };
    return status === 429 ? { retryAfterMs: secondsInMs(seconds) } : undefined;
  },
};

import { escapedMarkdown, markdownLine } from "../kit/markup.ts";
import { fitting, stateColors, storyLines } from "../kit/story-text.ts";
import { storyOf } from "../telling.ts";
import type { Service } from "./service.ts";

/** Older servers keep 8000 characters of attachments with a post. */
const LONGEST_TEXT = 4000;

/** Incoming webhooks, on whatever host the server is: their ids have 26 letters and digits. */
export const mattermost: Service = {
  name: "Mattermost",
  owns: ({ pathname }) => /\/hooks\/[a-z0-9]{26}$/.test(pathname),
  callOf(telling, url) {
    const story = storyOf(telling);
    const lines = fitting(storyLines(story, markdownLine), LONGEST_TEXT);
    return {
      url,
      body: {
        attachments: [
          {
            color: stateColors[telling.alert.notice.state],
            fallback: story.subject,
            // Mentions are looked for in texts, never in titles and code.
            title: escapedMarkdown(story.subject),
            text: lines.join("\n"),
            footer: telling.url,
          },
        ],
      },
    };
  },
};

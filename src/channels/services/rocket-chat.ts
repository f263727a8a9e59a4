import { markdownLine } from "../format/markup.ts";
import { stateColors } from "../format/alert-lines.ts";
import { pageUrlOf, subjectOf } from "../format/alert-text.ts";
import { responseJson } from "../webhook/response-json.ts";
import { messageText } from "./message-text.ts";
import type { Service } from "./service.ts";

/** `Message_MaxAllowedSize` unless the server sets another. */
const MAX_TEXT_LENGTH = 5000;
const path = /\/hooks\/[A-Za-z0-9]{17,24}\/[\w%.~-]{20,}$/;
/** It says in words how long to wait. */
const tooMany = /error-too-many-requests/;

/** Incoming webhooks, on whatever host the server is, https://docs.rocket.chat/docs/integrations. */
export const rocketChat: Service = {
  name: "Rocket.Chat",
  group: "chat",
  guide: "https://docs.rocket.chat/docs/integrations",
  recipe: {
    steps:
      "Workspace, Integrations, New, Incoming: choose the channel and a user who posts, and copy the webhook URL. No script is needed.",
    addresses: [
      "https://chat.example.com/hooks/6541c0de6541c0de6541c0de/Ky7uKBCXTEvpJQCgCnbQmdTwKdmvWxgxTjTRNMhp4pgVqVZ9",
    ],
  },
  addresses: ["{url}"],
  fields: [
    {
      name: "url",
      title: { en: "Webhook URL", de: "Webhook-URL" },
      help: {
        en: "Workspace, Integrations, New, Incoming",
        de: "Arbeitsbereich, Integrationen, Neu, Eingehend",
      },
      example:
        "https://chat.example.com/hooks/6541c0de6541c0de6541c0de/Ky7uKBCXTEvpJQCgCnbQmdTwKdmvWxgxTjTRNMhp4pgVqVZ9",
      kind: "url",
      secret: true,
    },
  ],
  matches: ({ pathname }) => path.test(pathname),
  requestOf: (context, url) => ({
    url,
    body: {
      parseUrls: false,
      // Mentions are looked for in the text of a message, and never in its attachments.
      attachments: [
        {
          color: stateColors[context.alert.notice.state],
          title: subjectOf(context),
          title_link: pageUrlOf(context),
          text: messageText(context, {
            most: MAX_TEXT_LENGTH,
            mark: markdownLine,
            withSubject: false,
            links: "facts",
          }),
        },
      ],
    },
  }),
  failureDetailsOf({ text }) {
    const { success, error } = responseJson(text);
    if (success !== false || typeof error !== "string" || !tooMany.test(error)) return undefined;
    const [, seconds] = /wait (\d{1,6}) seconds/.exec(error) ?? [];
    return {
      retryable: true,
      retryAfterMs: seconds === undefined ? undefined : Number(seconds) * 1000,
    };
  },
};

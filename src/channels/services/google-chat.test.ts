import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { googleChat } from "./google-chat.ts";

const widget = z.union([
  z.strictObject({ textParagraph: z.strictObject({ text: z.string() }) }),
  z.strictObject({
    buttonList: z.strictObject({
      buttons: z.array(
        z.strictObject({
          text: z.string(),
          onClick: z.strictObject({ openLink: z.strictObject({ url: z.url() }) }),
        }),
      ),
    }),
  }),
]);
/** As the references of messages and of cards have it. */
const payload = z.strictObject({
  fallbackText: z.string(),
  cardsV2: z.tuple([
    z.strictObject({
      cardId: z.string(),
      card: z.strictObject({
        header: z.strictObject({ title: z.string().min(1) }),
        sections: z.tuple([z.strictObject({ widgets: z.array(widget).min(1).max(100) })]),
      }),
    }),
  ]),
});

const MAX_BYTES = 32_000;

function refused(code: number, status: string): { status: number; body: string } {
  return { status: code, body: JSON.stringify({ error: { code, message: "no", status } }) };
}

serviceContract(googleChat, {
  address: "https://chat.googleapis.com/v1/spaces/AAAA/messages?key=k3y&token=t0k3n",
  others: ["https://chat.googleapis.com/v1/spaces/AAAA/messages?key=x&token=y&threadKey=z"],
  foreign: [
    "https://chat.googleapis.com/v1/spaces/AAAA/members",
    "https://chat.google.com/v1/spaces/AAAA/messages",
  ],
  secrets: ["k3y", "t0k3n"],
  answer({ path, body }) {
    if (!path.includes("key=k3y&token=t0k3n")) return refused(401, "UNAUTHENTICATED");
    return Buffer.byteLength(body) <= MAX_BYTES && payload.safeParse(JSON.parse(body)).success
      ? { status: 200, body: '{"name":"spaces/AAAA/messages/1"}' }
      : refused(400, "INVALID_ARGUMENT");
  },
  shown({ body }) {
    const [{ card }] = payload.parse(JSON.parse(body)).cardsV2;
    const texts = card.sections[0].widgets.flatMap((each) =>
      "textParagraph" in each ? [each.textParagraph.text.replaceAll("<br>", "\n")] : [],
    );
    return [
      { text: card.header.title, alive: /[\n\p{Cf}\p{Cs}]/u },
      ...texts.map((text) => ({ text, alive: /[<>]|&(?!amp;|lt;|gt;)/ })),
    ];
  },
  refusals: [
    { answer: refused(400, "INVALID_ARGUMENT"), retryable: false },
    { answer: refused(403, "PERMISSION_DENIED"), retryable: false },
    { answer: refused(404, "NOT_FOUND"), retryable: false },
    { answer: refused(429, "RESOURCE_EXHAUSTED"), retryable: true },
    { answer: refused(503, "UNAVAILABLE"), retryable: true },
  ],
});

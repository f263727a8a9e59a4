import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { matrix } from "./matrix.ts";

/** As the specification has m.room.message. */
const event = z.strictObject({
  msgtype: z.literal("m.text"),
  body: z.string().min(1),
  format: z.literal("org.matrix.custom.html"),
  formatted_body: z.string().min(1),
  "m.mentions": z.strictObject({}),
});
/** Maximum bytes of an event; the server's additions use the rest. */
const MAX_BYTES = 60_000;
const token = "syt_d2F0Y2hwb3N0_oNWpQcRfVkYbLmZx_1aB2c3";
const room = "/_matrix/client/v3/rooms/!abcdef:example.org/send/m.room.message";
const ownTags = /<\/?(?:strong|font|code|a|br)(?: (?:color|href)="[^"<>]*")?>/g;

function error(errcode: string, rest: object = {}): string {
  return JSON.stringify({ errcode, error: "no", ...rest });
}

serviceContract(matrix, {
  address: `https://matrix.example.org${room}?access_token=${token}`,
  others: [
    "https://example.org/_matrix/client/r0/rooms/%21a%3Ab.example/send/m.room.message?access_token=x",
  ],
  foreign: [
    `https://matrix.example.org${room}`,
    "https://matrix.example.org/_matrix/client/v3/rooms/!a:b.example/send/m.sticker?access_token=x",
  ],
  secrets: [token],
  method: "PUT",
  answer({ path, headers, body }) {
    if (headers.authorization !== `Bearer ${token}` || path.includes(token))
      return { status: 401, body: error("M_MISSING_TOKEN") };
    if (!new RegExp(`^${room}/[\\w-]+(\\?lang=en)?$`).test(path))
      return { status: 404, body: error("M_UNRECOGNIZED") };
    if (Buffer.byteLength(body) > MAX_BYTES) return { status: 413, body: error("M_TOO_LARGE") };
    return event.safeParse(JSON.parse(body)).success
      ? { status: 200, body: '{"event_id":"$YUwRidLecu:example.org"}' }
      : { status: 400, body: error("M_BAD_JSON") };
  },
  messageKey: ({ path }) => path.split("/").at(-1),
  shown({ body }) {
    const { body: text, formatted_body: html } = event.parse(JSON.parse(body));
    return [
      { text, alive: /[\p{Cf}\p{Cs}]/u },
      { text: html.replaceAll(ownTags, ""), alive: /[<>"\p{Cf}\p{Cs}]/u },
    ];
  },
  links({ body }) {
    const html = event.parse(JSON.parse(body)).formatted_body.replaceAll("&amp;", "&");
    return [...html.matchAll(/<a href="([^"]+)">/g)].map(([, url = ""]) => url);
  },
  refusals: [
    { answer: { status: 401, body: error("M_UNKNOWN_TOKEN") }, retryable: false },
    { answer: { status: 403, body: error("M_FORBIDDEN") }, retryable: false },
    { answer: { status: 404, body: error("M_NOT_FOUND") }, retryable: false },
    {
      answer: { status: 429, body: error("M_LIMIT_EXCEEDED", { retry_after_ms: 2000 }) },
      retryable: true,
      retryAfterMs: 2000,
    },
    {
      answer: {
        status: 429,
        body: error("M_LIMIT_EXCEEDED"),
        headers: { "retry-after": "3" },
      },
      retryable: true,
      retryAfterMs: 3000,
    },
    { answer: { status: 502, body: "<html>" }, retryable: true, mayHaveArrived: true },
  ],
});

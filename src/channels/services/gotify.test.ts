import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { withoutCode } from "../../../test/unescaped-markdown.ts";
import { gotify } from "./gotify.ts";

/** As the reference of createMessage and that of message extras have it. */
const message = z.strictObject({
  title: z.string().min(1),
  message: z.string().min(1),
  priority: z.int().min(0).max(10),
  extras: z.strictObject({
    "client::display": z.strictObject({ contentType: z.literal("text/markdown") }),
    "client::notification": z.strictObject({ click: z.strictObject({ url: z.url() }) }),
  }),
});
const token = "AbCdEf.g-1_2345";

function refused(errorCode: number, error: string): { status: number; body: string } {
  return { status: errorCode, body: JSON.stringify({ error, errorCode, errorDescription: "no" }) };
}

serviceContract(gotify, {
  address: `https://push.example.com/message?token=${token}`,
  others: [`http://10.0.0.1:8080/gotify/message?token=${token}`],
  foreign: [
    "https://push.example.com/message?token=secret",
    `https://push.example.com/messages?token=${token}`,
    "https://push.example.com/message?token=CbCdEf.g-1_2345",
  ],
  secrets: [token],
  answer({ path, headers, body }) {
    if (headers["x-gotify-key"] !== token || path !== "/message")
      return refused(401, "Unauthorized");
    return message.safeParse(JSON.parse(body)).success
      ? { status: 200, body: '{"id":25,"appid":5}' }
      : refused(400, "Bad Request");
  },
  shown({ body }) {
    const { title, message: text } = message.parse(JSON.parse(body));
    return [
      { text: title, alive: /[\n\p{Cf}\p{Cs}]/u },
      { text: withoutCode(text), alive: /[<@[\]_~`]/ },
    ];
  },
  refusals: [
    { answer: refused(401, "Unauthorized"), retryable: false },
    { answer: refused(403, "Forbidden"), retryable: false },
    { answer: refused(500, "Internal Server Error"), retryable: true },
  ],
});

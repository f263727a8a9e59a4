import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { withoutCode } from "../../../test/unescaped-markdown.ts";
import { rocketChat } from "./rocket-chat.ts";

/** As the reference of posting a message has it. */
const payload = z.strictObject({
  parseUrls: z.literal(false),
  attachments: z.tuple([
    z.strictObject({
      color: z.string(),
      title: z.string().min(1),
      title_link: z.url(),
      text: z.string().max(5000),
    }),
  ]),
});
const token = "Ky7uKBCXTEvpJQCgCnbQmdTwKdmvWxgxTjTRNMhp4pgVqVZ9";
const path = `/hooks/6541c0de6541c0de6541c0de/${token}`;

function refused(status: number, error: string): { status: number; body: string } {
  return { status, body: JSON.stringify({ success: false, error }) };
}

serviceContract(rocketChat, {
  address: `https://chat.example.com${path}`,
  others: [`http://10.0.0.1:3000/team/hooks/Xk3pQ9rT2sVbNmLcD/${token}`],
  foreign: [
    "https://chat.example.com/hooks/xxx9generatedkey8xxx1y2z3a",
    "https://chat.example.com/hooks/6541c0de6541c0de6541c0de/short",
  ],
  secrets: [token],
  answer({ path: called, body }) {
    if (!called.startsWith(path)) return refused(404, "Invalid integration id or token provided.");
    return payload.safeParse(JSON.parse(body)).success
      ? { status: 200, body: '{"success":true}' }
      : refused(400, "[invalid-params]");
  },
  shown({ body }) {
    const [{ title, text }] = payload.parse(JSON.parse(body)).attachments;
    return [
      { text: title, alive: /[\n\p{Cf}\p{Cs}]/u },
      { text: withoutCode(text), alive: /[<@[\]_~`]/ },
    ];
  },
  refusals: [
    { answer: refused(404, "Invalid integration id or token provided."), retryable: false },
    { answer: refused(400, "[invalid-channel]"), retryable: false },
    {
      answer: refused(
        429,
        "Error, too many requests. Please slow down. You must wait 49 seconds before trying this endpoint again. [error-too-many-requests]",
      ),
      retryable: true,
      retryAfterMs: 49_000,
    },
    {
      answer: refused(400, "Error, too many requests. [error-too-many-requests]"),
      retryable: true,
    },
    { answer: { status: 503, body: "Service Unavailable" }, retryable: true },
  ],
});

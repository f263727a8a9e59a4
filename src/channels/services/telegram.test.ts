import assert from "node:assert/strict";
import { test } from "node:test";

import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { sampleAlertContext } from "../../../test/sample-alert.ts";
import { telegram } from "./telegram.ts";

/** As the reference of sendMessage has it; parameters that it does not know are ignored. */
const message = z.object({
  chat_id: z.string().min(1),
  text: z.string().min(1).max(4096),
  parse_mode: z.undefined().optional(),
  entities: z.undefined().optional(),
  link_preview_options: z.strictObject({ is_disabled: z.literal(true) }),
});

function refused(code: number, description: string, parameters?: object): string {
  return JSON.stringify({ ok: false, error_code: code, description, parameters });
}

serviceContract(telegram, {
  address: "https://api.telegram.org/bot123456:ABC-DEF/sendMessage?chat_id=-1001234567890",
  others: ["https://api.telegram.org/bot1:x/sendmessage?chat_id=@ops&message_thread_id=7"],
  foreign: [
    "https://api.telegram.org/bot1:x/sendPhoto?chat_id=1",
    "https://telegram.org/bot1:x/sendMessage",
  ],
  secrets: ["ABC-DEF"],
  answer({ path, body }) {
    if (path !== "/bot123456:ABC-DEF/sendMessage")
      return { status: 404, body: refused(404, "Not Found") };
    return message.safeParse(JSON.parse(body)).success
      ? { status: 200, body: JSON.stringify({ ok: true, result: { text: "x".repeat(3000) } }) }
      : { status: 400, body: refused(400, "Bad Request: message text is empty") };
  },
  // Without a parse mode all of a text is text.
  shown: ({ body }) => [{ text: message.parse(JSON.parse(body)).text, alive: /[\p{Cf}\p{Cs}]/u }],
  refusals: [
    {
      answer: { status: 400, body: refused(400, "Bad Request: chat not found") },
      retryable: false,
    },
    { answer: { status: 401, body: refused(401, "Unauthorized") }, retryable: false },
    {
      answer: { status: 403, body: refused(403, "Forbidden: bot was blocked by the user") },
      retryable: false,
      address: "gone",
    },
    {
      answer: {
        status: 403,
        body: refused(403, "Forbidden: bot was kicked from the supergroup chat"),
      },
      retryable: false,
      address: "gone",
    },
    {
      answer: { status: 403, body: refused(403, "Forbidden: user is deactivated") },
      retryable: false,
      address: "gone",
    },
    {
      answer: {
        status: 403,
        body: refused(403, "Forbidden: bot can't send messages to the user"),
      },
      retryable: false,
    },
    {
      answer: {
        status: 429,
        body: refused(429, "Too Many Requests: retry after 34", { retry_after: 34 }),
      },
      retryable: true,
      retryAfterMs: 34_000,
    },
    { answer: { status: 200, body: refused(400, "Bad Request") }, retryable: false },
    { answer: { status: 200, body: '{"ok":false}' }, retryable: false },
    { answer: { status: 500, body: "<html>" }, retryable: true },
  ],
});

test("Telegram: what would make markup of the text is not passed on", () => {
  const url = new URL(
    "https://api.telegram.org/bot1:x/sendMessage?chat_id=1&parse_mode=HTML&text=x&disable_notification=true",
  );
  const { body } = telegram.requestOf(sampleAlertContext("down"), url);
  assert.deepEqual(Object.keys(body), [
    "chat_id",
    "disable_notification",
    "text",
    "link_preview_options",
  ]);
});

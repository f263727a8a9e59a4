import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { signal } from "./signal.ts";

/** As the reference of /v2/send has it. */
const message = z.strictObject({
  number: z.string().regex(/^\+\d+$/),
  recipients: z.array(z.string().regex(/^(\+\d+|group\.[\w+/=]+|[\w.]+)$/)).min(1),
  message: z.string().min(1),
  text_mode: z.enum(["normal", "styled"]),
});
/** Receivers drop longer texts. */
const MAX_BYTES = 2048;

function failed(error: string, status = 400): { status: number; body: string } {
  return { status, body: JSON.stringify({ error, account: "+4915112345678" }) };
}

serviceContract(signal, {
  address:
    "http://signal.example.com/v2/send?number=+4915112345678&recipients=+442079460000,group.Zm9v+YmFy=",
  others: ["http://10.0.0.1:8080/api/v2/send?number=%2B49151&recipients=ann.01"],
  foreign: ["http://10.0.0.1:8080/v2/send", "http://10.0.0.1:8080/v1/send?number=1&recipients=2"],
  secrets: [],
  answer({ path, body }) {
    const { success, data } = message.safeParse(JSON.parse(body));
    if (path !== "/v2/send" || !success || data.text_mode !== "normal")
      return failed("Couldn't process request - invalid request");
    return Buffer.byteLength(data.message) <= MAX_BYTES
      ? { status: 201, body: '{"timestamp":"1700000000000"}' }
      : failed("invalid request: too long");
  },
  // Without text_mode styled all of a text is text.
  shown: ({ body }) => [
    { text: message.parse(JSON.parse(body)).message, alive: /[\p{Cf}\p{Cs}]/u },
  ],
  refusals: [
    {
      answer: failed("Specified account does not exist or User +49 is not registered."),
      retryable: false,
    },
    { answer: failed("Failed to send message: Unregistered user"), retryable: false },
    { answer: failed("Invalid group id: x"), retryable: false },
    { answer: failed("Couldn't process request - invalid request"), retryable: false },
    { answer: failed("Failed to send message due to rate limiting"), retryable: true },
    { answer: failed("java.net.UnknownHostException: chat.signal.org"), retryable: true },
    { answer: failed("rate limited", 429), retryable: true },
    { answer: { status: 404, body: "404 page not found" }, retryable: false },
  ],
});

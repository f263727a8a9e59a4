import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { line } from "./line.ts";

/** As the reference of push messages has it. */
const push = z.strictObject({
  to: z.string().regex(/^[UCR][0-9a-f]{32}$/),
  messages: z
    .array(z.strictObject({ type: z.literal("text"), text: z.string().min(1).max(5000) }))
    .min(1)
    .max(5),
});
const uuid = z.uuid();
const token = "jwtOrLong+TokenOf/Channel=";
const to = "U4af4980629f4a4cdb9a0b1c2d3e4f5a6";

const refused = (message: string): string => JSON.stringify({ message });

serviceContract(line, {
  address: `https://api.line.me/v2/bot/message/push?to=${to}&token=${encodeURIComponent(token)}`,
  others: ["https://api.line.me/v2/bot/message/push?to=C1&token=x"],
  foreign: [
    "https://api.line.me/v2/bot/message/broadcast",
    "https://notify-api.line.me/api/notify",
  ],
  secrets: [token],
  answer({ path, headers, body }) {
    if (headers.authorization !== `Bearer ${token}` || path !== "/v2/bot/message/push")
      return {
        status: 401,
        body: refused("Authentication failed. Confirm that the access token is valid."),
      };
    return uuid.safeParse(headers["x-line-retry-key"]).success &&
      push.safeParse(JSON.parse(body)).success
      ? { status: 200, body: '{"sentMessages":[{"id":"461230966842064897"}]}' }
      : { status: 400, body: refused("The request body has 1 error(s)") };
  },
  messageKey: ({ headers }) => headers["x-line-retry-key"],
  // Nothing is markup in a message of type text.
  shown: ({ body }) =>
    push.parse(JSON.parse(body)).messages.map(({ text }) => ({ text, alive: /[\p{Cf}\p{Cs}]/u })),
  refusals: [
    { answer: { status: 400, body: refused("The property, 'to', is invalid") }, retryable: false },
    { answer: { status: 401, body: refused("Authentication failed.") }, retryable: false },
    { answer: { status: 403, body: refused("Not available for your plan.") }, retryable: false },
    {
      answer: { status: 429, body: refused("You have reached your monthly limit.") },
      retryable: false,
    },
    {
      answer: { status: 429, body: refused("The API rate limit has been exceeded.") },
      retryable: true,
    },
    { answer: { status: 500, body: "" }, retryable: true },
  ],
  repeated: { status: 409, body: refused("The retry key is already accepted") },
});

import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { rootly } from "./rootly.ts";

/** Fields that docs/channels.md maps in the source; the service requires no shape of its own. */
const event = z.strictObject({
  title: z.string().min(1),
  description: z.string(),
  external_id: z.string().min(1),
  state: z.enum(["triggered", "resolved"]),
  external_url: z.url(),
});
const secret = "f00dcafe0a1b2c3d4e5f";
const path = "/webhooks/incoming/generic_webhooks";

serviceContract(rootly, {
  address: `https://webhooks.rootly.com${path}/notify/Service/0a1b2c3d?secret=${secret}`,
  others: [`https://webhooks.rootly.com${path}?secret=x`],
  foreign: ["https://webhooks.rootly.com/webhooks/incoming/sentry", `https://rootly.com${path}`],
  secrets: [secret],
  answer({ path: called, headers, body }) {
    if (headers.authorization !== `Bearer ${secret}` || called.includes(secret))
      return { status: 401, body: '{"error":"Unauthorized"}' };
    return event.safeParse(JSON.parse(body)).success
      ? { status: 200, body: "{}" }
      : { status: 400 };
  },
  shown({ body }) {
    const { title, description } = event.parse(JSON.parse(body));
    return [
      { text: title, alive: /[\n<>\p{Cf}\p{Cs}]/u },
      { text: description, alive: /[<>\p{Cf}\p{Cs}]/u },
    ];
  },
  incident({ body }) {
    const { external_id: key, state } = event.parse(JSON.parse(body));
    return { key, isOver: state === "resolved" };
  },
  refusals: [
    { answer: { status: 401, body: '{"error":"Unauthorized"}' }, retryable: false },
    { answer: { status: 404, body: "" }, retryable: false },
    {
      answer: { status: 429, body: "", headers: { "retry-after": "60" } },
      retryable: true,
      retryAfterMs: 60_000,
    },
    { answer: { status: 500, body: "" }, retryable: true },
  ],
});

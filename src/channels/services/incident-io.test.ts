import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { withoutCode } from "../../../test/unescaped-markdown.ts";
import { incidentIo } from "./incident-io.ts";

/** As the reference of "CreateHTTP" has it. */
const event = z.strictObject({
  title: z.string().min(1),
  description: z.string(),
  deduplication_key: z.string().min(1),
  status: z.enum(["firing", "resolved"]),
  source_url: z.url(),
  metadata: z.record(z.string(), z.string()),
});
const token = "s0me-random-string";
const path = "/v2/alert_events/http/01GW2G3V0S59R238FAHPDS1R66";

const refused = (type: string, status: number): string =>
  JSON.stringify({ type, status, errors: [] });

serviceContract(incidentIo, {
  address: `https://api.incident.io${path}?token=${token}`,
  others: [`https://api.incident.io${path}`],
  foreign: ["https://api.incident.io/v2/incidents", `https://incident.io${path}`],
  secrets: [token],
  answer({ path: called, headers, body }) {
    if (headers.authorization !== `Bearer ${token}` || called.includes(token))
      return { status: 401, body: refused("authentication_error", 401) };
    return called.startsWith(path) && event.safeParse(JSON.parse(body)).success
      ? {
          status: 202,
          body: '{"deduplication_key":"x","message":"Event accepted for processing","status":"success"}',
        }
      : { status: 422, body: refused("validation_error", 422) };
  },
  shown({ body }) {
    const { title, description } = event.parse(JSON.parse(body));
    return [
      { text: title, alive: /[\n\p{Cf}\p{Cs}]/u },
      { text: withoutCode(description), alive: /[<@[\]_~`]/ },
    ];
  },
  incident({ body }) {
    const { deduplication_key: key, status } = event.parse(JSON.parse(body));
    return { key, isOver: status === "resolved" };
  },
  refusals: [
    { answer: { status: 401, body: refused("authentication_error", 401) }, retryable: false },
    { answer: { status: 404, body: refused("not_found", 404) }, retryable: false },
    { answer: { status: 422, body: refused("validation_error", 422) }, retryable: false },
    {
      answer: {
        status: 429,
        body: refused("too_many_requests", 429),
        headers: { "retry-after": "9" },
      },
      retryable: true,
      retryAfterMs: 9000,
    },
    { answer: { status: 500, body: "" }, retryable: true },
  ],
});

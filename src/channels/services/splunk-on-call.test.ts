import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import { splunkOnCall } from "./splunk-on-call.ts";

/** As the guide to the REST endpoint and the glossary of incident fields have it. */
const event = z.strictObject({
  message_type: z.enum(["CRITICAL", "INFO", "ACKNOWLEDGEMENT", "RECOVERY"]),
  entity_id: z.string().min(1),
  entity_display_name: z.string().min(1),
  state_message: z.string().min(1),
  state_start_time: z.int(),
  monitoring_tool: z.literal("Watchpost"),
  "vo_annotate.u.Watchpost": z.url(),
});
const key = "0a1b2c3d-4e5f-6a7b-8c9d-0e1f2a3b4c5d";
const path = `/integrations/generic/20131114/alert/${key}/database`;

serviceContract(splunkOnCall, {
  address: `https://alert.victorops.com${path}`,
  others: [`https://alert.victorops.com/integrations/generic/20131114/alert/${key}`],
  foreign: [
    "https://alert.victorops.com/integrations/cloudwatch/20131130/alert/x/y",
    `https://victorops.com${path}`,
  ],
  secrets: [key],
  answer: ({ path: called, body }) =>
    called.startsWith(path) && event.safeParse(JSON.parse(body)).success
      ? { status: 200, body: '{"result":"success","entity_id":"x"}' }
      : { status: 400, body: '{"result":"failure","messages":["Missing required field"]}' },
  shown({ body }) {
    const { entity_display_name: name, state_message: text } = event.parse(JSON.parse(body));
    return [
      { text: name, alive: /[\n<>\p{Cf}\p{Cs}]/u },
      { text, alive: /[<>\p{Cf}\p{Cs}]/u },
    ];
  },
  incident({ body }) {
    const { entity_id: key, message_type: type } = event.parse(JSON.parse(body));
    return { key, isOver: type === "RECOVERY" };
  },
  refusals: [
    { answer: { status: 400, body: '{"result":"failure"}' }, retryable: false },
    { answer: { status: 200, body: '{"result":"failure","messages":["no"]}' }, retryable: false },
    { answer: { status: 404, body: "" }, retryable: false },
    { answer: { status: 429, body: "" }, retryable: true },
    { answer: { status: 503, body: "" }, retryable: true },
  ],
});

import { z } from "zod";

import { serviceContract } from "../../../test/contracts/service.ts";
import type { ReceiverResponse } from "../../../test/peers/webhook-receiver.ts";
import { opsgenie } from "./opsgenie.ts";

/** As the reference of the alert API has it. */
const created = z.strictObject({
  message: z.string().min(1).max(130),
  alias: z.string().max(512),
  description: z.string().max(15_000),
  entity: z.string().max(512),
  source: z.string().max(100),
  priority: z.enum(["P1", "P2", "P3", "P4", "P5"]),
});
const closed = z.strictObject({ source: z.string().max(100), note: z.string().max(25_000) });
/** Request that closes or acknowledges an alert. */
const close =
  /^\/v2\/alerts\/(?<alias>[^/?]+)\/(?<action>close|acknowledge)\?(?:[^&]+&)*identifierType=alias$/;

function answered(status: number, message: string): ReceiverResponse {
  return { status, body: JSON.stringify({ message, took: 0.1, requestId: "x" }) };
}

serviceContract(opsgenie, {
  address: "https://api.opsgenie.com/v2/alerts?apiKey=eb243592-faa2",
  others: [
    "https://api.eu.opsgenie.com/v2/alerts?apiKey=x",
    "https://api.atlassian.com/jsm/ops/integration/v2/alerts?apiKey=x",
  ],
  foreign: ["https://api.atlassian.com/v2/alerts", "https://api.opsgenie.com/v2/heartbeats"],
  secrets: ["eb243592"],
  answer({ path, headers, body }) {
    if (headers.authorization !== "GenieKey eb243592-faa2" || path.includes("apiKey"))
      return answered(401, "Could not authenticate");
    const isClose = close.test(path);
    if (!isClose && !/^\/v2\/alerts(\?|$)/.test(path)) return answered(404, "no such path");
    return (isClose ? closed : created).safeParse(JSON.parse(body)).success
      ? answered(202, "Request will be processed")
      : answered(422, "Request body is not processable.");
  },
  // It takes HTML for the message of an alert.
  shown({ path, body }) {
    if (close.test(path))
      return [{ text: closed.parse(JSON.parse(body)).note, alive: /[<\n\p{Cf}\p{Cs}]/u }];
    const { message, description, entity } = created.parse(JSON.parse(body));
    return [
      { text: message, alive: /[<\n\p{Cf}\p{Cs}]/u },
      { text: description, alive: /[<\p{Cf}\p{Cs}]/u },
      { text: entity, alive: /</ },
    ];
  },
  incident({ path, body }) {
    const { alias, action } = close.exec(path)?.groups ?? {};
    return alias === undefined
      ? { key: created.parse(JSON.parse(body)).alias, isOver: false }
      : { key: decodeURIComponent(alias), isOver: action === "close" };
  },
  refusals: [
    { answer: answered(401, "Could not authenticate"), retryable: false },
    { answer: answered(403, "You are not authorized to access this resource"), retryable: false },
    { answer: answered(422, "Key format is not valid!"), retryable: false },
    { answer: answered(429, "You are making too many requests!"), retryable: true },
    { answer: answered(503, "unavailable"), retryable: true },
  ],
});

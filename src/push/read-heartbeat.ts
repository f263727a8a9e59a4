import { InvalidInput } from "../kit/errors.ts";
import { formPairs } from "../kit/http/form-pairs.ts";
import { isRecord, parseJson } from "../kit/safe-json.ts";
import type { Heartbeat } from "./heartbeats.ts";

type Values = Readonly<Record<string, unknown>>;

export const MOST_BODY_BYTES = 256 * 1024;
/** How many keys all the metrics of one heartbeat may have, however nested. */
const METRIC_LIMITS = { depth: 20, keys: 5000 };

/** Of a name that is repeated the first counts. */
export function queryOf(url: string): Values {
  return Object.fromEntries(formPairs(url.slice(url.indexOf("?") + 1 || url.length)).toReversed());
}

/** Id and token come in the query, in a form, or beside the metrics in the JSON body. The query wins. */
export function heartbeatOf(query: Values, sent: Values): Heartbeat {
  const parameter = (name: string): string => {
    const value = query[name] ?? sent[name];
    if (typeof value !== "string" || value === "")
      throw new InvalidInput(`${name}: required, as a parameter of the query`);
    return value;
  };
  const data = sent.data;
  if (data !== undefined && data !== null && typeof data !== "object")
    throw new InvalidInput("data: must be an object of metrics");
  return { id: parameter("id"), token: parameter("checktoken"), data: data ?? undefined };
}

export function bodyOf(body: string): Values {
  const text = body.trim();
  if (text === "") return {};
  if (!text.startsWith("{") && !text.startsWith("[")) return Object.fromEntries(formPairs(text));
  const parsed = parseJson("body", text, METRIC_LIMITS);
  if (!isRecord(parsed)) throw new InvalidInput("body: must be a JSON object");
  return parsed;
}

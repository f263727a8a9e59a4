import type { IncomingHttpHeaders } from "node:http";

import { InvalidInput } from "../kit/errors.ts";
import { assertPlain, bodyText, decodeText } from "../kit/http/body-text.ts";
import { formPairs } from "../kit/http/form-pairs.ts";
import type { ReceivedBytes } from "../kit/http/read-body.ts";
import { isRecord, parseJson } from "../kit/safe-json.ts";
import type { HeartbeatRoute } from "./heartbeat-route.ts";
import type { Heartbeat, Sender, Signal } from "./heartbeat.ts";
import { sentText } from "./sent-text.ts";

type Values = Readonly<Record<string, unknown>>;

export const MAX_BODY_BYTES = 256 * 1024;
/** Maximum job output, of which the end is kept. At 2 Mbit/s it takes half of the minute allowed for a request. */
export const MAX_TEXT_BYTES = 8 * 1024 * 1024;
/** How many keys all the metrics of one heartbeat may have, however nested. */
const METRIC_LIMITS = { depth: 20, keys: 5000 };
/** How a body with metrics begins, and in how many bytes that shows. */
const METRICS = /^\s*\{\s*"data"\s*:/;
const BEGINNING_BYTES = 200;
/** Maximum characters of a message: a few lines, as shown in alerts and lists of results. */
const MAX_MESSAGE_LENGTH = 250;
const MAX_RUN_ID_LENGTH = 64;
/** Longer than results are kept. */
const MAX_RUN_MS = 366 * 86_400_000;

/** The first value of a repeated name counts. */
export function queryOf(url: string): Values {
  const at = url.indexOf("?");
  return Object.fromEntries(formPairs(at === -1 ? "" : url.slice(at + 1)).toReversed());
}

/** Returns whether it is known without the body who sends it. */
export function namesSender({ sender }: HeartbeatRoute, query: Values): boolean {
  return sender !== undefined || ("id" in query && "checktoken" in query);
}

/** Reads ID and token from the path or the query, a form, or the JSON body next to the metrics, in this order. */
export function senderOf({ sender }: HeartbeatRoute, query: Values, sent: Values): Sender {
  const parameter = (name: string): string => {
    const value = query[name] ?? sent[name];
    if (typeof value !== "string" || value === "")
      throw new InvalidInput(`${name}: required, as a parameter of the query`);
    return value;
  };
  return sender ?? { id: parameter("id"), token: parameter("checktoken") };
}

export function heartbeatOf(route: HeartbeatRoute, query: Values, body: HeartbeatBody): Heartbeat {
  const { data } = body.values;
  if (data !== undefined && data !== null && typeof data !== "object")
    throw new InvalidInput("data: must be an object of metrics");
  return {
    ...senderOf(route, query, body.values),
    signal: signalOf(route, query),
    data: data ?? undefined,
    text: body.text,
    message: messageOf(query.msg),
    runtimeMs: runtimeOf(query.ping),
    runId: runIdOf(query.rid),
  };
}

/** Parsed body: names and values, or text about the run. */
export interface HeartbeatBody {
  readonly values: Values;
  /** Body as text to store; undefined if the body may name the sender. */
  readonly text: () => string | undefined;
}

/** Reads a body: to `/v1/<id>/<checktoken>` scripts send whatever a job has printed, so what is no metrics there is text. */
export function bodyOf(
  { bytes, cutBytes, headers }: ReceivedBytes & { readonly headers: IncomingHttpHeaders },
  { isNamed, isText }: { readonly isNamed: boolean; readonly isText: boolean },
): HeartbeatBody {
  const contentType = headers["content-type"];
  const text = (): string | undefined =>
    isNamed ? sentText(bytes, { contentType, cutBytes }) : undefined;
  assertPlain(headers);
  const isNoMetrics = isText && (cutBytes > 0 || !isMetrics(bytes));
  return { values: isNoMetrics ? {} : valuesOf(bodyText(bytes, headers)), text };
}

/** Returns whether a body that begins so has metrics. */
export function isMetrics(bytes: Uint8Array): boolean {
  return METRICS.test(decodeText(bytes.subarray(0, BEGINNING_BYTES)));
}

export function valuesOf(body: string): Values {
  const text = body.trim();
  if (text === "") return {};
  if (!text.startsWith("{") && !text.startsWith("[")) return Object.fromEntries(formPairs(text));
  const parsed = parseJson(
    "body",
    text,
    /* guard: keys of heartbeats = { depth: 20, keys: Infinity } */ METRIC_LIMITS,
  );
  if (!isRecord(parsed)) throw new InvalidInput("body: must be a JSON object");
  return parsed;
}

/** As with push monitors, every status except `up` is down. */
function signalOf({ signal }: HeartbeatRoute, { status }: Values): Signal {
  if (signal !== "alive" || typeof status !== "string" || status === "") return signal;
  return status.toLowerCase() === "up" ? "alive" : "fail";
}

function messageOf(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const line = value.replaceAll(/[\p{Cc}\s]+/gu, " ").trim();
  if (line === "") return undefined;
  return line.length > MAX_MESSAGE_LENGTH
    ? `${line.slice(0, MAX_MESSAGE_LENGTH - 1).toWellFormed()}…`
    : line;
}

/** Scripts send it empty if they have not measured it. */
function runtimeOf(value: unknown): number | undefined {
  if (typeof value !== "string" || value.trim() === "") return undefined;
  const ms = /^\s*\d+(\.\d+)?\s*(ms)?\s*$/.test(value) ? Math.round(Number.parseFloat(value)) : -1;
  if (ms >= 0 && ms <= MAX_RUN_MS) return ms;
  throw new InvalidInput(
    `ping: must be the run time in ms, such as 1250, not ${JSON.stringify(value.slice(0, 20))}`,
  );
}

/** Distinguishes concurrent runs; empty for a sender without them. */
function runIdOf(value: unknown): string {
  if (typeof value !== "string" || value === "") return "";
  if (value.length <= MAX_RUN_ID_LENGTH && /^[\w.:-]+$/.test(value)) return value;
  throw new InvalidInput(
    `rid: must have at most ${MAX_RUN_ID_LENGTH} letters, digits, dots, colons and hyphens, such as a UUID`,
  );
}

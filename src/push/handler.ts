import type { IncomingMessage, ServerResponse } from "node:http";

import { bodyText } from "../kit/http/body-text.ts";
import { formPairs } from "../kit/http/form-pairs.ts";
import { codeOf, InvalidInput, messageOf, TooLarge } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import { isRecord, parseJson } from "../kit/safe-json.ts";
import type { HeartbeatStatus, Heartbeat, Heartbeats } from "./heartbeats.ts";

interface Deps {
  readonly heartbeats: Pick<Heartbeats, "accept">;
  readonly log: Log;
  readonly meter: Meter;
}

interface PushResponse {
  readonly status: number;
  readonly body: string;
}

const MAX_BODY_BYTES = 256 * 1024;
/** How many keys all the metrics of one heartbeat may have, however nested. */
const METRIC_LIMITS = { depth: 20, keys: 5000 };

const responses: Readonly<Record<HeartbeatStatus, PushResponse>> = {
  accepted: { status: 200, body: '{"success":true}' },
  throttled: { status: 409, body: '{"error":"Throttled: more than five results within a minute"}' },
  // A wrong id and a wrong token read the same, so that neither can be guessed alone.
  unknown: { status: 403, body: '{"error":"No check found with that ID and checktoken"}' },
  disabled: { status: 403, body: '{"error":"Check is not assigned: it is disabled"}' },
  suspended: { status: 403, body: '{"error":"Check is not assigned: its account is suspended"}' },
};

export function isPush(url: string | undefined): boolean {
  return url !== undefined && /^(https?:\/\/[^/?#]+)?\/v1\/?(\?|$)/i.test(url);
}

/** Serves `POST /v1` on node:http without a framework: on this path every microsecond counts once a heartbeat. */
export function createPushHandler({
  heartbeats,
  log,
  meter,
}: Deps): (request: IncomingMessage, response: ServerResponse) => void {
  const handle = async (request: IncomingMessage): Promise<PushResponse> => {
    if (request.httpVersion === "1.1" && request.headers.host === undefined)
      throw new InvalidInput("the request has no Host header");
    if (request.method !== "POST")
      return { status: 405, body: '{"error":"heartbeats are sent with POST"}' };
    const body = bodyText(await readBody(request), request.headers);
    return responses[await heartbeats.accept(heartbeatOf(request, body))];
  };

  return (request, response) => {
    handle(request)
      .catch((error: unknown): PushResponse => errorResponse(error, log))
      .then(({ status, body }) => {
        meter.count("push.heartbeat", { status: String(status) });
        const headers: Record<string, string | number> = {
          "content-type": "application/json",
          "content-length": Buffer.byteLength(body),
        };
        if (status === 503) headers["retry-after"] = 5;
        // The rest of a body that is too long is not read.
        if (!request.complete) headers.connection = "close";
        response.writeHead(status, headers).end(body);
      })
      .catch((error: unknown) => log.error("push.response_failed", { error: messageOf(error) }));
  };
}

function errorResponse(error: unknown, log: Log): PushResponse {
  const status =
    { invalid_input: 400, too_large: 413, unavailable: 503 }[codeOf(error) ?? ""] ?? 500;
  if (status === 500)
    log.error("push.internal_error", { error: messageOf(error) }, messageOf(error));
  const sentence = status === 500 ? "Internal error" : messageOf(error);
  return { status, body: JSON.stringify({ error: sentence }) };
}

/** In node:http a body has no size limit. */
function readBody(request: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (request.headers["content-length"] === "0") {
      request.resume();
      resolve(Buffer.alloc(0));
      return;
    }
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on("data", (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
      else reject(new TooLarge(`the body is larger than ${MAX_BODY_BYTES} bytes`));
    });
    request.on("end", () => {
      const [only] = chunks;
      resolve(only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks));
    });
    request.on("error", () => reject(new InvalidInput("body: was cut off")));
  });
}

/** Id and token come in the query, in a form, or beside the metrics in the JSON body. The query wins. */
function heartbeatOf(request: IncomingMessage, body: string): Heartbeat {
  const url = request.url ?? "";
  // Of a name that is repeated the first counts.
  const query = new Map(formPairs(url.slice(url.indexOf("?") + 1 || url.length)).toReversed());
  const sent = bodyOf(body);
  const parameter = (name: string): string => {
    const value = query.get(name) ?? sent[name];
    if (typeof value !== "string" || value === "")
      throw new InvalidInput(`${name}: required, as a parameter of the query`);
    return value;
  };
  const data = sent.data;
  if (data !== undefined && data !== null && typeof data !== "object")
    throw new InvalidInput("data: must be an object of metrics");
  return { id: parameter("id"), token: parameter("checktoken"), data: data ?? undefined };
}

function bodyOf(body: string): Readonly<Record<string, unknown>> {
  const text = body.trim();
  if (text === "") return {};
  if (!text.startsWith("{") && !text.startsWith("[")) return Object.fromEntries(formPairs(text));
  const parsed = parseJson("body", text, METRIC_LIMITS);
  if (!isRecord(parsed)) throw new InvalidInput("body: must be a JSON object");
  return parsed;
}

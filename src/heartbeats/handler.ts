import type { IncomingMessage, ServerResponse } from "node:http";

import { assertOneHost } from "../kit/http/host-header.ts";
import type { Admission } from "../kit/http/admission.ts";
import type { ReceiveGaps } from "../kit/http/receive-gaps.ts";
import type { MinuteBudget } from "../kit/http/minute-budget.ts";
import { announcedBytes, hasBody, untilParsed, SMALL_BODY_BYTES } from "../kit/http/read-body.ts";
import { codeOf, messageOf, TooManyRequests } from "../kit/errors.ts";
import type { Log } from "../kit/log.ts";
import type { Meter } from "../kit/meter.ts";
import { answerAs } from "./aliases/alias-answer.ts";
import { acceptForAll } from "./aliases/accept-by-all.ts";
import { aliasQuery, aliasRequest, type AliasRequest } from "./aliases/alias-request.ts";
import type { PushResponse } from "./aliases/push-response.ts";
import type { HeartbeatStatus, Heartbeats } from "./heartbeats.ts";
import { aliasAt, routeOf, type HeartbeatRoute } from "./heartbeat-route.ts";
import {
  bodyOf,
  heartbeatOf,
  isMetrics,
  MAX_BODY_BYTES,
  MAX_TEXT_BYTES,
  namesSender,
  queryOf,
  senderOf,
} from "./read-heartbeat.ts";

interface Deps {
  readonly heartbeats: Pick<Heartbeats, "accept" | "isKnown" | "prove" | "sendersOfAlias">;
  readonly receiveGaps: Pick<ReceiveGaps, "refused">;
  readonly admission: Admission;
  /** Heartbeats of one client that are stored. */
  readonly limitHeartbeats: MinuteBudget;
  readonly log: Log;
  readonly meter: Meter;
}

const RETRY_AFTER_SECONDS = 5;

const statuses: Readonly<Record<string, number>> = {
  invalid_input: 400,
  not_found: 404,
  too_large: 413,
  unavailable: 503,
};

const responses: Readonly<Record<Exclude<HeartbeatStatus, "limited">, PushResponse>> = {
  accepted: { status: 200, body: '{"success":true}' },
  unkept: { status: 200, body: "OK, but not kept: there is no result yet", isText: true },
  throttled: { status: 409, body: '{"error":"Throttled: more than five results within a minute"}' },
  // A wrong id and a wrong token read the same, so that neither can be guessed alone.
  unknown: {
    // guard: one answer for a wrong id and a wrong token = 404
    status: 403,
    body: '{"error":"No check found with that ID and checktoken"}',
    isUnknown: true,
  },
  disabled: { status: 403, body: '{"error":"Check is not assigned: it is disabled"}' },
  suspended: { status: 403, body: '{"error":"Check is not assigned: its account is suspended"}' },
};

/** Response for scripts that print it (`curl`, `wget -O-`). */
const ok: PushResponse = { status: 200, body: "OK", isText: true };
const methods = new Set(["GET", "HEAD", "POST", "PUT"]);

/** Serves `/v1`, and the addresses of other systems, on node:http without a framework: on this path every microsecond counts once a heartbeat. */
export function createPushHandler({
  heartbeats,
  admission,
  receiveGaps,
  limitHeartbeats,
  log,
  meter,
}: Deps): (request: IncomingMessage, response: ServerResponse) => void {
  const unknown = (client: string): PushResponse => {
    const tooMany = admission.countUnknown(client);
    return tooMany === undefined ? responses.unknown : errorResponse(tooMany, log);
  };

  const handle = async (
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<PushResponse> => {
    assertOneHost(request);
    const url = request.url ?? "";
    const alias = aliasAt(url);
    // There every method is a heartbeat.
    if (alias?.system !== "uptime-kuma" && !methods.has(request.method ?? ""))
      return { status: 405, body: '{"error":"heartbeats are sent with GET, HEAD, POST or PUT"}' };
    const client = admission.clientOf(request);
    const sent = queryOf(url);
    const query = alias === undefined ? sent : aliasQuery(alias.system, sent);
    const route =
      alias === undefined
        ? routeOf(url)
        : await routeOfAlias(heartbeats, aliasRequest(alias, request.headers.authorization, sent));
    if (route === undefined) return unknown(client);
    const peer = admission.peerOf(request.socket.remoteAddress ?? "");
    const isNamed = namesSender(route, query);
    const isAsked = isNamed && isLarge(request);
    if (isAsked && !(await heartbeats.isKnown(senderOf(route, query, {})))) return unknown(client);
    const isText = route.sender !== undefined;
    const sender = {
      isKnown: isAsked,
      // Jobs print more than is kept of it.
      ...(isAsked && isText
        ? { limitBytes: MAX_TEXT_BYTES, end: { bytes: MAX_BODY_BYTES, mayBeCut } }
        : { limitBytes: /* guard: size of heartbeats = 2 ** 30 */ MAX_BODY_BYTES }),
    };
    const { giveBack, ...received } = await admission
      .readBody(request, response, sender)
      .catch(async (error: unknown) => {
        // guard: refusals before a heartbeat is read
        if (isLimitOfOurs(error))
          await (isAsked
            ? Promise.all(
                [senderOf(route, query, {}), ...(route.others ?? [])].map((each) =>
                  heartbeats.prove(each, peer),
                ),
              )
            : receiveGaps.refused(peer));
        throw error;
      });
    const body = bodyOf({ ...received, headers: request.headers }, { isNamed, isText });
    const heartbeat = heartbeatOf(route, query, body);
    // guard: heartbeats of a client = true
    const maySend = (): boolean => limitHeartbeats.spend(client, 1);
    const copies = [heartbeat, ...(route.others ?? []).map((each) => ({ ...heartbeat, ...each }))];
    const status = await acceptForAll(heartbeats.accept, copies, { peer, maySend });
    if (status === "unknown") return unknown(client);
    giveBack();
    if (status === "limited") return limited(limitHeartbeats.secondsLeft(client));
    return status === "accepted" && isText ? ok : responses[status];
  };

  return (request, response) => {
    handle(request, response)
      .catch((error: unknown): PushResponse => errorResponse(error, log))
      .then((answer) => inFormOf(request.url ?? "", answer))
      .then((answer) => {
        meter.count("push.heartbeat", { status: String(answer.status) });
        return respond(request, response, answer);
      })
      .catch((error: unknown) => log.error("push.response_failed", { error: messageOf(error) }));
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, isText, retryAfterSeconds, headers: ofSystem }: PushResponse,
): Promise<void> {
  if (!request.complete) await untilParsed(request);
  const headers: Record<string, string | number> = {
    "content-type": isText === true ? "text/plain; charset=utf-8" : "application/json",
    "cache-control": "no-store",
    "content-length": Buffer.byteLength(body),
    ...ofSystem,
  };
  if (retryAfterSeconds !== undefined) headers["retry-after"] = retryAfterSeconds;
  // The rest of a body that is refused is not read.
  if (!request.complete && hasBody(request)) headers.connection = "close";
  response.writeHead(status, headers).end(body);
}

async function routeOfAlias(
  { sendersOfAlias }: Pick<Heartbeats, "sendersOfAlias">,
  { digest, signal }: AliasRequest,
): Promise<HeartbeatRoute | undefined> {
  const [sender, ...others] = await sendersOfAlias(digest);
  return sender && { sender, others, signal };
}

function inFormOf(url: string, answer: PushResponse): PushResponse {
  const alias = aliasAt(url);
  return alias === undefined ? answer : answerAs(alias.system, answer);
}

function isLimitOfOurs(error: unknown): boolean {
  return error instanceof TooManyRequests || codeOf(error) === "unavailable";
}

function errorResponse(error: unknown, log: Log): PushResponse {
  const body = JSON.stringify({ error: messageOf(error) });
  if (error instanceof TooManyRequests)
    return { status: 429, body, retryAfterSeconds: error.retryAfterSeconds };
  const status = statuses[codeOf(error) ?? ""];
  if (status === 503) return { status, body, retryAfterSeconds: RETRY_AFTER_SECONDS };
  if (status !== undefined) return { status, body };
  log.error("push.internal_error", { error: messageOf(error) }, messageOf(error));
  return { status: 500, body: '{"error":"Internal error"}' };
}

function limited(retryAfterSeconds: number): PushResponse {
  return {
    status: 429,
    body: '{"error":"too many heartbeats from one address within a minute: this one proves that the check is alive, but is not stored"}',
    retryAfterSeconds,
  };
}

/** The end of metrics has no meaning. */
const mayBeCut = (beginning: Uint8Array): boolean => !isMetrics(beginning);

/** Returns whether the body costs more than to find out, from the query, who sends it. */
function isLarge(request: IncomingMessage): boolean {
  return hasBody(request) && (announcedBytes(request) ?? Infinity) > SMALL_BODY_BYTES;
}

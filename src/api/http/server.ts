import type { IncomingHttpHeaders } from "node:http";

import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerFactory,
} from "fastify";

import { NotFound } from "../../kit/errors.ts";
import type { Admission } from "../../kit/http/admission.ts";
import { bodyText } from "../../kit/http/body-text.ts";
import { etagOf, matchesEtag } from "../../kit/http/etag.ts";
import { assertOneHost } from "../../kit/http/host-header.ts";
import { untilParsed } from "../../kit/http/read-body.ts";
import { spanIdOf, traceIdOf, type Tracer } from "../../kit/tracing/tracer.ts";
import { apiDocumentOf } from "../api-document.ts";
import type { ApiDeps } from "../deps.ts";
import { documentPath } from "../openapi/openapi.ts";
import { createResources } from "../registry.ts";
import { serveSignIn } from "../sign-in/serve-sign-in.ts";
import { serveCheckMetrics } from "../check-metrics/serve-check-metrics.ts";
import { createFastify } from "./create-fastify.ts";
import { createFairRequests } from "./limits/fair-requests.ts";
import { createRequestHandler, MAX_BODY_BYTES } from "./handle-request.ts";
import { addRateLimitHeaders, createRateLimiter } from "./limits/rate-limit.ts";
import { apiRoot, isApiRequest, loggedPathOf, pathOf } from "./request-path.ts";
import {
  createRequestedOperations,
  type RequestedOperation,
  type RequestedOperations,
} from "./requested-operation.ts";
import { compressionFor, type Compression } from "./responses/compression.ts";
import { createBodySender } from "./responses/send-body.ts";
import { EVENT_STREAM_TYPE } from "./responses/event-stream.ts";
import { createErrorSender } from "./responses/send-error.ts";
import { createTokenCallers } from "./callers/token-callers.ts";
import { createTokenUses } from "./callers/token-uses.ts";
import { endConnectionUnlessRead, keepConnectionIfRead } from "./responses/unread-body.ts";
import { WARNING_HEADER } from "./warnings.ts";

interface ServerOptions {
  readonly serverFactory?: FastifyServerFactory;
  /** Page for browsers at an unknown address. */
  readonly notFoundPage?: (headers: IncomingHttpHeaders) => {
    readonly status: number;
    readonly headers: Readonly<Record<string, string | string[]>>;
    readonly body: string;
  };
}

/** The HTTP server of the API; what else is served at the same address is added to it. */
export function createApiServer(
  deps: ApiDeps,
  { serverFactory, notFoundPage }: ServerOptions = {},
): FastifyInstance {
  const { store, log, rateLimits, admission, clock } = deps;
  const { processes } = rateLimits;
  const fairRequests = createFairRequests(clock);
  const resources = new Map(createResources(deps).map((made) => [made.name, made]));
  const requested = createRequestedOperations(deps.compatibility);
  const bodies = createBodySender(log);
  const sendError = createErrorSender({ log, requested });
  const limitAddress = createRateLimiter("address", rateLimits.perAddress, clock, processes);
  const counted = {
    accounts: store.accounts,
    clock,
    admission,
    limitToken: createRateLimiter("token", rateLimits.perToken, clock, processes),
    requested,
  };
  const callers = createTokenCallers({ ...counted, noteUse: createTokenUses(deps) });
  const handleRequest = createRequestHandler({
    ...counted,
    resources,
    fairRequests,
    callers,
    sessions: deps.sessions,
    store,
    quota: deps.quota,
  });

  const app = createFastify(deps, sendError, serverFactory);
  app.addHook("onRequest", setSecurityHeaders);
  app.addHook("preClose", (done) => {
    bodies.close();
    done();
  });
  app.addHook("preHandler", async (request, reply) => {
    const readsItsBody = request.routeOptions.url === `${apiRoot}/*`;
    if (!readsItsBody && !request.is404) request.body = await bodyOf(reply, admission);
  });
  app.addHook("onResponse", (request, reply, done) => {
    done();
    if (isApiRequest(request)) recordRequest(deps, requested, reply);
  });
  app.setErrorHandler(async (error: FastifyError, request, reply) => {
    await untilParsed(request.raw);
    return sendError(error, request, reply);
  });
  app.setNotFoundHandler((request, reply) => {
    if (notFoundPage === undefined || !wantsPage(request))
      return sendError(
        new NotFound(`no such path ${JSON.stringify(pathOf(request))}`),
        request,
        reply,
      );
    const { status, headers, body } = notFoundPage(request.headers);
    return reply.code(status).headers(headers).send(body);
  });
  serveCheckMetrics(app, { ...deps, limitAddress, callers, fairRequests, bodies });
  app.register(
    async (api) => {
      api.addHook("onRequest", async (request, reply) =>
        // guard: rate of client addresses = {}
        addRateLimitHeaders(reply, limitAddress(admission.clientOf(request.raw))),
      );
      api.options("/*", allowCrossOrigin);
      serveOpenApi(api, () => apiDocumentOf(deps));
      serveSignIn(api, deps, requested);
      api.route({
        method: api.supportedMethods.filter((method) => method !== "OPTIONS"),
        url: "/*",
        handler: async (request, reply) => bodies.send(await handleRequest(request, reply), reply),
      });
    },
    { prefix: apiRoot },
  );
  return app;
}

/** Returns whether a browser opens an address, rather than a client of the API. */
function wantsPage(request: FastifyRequest): boolean {
  const isRead = request.method === "GET" || request.method === "HEAD";
  return isRead && !isApiRequest(request) && /\btext\/html\b/i.test(request.headers.accept ?? "");
}

/** Reads even unneeded bodies: the end of a long response would be lost if the connection ended before its body was read. */
async function bodyOf(reply: FastifyReply, admission: Admission): Promise<string> {
  const limits = { limitBytes: MAX_BODY_BYTES, isKnown: false };
  const { request } = reply;
  const { bytes } = await admission.readBody(request.raw, reply.raw, limits);
  keepConnectionIfRead(reply);
  return isApiRequest(request) && bytes.length > 0
    ? bodyText(bytes, request.headers)
    : Buffer.from(bytes).toString();
}

function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply, done: () => void): void {
  endConnectionUnlessRead(reply);
  reply.headers({
    // guard: no passwords of browsers = it, "www-authenticate": "Basic"
    // guard: referrers
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
  assertOneHost(request.raw);
  // Pages of any origin may call the API with a token: without Access-Control-Allow-Credentials browsers send them no cookie.
  if (isApiRequest(request)) allowAnyOrigin(reply);
  done();
}

function allowAnyOrigin(reply: FastifyReply): void {
  reply.headers({
    "access-control-allow-origin": "*",
    "access-control-expose-headers": WARNING_HEADER,
  });
}

function allowCrossOrigin(_request: FastifyRequest, reply: FastifyReply): void {
  reply
    .headers({
      "access-control-allow-methods": "GET, HEAD, POST, PUT, DELETE",
      "access-control-allow-headers": "Authorization, Content-Type",
      "access-control-max-age": "86400",
    })
    .code(204)
    .send();
}

function recordRequest(
  { log, meter, tracer, clock }: Pick<ApiDeps, "log" | "meter" | "tracer" | "clock">,
  requested: RequestedOperations,
  reply: FastifyReply,
): void {
  const { request } = reply;
  const { action, resource } = requested.get(request);
  const ms = Math.round(reply.elapsedTime);
  // Endless responses say nothing about request durations.
  if (reply.getHeader("content-type") !== EVENT_STREAM_TYPE)
    meter.observe("api.request", ms, { action, resource, status: String(reply.statusCode) });
  if (tracer !== undefined) traceRequest(tracer, reply, { action, resource, endedAt: clock.now() });
  log.info("api.request", {
    method: request.method,
    path: loggedPathOf(request),
    // guard: tokens in logs = it, path: request.url
    from: request.ip,
    status: reply.statusCode,
    ms,
  });
}

interface Document {
  readonly body: Buffer;
  readonly etag: string;
}

/** Serves the OpenAPI document without authentication. It is built at the first request, and compressed at the first that takes such an encoding. */
function serveOpenApi(api: FastifyInstance, make: () => object): void {
  let document: Document | undefined;
  const compressed = new Map<string, Promise<Uint8Array>>();
  const compressedBy = ({ encoding, whole }: Compression, body: Buffer): Promise<Uint8Array> => {
    const known = compressed.get(encoding) ?? whole(body);
    compressed.set(encoding, known);
    return known;
  };
  api.get(documentPath, async (request, reply) => {
    const { body, etag } = (document ??= documentOf(make()));
    reply.headers({ "cache-control": "no-cache", etag, vary: "Accept-Encoding" });
    if (matchesEtag(etag, request.headers["if-none-match"])) return reply.code(304).send();
    reply.header("content-type", "application/json");
    const compression = compressionFor(request.headers["accept-encoding"]?.toString());
    if (compression === undefined) return reply.send(body);
    const bytes = await compressedBy(compression, body);
    return reply.header("content-encoding", compression.encoding).send(bytes);
  });
}

function documentOf(value: object): Document {
  const body = Buffer.from(JSON.stringify(value), "utf8");
  return { body, etag: etagOf(body) };
}

interface Answered extends Pick<RequestedOperation, "action" | "resource"> {
  readonly endedAt: number;
}

/** Traces a request to the API by its route, without what it asks for: ids and parameters may be secret. */
function traceRequest(
  tracer: Tracer,
  { request, statusCode, elapsedTime }: FastifyReply,
  { action, resource, endedAt }: Answered,
): void {
  const caller = callerIn(request.headers.traceparent);
  const traceId = caller?.traceId ?? traceIdOf(`request ${request.id}`);
  if (!tracer.takes(traceId)) return;
  const route = resource === "" ? undefined : `${apiRoot}/${resource}`;
  tracer.record([
    {
      traceId,
      id: spanIdOf(`request ${request.id}`),
      parentId: caller?.spanId,
      name: route === undefined ? request.method : `${action} ${route}`,
      kind: "server",
      startedAt: endedAt - elapsedTime,
      endedAt,
      attributes: {
        "http.request.method": request.method,
        "http.route": route,
        "http.response.status_code": statusCode,
      },
      error: statusCode >= 500 ? String(statusCode) : undefined,
    },
  ]);
}

/** Returns the trace context of a caller (https://www.w3.org/TR/trace-context/). */
function callerIn(
  header: unknown,
): { readonly traceId: string; readonly spanId: string } | undefined {
  const [, traceId = "", spanId = ""] =
    /^00-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}$/.exec(typeof header === "string" ? header : "") ??
    [];
  return traceId === "" || /^0+$/.test(traceId) || /^0+$/.test(spanId)
    ? undefined
    : { traceId, spanId };
}

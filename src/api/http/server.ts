import { METHODS } from "node:http";
import { Readable } from "node:stream";

import { fastify } from "fastify";
import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifyServerFactory,
} from "fastify";

import { InvalidInput, NotFound, TooManyRequests } from "../../kit/errors.ts";
import { authenticate, tokenDigest, resolveScope } from "./auth.ts";
import { bodyText } from "../../kit/http/body-text.ts";
import { compatibilityOf } from "./compatibility.ts";
import type { ApiDeps } from "../deps.ts";
import { bodyLimitBytes, errorResponse, MethodNotAllowed } from "./errors.ts";
import { isJsonStream } from "./json-stream.ts";
import type { JsonStream } from "./json-stream.ts";
import type { ResponseBody } from "../operation.ts";
import { openApiOf } from "../openapi/openapi.ts";
import { parseRequest } from "./parse-request.ts";
import { createRateLimiter, rateLimitKey } from "./rate-limit.ts";
import { createResources } from "../registry.ts";
import { rejectMalformedRequest } from "./malformed-request.ts";
import { routeOf } from "./route.ts";
import { serveOpenApi } from "./serve-openapi.ts";

const ROOT = "/api/1";
const JSON_TYPE = "application/json";
const REQUEST_TIMEOUT_MS = 60_000;
/** Room for a whole record as JSON in the query. */
const HEADER_BYTES = 65_536;
/** Answers up to this size go out in one piece, so that what goes wrong on the way to it still has a status. */
const WHOLE_CHARACTERS = 65_536;
const RETRY_AFTER_SECONDS = 5;

/** Whoever sent it has gone: nobody hears this, and it is no fault of ours. */
const cutOff = { status: 400, body: { error: "body: was cut off" } };
const withBody: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"]);

interface Asked {
  action: string;
  resource: string;
}

export function createApiServer(
  deps: ApiDeps,
  { serverFactory }: { readonly serverFactory?: FastifyServerFactory } = {},
): FastifyInstance {
  const { store, ids, log, meter } = deps;
  const resources = new Map(createResources(deps).map((resource) => [resource.name, resource]));
  const compatibility = compatibilityOf(deps.compatibility);
  const spendAddress = createRateLimiter("address", deps.rateLimits.perAddress);
  const spendToken = createRateLimiter("token", deps.rateLimits.perToken);
  // Told apart over all runs of the program, without a draw of random bits for each.
  const run = ids.queue().toLowerCase();
  let requests = 0;
  const asked = new WeakMap<FastifyRequest, Asked>();

  const app = fastify({
    bodyLimit: bodyLimitBytes,
    requestTimeout: REQUEST_TIMEOUT_MS,
    trustProxy: deps.trustedProxies.length === 0 ? false : [...deps.trustedProxies],
    routerOptions: {
      ignoreTrailingSlash: true,
      querystringParser: () => ({}),
    },
    // Through a proxy the address may come whole (RFC 9112, 3.2.2).
    rewriteUrl: ({ url = "/" }) => url.replace(/^https?:\/\/[^/?]*/i, "") || "/",
    genReqId: () => `${run}-${(requests += 1).toString(36)}`,
    clientErrorHandler: rejectMalformedRequest,
    frameworkErrors(error, request, reply) {
      void sendError(error, request, reply);
    },
    http: {
      maxHeaderSize: HEADER_BYTES,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // Node refuses without a word.
      requireHostHeader: false,
    },
    ...(serverFactory === undefined ? {} : { serverFactory }),
  });
  // An expectation that nobody knows may be passed over (RFC 9110, 10.1.1); Node refuses it without a word.
  app.server.on("checkExpectation", (...asked) => app.server.emit("request", ...asked));
  // Fastify drops the body of a GET unless told that it has one, and knows not every method that Node does.
  for (const method of METHODS)
    app.addHttpMethod(method, { hasBody: withBody.has(method), overrideExisting: true });

  app.addHook("onRequest", (request, reply, done) => {
    reply.headers({
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    });
    if (request.raw.httpVersion === "1.1" && request.headers.host === undefined)
      return done(new InvalidInput("the request has no Host header"));
    // Pages of any origin may call the API: it knows its callers by token alone, never by cookie.
    if (!isApi(request)) return done();
    reply.header("access-control-allow-origin", "*");
    done();
  });
  app.addHook("onResponse", (request, reply, done) => {
    done();
    if (!isApi(request)) return;
    const { action, resource } = askedOf(request);
    const ms = Math.round(reply.elapsedTime);
    meter.observe("api.request", ms, { action, resource, status: String(reply.statusCode) });
    log.info("api.request", {
      method: request.method,
      path: pathOf(request),
      from: request.ip,
      status: reply.statusCode,
      ms,
    });
  });
  app.setErrorHandler((error: FastifyError, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler((request, reply) =>
    sendError(new NotFound(`no such path ${JSON.stringify(pathOf(request))}`), request, reply),
  );

  app.register(
    async (api) => {
      api.addHook("onRequest", async (request, reply) =>
        addLimit(reply, await spendAddress(rateLimitKey(request.ip))),
      );
      api.removeAllContentTypeParsers();
      api.addContentTypeParser(
        "*",
        { parseAs: "buffer" },
        async ({ headers }: FastifyRequest, body: Buffer) => bodyText(body, headers),
      );
      api.options("/*", (_request, reply) =>
        reply
          .headers({
            "access-control-allow-methods": "GET, HEAD, POST, PUT, DELETE",
            "access-control-allow-headers": "Authorization, Content-Type",
            "access-control-max-age": "86400",
          })
          .code(204)
          .send(),
      );
      serveOpenApi(api, () => openApiOf([...resources.values()], { root: ROOT, compatibility }));
      api.route({
        method: api.supportedMethods.filter((method) => method !== "OPTIONS"),
        url: "/*",
        handler: async (request, reply) => send(await answer(request, reply), reply),
      });
    },
    { prefix: ROOT },
  );
  return app;

  async function answer(request: FastifyRequest, reply: FastifyReply): Promise<ResponseBody> {
    const { headers, method, url, body } = request;
    const call = parseRequest(
      {
        method,
        url,
        contentType: headers["content-type"],
        body: typeof body === "string" ? body : undefined,
      },
      ROOT,
    );
    const { resource, action, operation, values } = routeOf(resources, call);
    asked.set(request, { action, resource: resource.name });
    const digest = tokenDigest(call.token, headers.authorization);
    const caller = await authenticate(store.accounts, digest);
    addLimit(reply, await spendToken(digest));
    const customerid = "customerid" in operation.input.shape ? values.customerid : undefined;
    const scope = { customerid, deletedToo: operation.allowsDeletedAccount };
    return operation.handle(values, await resolveScope(store.accounts, caller, scope));
  }

  async function send(body: ResponseBody, reply: FastifyReply): Promise<FastifyReply> {
    reply.header("content-type", JSON_TYPE);
    return isJsonStream(body) ? sendStream(body, reply) : reply.send(utf8(JSON.stringify(body)));
  }

  async function sendStream(body: JsonStream, reply: FastifyReply): Promise<FastifyReply> {
    const pieces = body[Symbol.asyncIterator]();
    let begun = "";
    while (begun.length <= WHOLE_CHARACTERS) {
      const piece = await pieces.next();
      if (piece.done) return reply.send(utf8(begun));
      begun += piece.value;
    }
    const rest = Readable.from(continued(begun, pieces));
    rest.on("error", (error) =>
      log.error("api.response_aborted", { reference: reply.request.id, error: error.stack }),
    );
    return reply.send(rest);
  }

  function sendError(error: Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const known =
      errorResponse(error) ?? (error === request.raw.errored ? cutOff : opaque(error, request));
    const { status, body } = isApi(request)
      ? compatibility.errorResponse(known, error, askedOf(request))
      : known;
    if (error instanceof TooManyRequests) {
      addLimit(reply, error.headers);
      reply.header("retry-after", error.retryAfterSeconds);
    }
    if (error instanceof MethodNotAllowed) reply.header("allow", error.allowed.join(", "));
    if (status === 503) reply.header("retry-after", RETRY_AFTER_SECONDS);
    return reply
      .code(status)
      .header("content-type", JSON_TYPE)
      .send(utf8(JSON.stringify(body)));
  }

  function opaque(
    error: Error,
    request: FastifyRequest,
  ): { status: number; body: { error: string } } {
    log.error("api.internal_error", {
      reference: request.id,
      method: request.method,
      path: pathOf(request),
      from: request.ip,
      error: error.stack,
    });
    return { status: 500, body: { error: `Internal error, reference ${request.id}` } };
  }

  function askedOf(request: FastifyRequest): Asked {
    return asked.get(request) ?? { action: request.method, resource: "" };
  }
}

/** Bytes, for Fastify adds a charset to the type of text, and JSON has none (RFC 8259, section 11). */
function utf8(text: string): Buffer {
  return Buffer.from(text, "utf8");
}

async function* continued(begun: string, rest: AsyncIterator<string>): AsyncIterable<string> {
  yield begun;
  yield* { [Symbol.asyncIterator]: () => rest };
}

/** Several limits stand in one list (RFC 9651, section 3.1). */
function addLimit(reply: FastifyReply, limit: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(limit)) {
    const before = reply.getHeader(name);
    reply.header(name, before === undefined ? value : `${String(before)}, ${value}`);
  }
}

function pathOf({ url }: FastifyRequest): string {
  return url.split("?")[0] ?? "";
}

/** By the route that was found, for the path may be written in other ways. */
function isApi(request: FastifyRequest): boolean {
  return (request.routeOptions.url ?? pathOf(request)).startsWith("/api/");
}

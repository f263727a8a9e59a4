import { METHODS } from "node:http";
import type { Socket } from "node:net";

import { fastify, type FastifyInstance, type FastifyServerFactory } from "fastify";

import { codeOf } from "../../kit/errors.ts";
import type { ApiDeps } from "../deps.ts";
import type { SendError } from "./responses/send-error.ts";

const REQUEST_TIMEOUT_MS = 60_000;
const HEADERS_TIMEOUT_MS = 10_000;
/** Longer than the 60 s for which common proxies and clients keep a connection, so that they are the ones to close it. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000;
/** How long a client may leave a response unread; longer than any operation takes. */
const IDLE_TIMEOUT_MS = 120_000;
/** Enough for a whole record as JSON in the query. */
const MAX_HEADER_BYTES = 65_536;

/** A Fastify server without routes that leaves queries and bodies to the API, and refuses nothing without a sentence. */
export function createFastify(
  { ids, trustedProxies }: Pick<ApiDeps, "ids" | "trustedProxies">,
  sendError: SendError,
  serverFactory: FastifyServerFactory | undefined,
): FastifyInstance {
  // Unique across restarts of the program, without random bits for each request.
  const prefix = ids.queue().toLowerCase();
  let requests = 0;
  const app = fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    connectionTimeout: IDLE_TIMEOUT_MS,
    trustProxy: trustedProxies.length === 0 ? false : [...trustedProxies],
    routerOptions: {
      ignoreTrailingSlash: true,
      querystringParser: () => ({}),
    },
    // A proxy may send the absolute form of a URL (RFC 9112, section 3.2.2).
    rewriteUrl: ({ url = "/" }) => url.replace(/^https?:\/\/[^/?]*/i, "") || "/",
    genReqId: () => `${prefix}-${(requests += 1).toString(36)}`,
    clientErrorHandler: rejectMalformedRequest,
    frameworkErrors(error, request, reply) {
      void sendError(error, request, reply);
    },
    http: {
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: REQUEST_TIMEOUT_MS,
      // guard: deadline of headers = 0
      headersTimeout: HEADERS_TIMEOUT_MS,
      connectionsCheckingInterval: 1000,
      // Node refuses with an empty body; the hook of the server refuses with a sentence.
      requireHostHeader: false,
    },
    ...(serverFactory === undefined ? {} : { serverFactory }),
  });
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1); Node refuses it with an empty body.
  app.server.on("checkExpectation", (...request) => app.server.emit("request", ...request));
  // Whether the body is requested depends on the sender.
  app.server.on("checkContinue", (...request) => app.server.emit("request", ...request));
  // Fastify knows fewer methods than Node, and would read bodies before it is known who sends them.
  for (const method of METHODS)
    app.addHttpMethod(method, { hasBody: false, overrideExisting: true });
  return app;
}

const sentences: Readonly<Record<string, readonly [status: string, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "the address and headers are too long, send a body",
  ],
  HPE_INVALID_URL: [
    "400 Bad Request",
    "the address is not valid, percent-encode all but plain ASCII letters, digits and signs",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "the request did not arrive in time"],
};

/** Responds to bytes that Node could not parse as a request. */
function rejectMalformedRequest(error: Error, socket: Socket): void {
  if (codeOf(error) === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, sentence] = sentences[codeOf(error) ?? ""] ?? [
    "400 Bad Request",
    "the request is not valid HTTP",
  ];
  const body = JSON.stringify({ error: sentence });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

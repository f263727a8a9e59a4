import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";

import type { FastifyInstance, RouteHandlerMethod } from "fastify";

import type { ApiDeps } from "../api/deps.ts";
import { createApiServer } from "../api/http/server.ts";
import type { Secret } from "../kit/crypto/secret.ts";
import { formPairs } from "../kit/http/form-pairs.ts";
import { matchesEtag } from "../kit/http/etag.ts";
import { isPush } from "../push/handler.ts";
import { pages } from "../web/pages.ts";
import type { LinkPages } from "../web/link-page.ts";
import type { ConnectionLimits } from "./connections/connection-limits.ts";
import { assertMayReadMetrics } from "./metrics-access.ts";
import type { Metrics } from "./metrics.ts";

interface Deps {
  readonly api: ApiDeps;
  readonly push: (request: IncomingMessage, response: ServerResponse) => void;
  readonly metrics: Metrics;
  /** What the metrics are read with from other machines. */
  readonly metricsToken: Secret | undefined;
  readonly connections: ConnectionLimits;
  /** By path, the pages behind the links of mails. */
  readonly linkPages: Readonly<Record<string, LinkPages>>;
  /** Why this process is not ready; empty where it is. */
  readonly unready: () => readonly string[];
}

/** Everything that is served on one address: heartbeats, API, health, metrics, dashboard and reference. */
export function createHttpServer({
  api,
  push,
  metrics,
  metricsToken,
  connections,
  linkPages,
  unready,
}: Deps): FastifyInstance {
  const server = createApiServer(api, {
    serverFactory: (handle, options) =>
      createServer(options.http ?? {}, (request, response) => {
        if (!connections.received(request, response)) return;
        if (isPush(request.url)) push(request, response);
        else handle(request, response);
      }).on("connection", connections.opened),
  });
  server.get("/healthz", () => ({ ok: true }));
  server.get("/readyz", (_, reply) => {
    const reasons = unready();
    return reply
      .status(reasons.length === 0 ? 200 : 503)
      .send({ ready: reasons.length === 0, reasons });
  });
  server.get("/metrics", async ({ raw }, reply) => {
    assertMayReadMetrics(raw, metricsToken);
    const { body, contentType } = await metrics.expose();
    return reply.header("content-type", contentType).send(body);
  });
  for (const { path, headers, etag, body } of pages) {
    server.get(path, (request, reply) => {
      reply.headers(headers);
      return matchesEtag(etag, request.headers["if-none-match"])
        ? reply.code(304).send()
        : reply.send(body);
    });
  }
  for (const [url, { ask, act }] of Object.entries(linkPages)) {
    const respond =
      (answer: LinkPages["ask"]): RouteHandlerMethod =>
      async (request, reply) => {
        const query = Object.fromEntries(formPairs(request.url.split("?")[1] ?? ""));
        const { status, headers, body } = await answer(new URLSearchParams(query));
        return reply.code(status).headers(headers).send(body);
      };
    server.get(url, respond(ask));
    // Mail programs post a form (RFC 8058) whose only field is not needed.
    server.post(url, respond(act));
  }
  return server;
}

import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";

import type { FastifyInstance, RouteHandlerMethod } from "fastify";

import type { ApiDeps } from "../api/deps.ts";
import { createApiServer } from "../api/http/server.ts";
import { formPairs } from "../kit/http/form-pairs.ts";
import { matchesEtag } from "../kit/http/etag.ts";
import { isPush } from "../push/heartbeat-route.ts";
import { pages } from "../web/pages.ts";
import type { LinkPages } from "../web/link-page.ts";
import type { ConnectionLimits } from "./connections/connection-limits.ts";
import { addHealthRoutes } from "./health/health-routes.ts";
import type { Health } from "./health/health-routes.ts";

interface Deps {
  readonly api: ApiDeps;
  readonly push: (request: IncomingMessage, response: ServerResponse) => void;
  readonly health: Health;
  readonly connections: ConnectionLimits;
  /** By path, the pages behind the links of mails. */
  readonly linkPages: Readonly<Record<string, LinkPages>>;
}

/** Everything that is served on one address: heartbeats, API, health, metrics, dashboard and reference. */
export function createHttpServer({
  api,
  push,
  health,
  connections,
  linkPages,
}: Deps): FastifyInstance {
  const server = createApiServer(api, {
    serverFactory: (handle, options) =>
      createServer(options.http ?? {}, (request, response) => {
        if (!connections.received(request, response)) return;
        if (isPush(request.url)) push(request, response);
        else handle(request, response);
      }).on("connection", connections.opened),
  });
  addHealthRoutes(server, health);
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
        const query = parametersIn(request.url.split("?")[1] ?? "");
        const form = parametersIn(typeof request.body === "string" ? request.body : "");
        const { status, headers, body } = await answer(query, form, {
          headers: request.headers,
          client: api.admission.clientOf(request.raw),
        });
        return reply.code(status).headers(headers).send(body);
      };
    server.get(url, respond(ask));
    server.post(url, respond(act));
  }
  return server;
}

/** Of a name that is repeated the last value counts. */
function parametersIn(text: string): URLSearchParams {
  return new URLSearchParams(Object.fromEntries(formPairs(text)));
}

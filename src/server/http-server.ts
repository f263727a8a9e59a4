import { createServer, type IncomingMessage, type ServerResponse } from "node:http";

import type { FastifyInstance } from "fastify";

import { apiDocumentOf } from "../api/api-document.ts";
import type { ApiDeps } from "../api/deps.ts";
import { createApiServer } from "../api/http/server.ts";
import { isPush } from "../heartbeats/heartbeat-route.ts";
import { loadDashboard } from "../web/dashboard.ts";
import { notFoundPage } from "../web/not-found-page.ts";
import { pages } from "../web/pages.ts";
import type { LinkPages } from "../web/link-page.ts";
import type { PublicPages } from "../status-pages/public-pages.ts";
import type { ConnectionLimits } from "./connections/connection-limits.ts";
import { addHealthRoutes, type Health } from "./health/health-routes.ts";
import { addPageRoutes } from "./pages/page-routes.ts";
import { addReference } from "./pages/reference-route.ts";
import { addPublicRoutes, redirectToStatusPage } from "./pages/public-routes.ts";

interface Deps {
  readonly api: ApiDeps;
  readonly push: (request: IncomingMessage, response: ServerResponse) => void;
  readonly health: Health;
  readonly connections: ConnectionLimits;
  /** Pages for mail links, by path. */
  readonly linkPages: Readonly<Record<string, LinkPages>>;
  readonly publicPages: PublicPages;
}

/** Everything that is served on one address: heartbeats, API, health, metrics, dashboard and reference. */
export function createHttpServer({
  api,
  push,
  health,
  connections,
  linkPages,
  publicPages,
}: Deps): FastifyInstance {
  const server = createApiServer(api, {
    notFoundPage,
    serverFactory: (handle, options) =>
      createServer(options.http ?? {}, (request, response) => {
        if (!connections.received(request, response)) return;
        const isForPage = redirectToStatusPage(request, publicPages);
        if (!isForPage && isPush(request.url)) push(request, response);
        else handle(request, response);
      }).on("connection", connections.opened),
  });
  addHealthRoutes(server, health);
  addPageRoutes(server, { dashboard: loadDashboard(), pages, linkPages }, api.admission);
  addReference(server, () => apiDocumentOf(api));
  addPublicRoutes(server, { publicPages, clientOf: api.admission.clientOf });
  return server;
}

import type { FastifyInstance, RouteHandlerMethod } from "fastify";

import { acceptedEncoding } from "../../kit/http/accepted-encoding.ts";
import type { Admission } from "../../kit/http/admission.ts";
import { matchesEtag } from "../../kit/http/etag.ts";
import type { Dashboard } from "../../web/dashboard.ts";
import type { LinkPages } from "../../web/link-page.ts";
import type { Page } from "../../web/pages.ts";
import { parametersIn } from "./parameters-in.ts";

interface Pages {
  readonly dashboard: Dashboard;
  readonly pages: readonly Page[];
  /** Pages for mail links, by path. */
  readonly linkPages: Readonly<Record<string, LinkPages>>;
}

/** Serves all that people look at. */
export function addPageRoutes(
  server: FastifyInstance,
  { dashboard, pages, linkPages }: Pages,
  admission: Pick<Admission, "clientOf">,
): void {
  addDashboard(server, dashboard);
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
          client: admission.clientOf(request.raw),
        });
        return reply.code(status).headers(headers).send(body);
      };
    server.get(url, respond(/* guard: changes by POST alone = act */ ask));
    server.post(url, respond(act));
  }
}

const codings = ["br", "gzip"] as const;

/** One document at the address of each page, and the files that it loads. */
function addDashboard(server: FastifyInstance, { paths, document, assets }: Dashboard): void {
  for (const path of paths)
    server.get(path, (_request, reply) => {
      const { status, headers, body } = document();
      return reply.code(status).headers(headers).send(body);
    });
  for (const { path, headers, body, ...compressed } of assets)
    server.get(path, (request, reply) => {
      reply.headers(headers);
      const coding = acceptedEncoding(request.headers["accept-encoding"], codings);
      if (coding === undefined) return reply.send(body);
      return reply.header("content-encoding", coding).send(compressed[coding]);
    });
}

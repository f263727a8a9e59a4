import type { IncomingMessage } from "node:http";

import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from "fastify";

import type { ClientAddresses } from "../../kit/http/client-address.ts";
import type { PublicPages } from "../../status-pages/public-pages.ts";
import { parametersIn } from "./parameters-in.ts";

interface Deps {
  readonly publicPages: PublicPages;
  readonly clientOf: ClientAddresses["clientOf"];
}

/** Path to which requests for hosts of status pages are routed, so that nothing else is served there. */
const DOMAIN_PATH = "/status-domain";

/** Adds the pages that are public without a token. */
export function addPublicRoutes(server: FastifyInstance, { publicPages, clientOf }: Deps): void {
  const respond: RouteHandlerMethod = async (request, reply) => {
    const { status, headers, body } = await publicPages.respond({
      method: request.method === "POST" ? "POST" : "GET",
      segments: segmentsOf(request),
      query: parametersIn(request.url.split("?")[1] ?? ""),
      form: parametersIn(typeof request.body === "string" ? request.body : ""),
      headers: request.headers,
      client: clientOf(request.raw),
    });
    return reply.code(status).headers(headers).send(body);
  };
  server.get("/reports/*", respond);
  for (const path of ["/reports/subscriptions", "/reports/status/*"]) server.post(path, respond);
  for (const path of ["/status/*", DOMAIN_PATH, `${DOMAIN_PATH}/*`]) {
    server.get(path, respond);
    server.post(path, respond);
  }
}

/** Routes a request for a host of status pages to them, whatever its path; returns whether it did. */
export function redirectToStatusPage(
  request: IncomingMessage,
  { isStatusHost }: Pick<PublicPages, "isStatusHost">,
): boolean {
  if (!isStatusHost(request.headers.host)) return false;
  const path = (request.url ?? "/").replace(/^https?:\/\/[^/?]*/i, "");
  request.url = `${DOMAIN_PATH}${path.startsWith("/") ? "" : "/"}${path}`;
  return true;
}

/** Valid segments contain no encoded characters, so nothing is decoded. */
function segmentsOf({ url }: FastifyRequest): readonly string[] {
  const [path = ""] = url.split("?");
  const segments = path.split("/").filter((segment) => segment !== "");
  return path.startsWith(`${DOMAIN_PATH}/`) ? segments.slice(1) : segments;
}

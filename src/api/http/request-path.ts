import type { FastifyRequest } from "fastify";

export const apiRoot = "/api/1";

/** The path of a request without its query. */
export function pathOf({ url }: FastifyRequest): string {
  return url.split("?")[0] ?? "";
}

/** Decides by the route that was found, since a path can be encoded in more than one way. */
export function isApiRequest(request: FastifyRequest): boolean {
  return (request.routeOptions.url ?? pathOf(request)).startsWith("/api/");
}

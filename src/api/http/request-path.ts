import type { FastifyRequest } from "fastify";

export const apiRoot = "/api/1";

/** The path of a request without its query. */
export function pathOf({ url }: FastifyRequest): string {
  return url.split("?")[0] ?? "";
}

/** Every id that we make (kit/ids.ts) but uuids, which look like tokens. */
const ID = /^(?:\d{12}[A-Z0-9]{5}(?:-[A-Z0-9]{1,8}){0,2}|[a-z0-9]{20})$/i;
/** A token has at least 16 characters; names of resources and locations have fewer. */
const MAX_NAME_LENGTH = 15;

/** Returns the path as it may be logged, because someone may have put a token in it. */
export function loggedPathOf(request: FastifyRequest): string {
  return pathOf(request)
    .split("/")
    .map((part) =>
      part.length <= MAX_NAME_LENGTH || ID.test(part)
        ? part
        : /* guard: tokens in the paths of logs = parameter */ "[redacted]",
    )
    .join("/");
}

/** Decides by the route that was found, since a path can be encoded in more than one way. */
export function isApiRequest(request: FastifyRequest): boolean {
  return (request.routeOptions.url ?? pathOf(request)).startsWith("/api/");
}

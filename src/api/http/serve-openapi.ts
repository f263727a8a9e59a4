import type { FastifyInstance } from "fastify";

import { etagOf, matchesEtag } from "../../kit/http/etag.ts";
import { documentPath } from "../openapi/openapi.ts";

interface Document {
  readonly body: Buffer;
  readonly etag: string;
}

/** Serves the OpenAPI document without authentication. It is built at the first request. */
export function serveOpenApi(api: FastifyInstance, make: () => object): void {
  let document: Document | undefined;
  api.get(documentPath, (request, reply) => {
    const { body, etag } = (document ??= documentOf(make()));
    reply.headers({ "cache-control": "no-cache", etag });
    return matchesEtag(etag, request.headers["if-none-match"])
      ? reply.code(304).send()
      : reply.header("content-type", "application/json").send(body);
  });
}

function documentOf(value: object): Document {
  const body = Buffer.from(JSON.stringify(value), "utf8");
  return { body, etag: etagOf(body) };
}

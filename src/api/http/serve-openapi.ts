import type { FastifyInstance } from "fastify";

import { etagOf, matchesEtag } from "../../kit/http/etag.ts";
import { documentPath } from "../openapi/openapi.ts";
import { compressionFor, type Compression } from "./responses/compression.ts";

interface Document {
  readonly body: Buffer;
  readonly etag: string;
}

/** Serves the OpenAPI document without authentication. It is built at the first request, and compressed at the first that takes such an encoding. */
export function serveOpenApi(api: FastifyInstance, make: () => object): void {
  let document: Document | undefined;
  const compressed = new Map<string, Promise<Uint8Array>>();
  const compressedBy = ({ encoding, whole }: Compression, body: Buffer): Promise<Uint8Array> => {
    const known = compressed.get(encoding) ?? whole(body);
    compressed.set(encoding, known);
    return known;
  };
  api.get(documentPath, async (request, reply) => {
    const { body, etag } = (document ??= documentOf(make()));
    reply.headers({ "cache-control": "no-cache", etag, vary: "Accept-Encoding" });
    if (matchesEtag(etag, request.headers["if-none-match"])) return reply.code(304).send();
    reply.header("content-type", "application/json");
    const compression = compressionFor(request.headers["accept-encoding"]?.toString());
    if (compression === undefined) return reply.send(body);
    const bytes = await compressedBy(compression, body);
    return reply.header("content-encoding", compression.encoding).send(bytes);
  });
}

function documentOf(value: object): Document {
  const body = Buffer.from(JSON.stringify(value), "utf8");
  return { body, etag: etagOf(body) };
}

import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

import type { FastifyInstance } from "fastify";

import { acceptedEncoding } from "../../kit/http/accepted-encoding.ts";
import { etagOf, matchesEtag } from "../../kit/http/etag.ts";
import { contentTypes, pageHeaders } from "../../web/pages.ts";
import { referencePage } from "../../web/reference-page.ts";

/** Brotli quality: higher levels take longer than the first visitor should wait. */
const QUALITY = 6;

const compress = {
  br: (body: Buffer): Promise<Buffer> =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: QUALITY } }),
  gzip: (body: Buffer): Promise<Buffer> => promisify(gzip)(body),
};
const codings = ["br", "gzip"] as const;

/** Serves the API reference, which is rendered at the first request, as the OpenAPI document is. */
export function addReference(server: FastifyInstance, makeDocument: () => object): void {
  let page: { readonly body: Buffer; readonly etag: string } | undefined;
  const compressed = new Map<keyof typeof compress, Promise<Buffer>>();
  const render = (): { readonly body: Buffer; readonly etag: string } => {
    const body = Buffer.from(referencePage(JSON.parse(JSON.stringify(makeDocument()))));
    return { body, etag: etagOf(body) };
  };
  server.get("/docs", async (request, reply) => {
    const { body, etag } = (page ??= render());
    reply.headers({
      ...pageHeaders,
      etag,
      vary: "accept-encoding",
      "content-type": contentTypes[".html"],
    });
    if (matchesEtag(etag, request.headers["if-none-match"])) return reply.code(304).send();
    const coding = acceptedEncoding(request.headers["accept-encoding"], codings);
    if (coding === undefined) return reply.send(body);
    const bytes = compressed.get(coding) ?? compress[coding](body);
    compressed.set(coding, bytes);
    return reply.header("content-encoding", coding).send(await bytes);
  });
}

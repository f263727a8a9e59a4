import { readFileSync } from "node:fs";
import { extname } from "node:path";

import { etagOf } from "../kit/http/etag.ts";

/** A page or a part of one, ready to be served. */
export interface Page {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly body: Buffer;
}

/** Nothing is loaded from elsewhere, nothing runs that is not ours, and no other page can frame it. */
export const pageHeaders = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-cache",
};
const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
};

/** Both are clients of the API: the dashboard of whoever has a token, and the reference of its OpenAPI document. */
export const pages: readonly Page[] = [
  page("/", part("dashboard.html")),
  page("/dashboard.css", part("dashboard.css")),
  page("/dashboard.js", part("dashboard.js")),
  page("/ask.js", part("ask.js")),
  page("/check-detail.js", part("check-detail.js")),
  page("/made.js", part("made.js")),
  page("/refused.js", part("refused.js")),
  page("/told.js", part("told.js")),
  page("/docs", part("reference.html")),
  page("/docs/reference.js", part("reference.js")),
  // Without the plugin around these files, which would make the document itself, from the routes of Fastify.
  page("/docs/swagger-ui.css", import.meta.resolve("@fastify/swagger-ui/static/swagger-ui.css")),
  page(
    "/docs/swagger-ui-bundle.js",
    import.meta.resolve("@fastify/swagger-ui/static/swagger-ui-bundle.js"),
  ),
];

function page(path: string, file: string): Page {
  const body = readFileSync(new URL(file));
  const etag = etagOf(body);
  const contentType = contentTypes[extname(file)] ?? "";
  return { path, headers: { ...pageHeaders, etag, "content-type": contentType }, etag, body };
}

function part(name: string): string {
  return import.meta.resolve(`./client/${name}`);
}

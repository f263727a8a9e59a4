import { readFileSync } from "node:fs";
import { extname } from "node:path";

import { etagOf } from "../kit/http/etag.ts";

/** A page, script or style sheet, ready to be served. */
export interface Page {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly etag: string;
  readonly body: Buffer;
}

/** Only scripts and styles of this server are loaded, and no other page can frame it. */
export const pageHeaders = {
  "content-security-policy":
    // guard: frames = it.replace("frame-ancestors 'none'; ", "")
    // guard: scripts of this server alone = it.replace("'self'", "https:")
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-cache",
};
export const contentTypes: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

const folder = new URL("static/", import.meta.url);

/** Styles and scripts of the pages that are rendered here, and of the API reference. */
export const pages: readonly Page[] = [
  page("/page.css", part("page.css")),
  page("/docs/reference.css", part("reference.css")),
  page("/docs/reference.js", part("reference.js")),
];

function page(path: string, file: string): Page {
  const body = readFileSync(new URL(file));
  const etag = etagOf(body);
  const contentType = contentTypes[extname(file)] ?? "";
  return { path, headers: { ...pageHeaders, etag, "content-type": contentType }, etag, body };
}

function part(name: string): string {
  return new URL(name, folder).href;
}

import { readFileSync } from "node:fs";

/** A page or a part of one, ready to be served. */
export interface Page {
  readonly path: string;
  readonly contentType: string;
  readonly body: string;
}

/** Nothing is loaded from elsewhere, nothing runs that is not ours, and no other page can frame it. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "cache-control": "no-cache",
};

/** The dashboard: one page that reads the API with the token of whoever looks at it. */
export const pages: readonly Page[] = [
  { path: "/", contentType: "text/html; charset=utf-8", body: part("dashboard.html") },
  { path: "/dashboard.css", contentType: "text/css; charset=utf-8", body: part("dashboard.css") },
  {
    path: "/dashboard.js",
    contentType: "text/javascript; charset=utf-8",
    body: part("dashboard.js"),
  },
];

function part(name: string): string {
  return readFileSync(new URL(`client/${name}`, import.meta.url), "utf8");
}

import { randomBytes } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";

import { clientPaths, signInPaths } from "../domain/dashboard-paths.ts";
import { contentTypes, pageHeaders } from "./pages.ts";

/** A file that the document of the dashboard loads. Its name changes with its content. */
export interface Asset {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** The same, compressed when it was built. */
  readonly br: Buffer;
  readonly gzip: Buffer;
}

export interface Dashboard {
  readonly paths: readonly string[];
  /** The document that all of its paths show, for one request. */
  readonly document: () => {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  readonly assets: readonly Asset[];
}

const NONCE = "%NONCE%";
const NONCE_BYTES = 16;
const built = new URL("../../dist/client/", import.meta.url);

const notBuilt =
  '<!doctype html><html lang="en"><title>Watchpost</title><p>The dashboard is not built: run "npm run build", and restart.</p></html>';

/** Reads the dashboard as `npm run build` left it. */
export function loadDashboard(folder = built): Dashboard {
  const isBuilt = existsSync(new URL("index.html", folder));
  const template = isBuilt ? readFileSync(new URL("index.html", folder), "utf8") : notBuilt;
  return {
    paths: [...clientPaths, ...signInPaths],
    document() {
      const nonce = randomBytes(NONCE_BYTES).toString("base64");
      const headers = {
        ...pageHeaders,
        "content-security-policy": policyFor(nonce),
        "content-type": "text/html; charset=utf-8",
        // Each has a nonce of its own; the addresses of the files in it are of this build.
        "cache-control": "no-store",
        "referrer-policy": "same-origin",
      };
      return { status: isBuilt ? 200 : 503, headers, body: template.replace(NONCE, nonce) };
    },
    assets: isBuilt ? assetsIn(new URL("assets/", folder)) : [],
  };
}

/** Styles that scripts add need the nonce; scripts have none, for they come from files alone. */
function policyFor(nonce: string): string {
  return `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`;
}

function assetsIn(folder: URL): readonly Asset[] {
  const names = readdirSync(folder).filter((name) => Object.hasOwn(contentTypes, extname(name)));
  const read = (name: string): Buffer => readFileSync(new URL(name, folder));
  return names.map((name) => ({
    path: `/assets/${name}`,
    headers: {
      ...pageHeaders,
      "content-type": contentTypes[extname(name)] ?? "",
      "cache-control": "public, max-age=31536000, immutable",
      vary: "accept-encoding",
    },
    body: read(name),
    br: read(`${name}.br`),
    gzip: read(`${name}.gz`),
  }));
}

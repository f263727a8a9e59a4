import { readFileSync } from "node:fs";

import type { PublicDocument } from "./public-document.ts";

const CACHED_SECONDS = 300;

/** The script with which any page shows how a status page is; it finds out by its own address which. */
export const widgetScript: PublicDocument = {
  status: 200,
  headers: {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": `public, max-age=${CACHED_SECONDS}`,
  },
  body: readFileSync(new URL("./widget.js", import.meta.url)),
};

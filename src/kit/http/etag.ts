import { createHash } from "node:crypto";

/** A strong entity tag for exactly these bytes (RFC 9110, 8.8.3). */
export function etagOf(body: string | Uint8Array): string {
  return `"${createHash("sha256").update(body).digest("base64url")}"`;
}

/** Returns whether If-None-Match contains the tag; weak tags match too, because compressing proxies weaken them. */
export function matchesEtag(etag: string, ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag) ?? false;
}

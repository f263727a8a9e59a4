import { createHash } from "node:crypto";

/** Stands for exactly these bytes (RFC 9110, section 8.8.3). */
export function etagOf(body: string | Uint8Array): string {
  return `"${createHash("sha256").update(body).digest("base64url")}"`;
}

/** Whether the client has it already, by its If-None-Match; a proxy that compresses calls a tag weak. */
export function matchesEtag(etag: string, ifNoneMatch: string | undefined): boolean {
  return ifNoneMatch?.split(",").some((tag) => tag.trim().replace(/^W\//, "") === etag) ?? false;
}

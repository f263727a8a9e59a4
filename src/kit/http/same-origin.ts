import type { IncomingHttpHeaders } from "node:http";

/** Returns whether a page of this server sent a request, based on headers that pages cannot set: Fetch Metadata, otherwise the origin. */
export function isSameOrigin(
  { "sec-fetch-site": site, origin, host }: IncomingHttpHeaders,
  url: string,
): boolean {
  if (site !== undefined) return site === "same-origin";
  const sender = URL.parse(origin ?? "")?.host;
  // A proxy may send another Host than the browser did.
  return sender !== undefined && (sender === host || sender === new URL(url).host);
}

/** Returns whether it may only be read for: also what a person opened, or a program without a page. */
export function isFromElsewhere({ "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
  return site !== undefined && site !== "same-origin" && site !== "none";
}

import type { IncomingHttpHeaders } from "node:http";

/** Whether a page of this server sent a request, by what browsers say and pages cannot: Fetch Metadata, or where there is none the origin. */
export function isSameOrigin(
  { "sec-fetch-site": site, origin, host }: IncomingHttpHeaders,
  url: string,
): boolean {
  if (site !== undefined) return site === "same-origin";
  const sender = URL.parse(origin ?? "")?.host;
  // A proxy may send another Host than the browser did.
  return sender !== undefined && (sender === host || sender === new URL(url).host);
}

/** Whether it may only be read for: also what a person opened, or a program without a page. */
export function isFromElsewhere({ "sec-fetch-site": site }: IncomingHttpHeaders): boolean {
  return site !== undefined && site !== "same-origin" && site !== "none";
}

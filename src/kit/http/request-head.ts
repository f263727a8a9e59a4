import { validateHeaderName, validateHeaderValue } from "node:http";

import { InvalidInput } from "../errors.ts";
import { acceptedEncodings } from "./response-body.ts";
import { percentDecode } from "./percent-decode.ts";

export interface HttpRequestHead {
  readonly url: URL;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Otherwise the exchange ends with the head of the response. */
  readonly readBody: boolean;
}

/** Headers for message framing and the connection, which callers must not set. */
export const reservedHeaders: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Throws InvalidInput unless the scheme is http or https. */
export function isSecure({ protocol }: URL): boolean {
  // guard: schemes of requests
  if (protocol !== "http:" && protocol !== "https:")
    throw new InvalidInput(`the scheme must be http or https: ${JSON.stringify(protocol)}`);
  return protocol === "https:";
}

export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return isSecure(url) ? 443 : 80;
}

/** The request target of the request line (RFC 9112, 3.2). */
export function requestTarget({ url, method }: Pick<HttpRequestHead, "url" | "method">): string {
  // guard: tunnels lead to the target alone = else
  return method === "CONNECT" ? authorityOf(url) : `${url.pathname}${url.search}`;
}

/** CONNECT names only the host that the egress policy allowed. */
function authorityOf(url: URL): string {
  return `${url.hostname}:${portOf(url)}`;
}

/** Names and values alternate; Node sends headers in this form unchanged. */
export function rawHeaders({
  url,
  method,
  headers = {},
  body,
  readBody,
}: HttpRequestHead): string[] {
  const given = Object.entries(headers);
  const names = new Set<string>();
  for (const [name, value] of given) {
    refuseBadHeader(name, value);
    names.add(name.toLowerCase());
  }
  const lines = ["Connection", "close", ...given.flat()];
  if (!names.has("host")) lines.unshift("Host", method === "CONNECT" ? authorityOf(url) : url.host);
  if (!names.has("authorization") && (url.username !== "" || url.password !== ""))
    lines.push("Authorization", basicOf(url));
  if (readBody && !names.has("accept-encoding")) lines.push("Accept-Encoding", acceptedEncodings);
  if (body !== undefined || method === "POST" || method === "PUT")
    lines.push("Content-Length", String(Buffer.byteLength(body ?? "")));
  return lines;
}

function refuseBadHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
    // guard: characters of headers
    validateHeaderValue(name, value);
  } catch (error) {
    throw new InvalidInput(
      `a header has characters that no header may have: ${JSON.stringify(name)}`,
      { cause: error },
    );
  }
  // guard: headers that cannot be set
  if (reservedHeaders.has(name.toLowerCase()))
    throw new InvalidInput(`this header cannot be set: ${JSON.stringify(name)}`);
}

function basicOf({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${percentDecode(username)}:${percentDecode(password)}`).toString("base64")}`;
}

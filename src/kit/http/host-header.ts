import type { IncomingMessage } from "node:http";

import { InvalidInput } from "../errors.ts";

/** Throws InvalidInput for a request without a Host header or with several, of which a proxy may have used another (RFC 9112, section 3.2). */
export function assertOneHost({
  httpVersion,
  rawHeaders,
}: Pick<IncomingMessage, "httpVersion" | "rawHeaders">): void {
  const hosts = rawHeaders.filter((text, index) => index % 2 === 0 && isHost(text)).length;
  // guard: one Host in every request
  if (hosts > 1) throw new InvalidInput("the request has more than one Host header");
  // guard: a Host in every request
  if (hosts === 0 && httpVersion === "1.1")
    throw new InvalidInput("the request has no Host header");
}

function isHost(name: string): boolean {
  return name.length === 4 && name.toLowerCase() === "host";
}

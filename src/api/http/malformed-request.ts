import type { Socket } from "node:net";

import { codeOf } from "../../kit/errors.ts";

const sentences: Readonly<Record<string, readonly [status: string, sentence: string]>> = {
  HPE_HEADER_OVERFLOW: [
    "431 Request Header Fields Too Large",
    "the address and headers are too long, send a body",
  ],
  HPE_INVALID_URL: [
    "400 Bad Request",
    "the address is not valid, percent-encode all but plain ASCII letters, digits and signs",
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "the request did not arrive in time"],
};

/** Responds to bytes that Node could not parse as a request. */
export function rejectMalformedRequest(error: Error, socket: Socket): void {
  if (codeOf(error) === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, sentence] = sentences[codeOf(error) ?? ""] ?? [
    "400 Bad Request",
    "the request is not valid HTTP",
  ];
  const body = JSON.stringify({ error: sentence });
  socket.end(
    `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

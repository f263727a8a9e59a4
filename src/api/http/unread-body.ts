import type { FastifyReply } from "fastify";

import { hasBody } from "../../kit/http/read-body.ts";

/**
 * A response that is sent before the body was read ends the connection, for otherwise the rest would have to be read first: at once, since
 * even to throw away a read of 64 KiB that holds the smallest chunks takes 15 ms.
 */
export function endConnectionUnlessRead(reply: FastifyReply): void {
  const { request, raw: response } = reply;
  if (!hasBody(request.raw)) return;
  reply.header("connection", "close");
  response.once("finish", () => {
    if (request.raw.complete === false) request.raw.destroy();
  });
}

export function keepConnectionIfRead(reply: FastifyReply): void {
  if (reply.request.raw.complete) reply.removeHeader("connection");
}

import type { FastifyReply } from "fastify";

import { hasBody } from "../../../kit/http/read-body.ts";

/** A response that is sent before the body was read ends the connection, for otherwise the rest would have to be read first. */
export function endConnectionUnlessRead(reply: FastifyReply): void {
  if (hasBody(reply.request.raw)) reply.header("connection", "close");
}

export function keepConnectionIfRead(reply: FastifyReply): void {
  if (reply.request.raw.complete) reply.removeHeader("connection");
}

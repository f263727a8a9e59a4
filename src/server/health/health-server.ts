import { createServer } from "node:http";

import { fastify, type FastifyInstance } from "fastify";

import { codeOf, messageOf } from "../../kit/errors.ts";
import type { ConnectionLimits } from "../connections/connection-limits.ts";
import { addHealthRoutes, type Health } from "./health-routes.ts";

interface Deps {
  readonly health: Health;
  readonly connections: ConnectionLimits;
}

const REQUEST_TIMEOUT_MS = 10_000;
const NOT_HERE =
  "this process serves /healthz, /readyz and /metrics: it does not have the role api";

/** The server of a process without the role api. */
export function createHealthServer({ health, connections }: Deps): FastifyInstance {
  const server = fastify({
    bodyLimit: 1,
    serverFactory: (handle) =>
      createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, (request, response) => {
        if (connections.received(request, response)) handle(request, response);
      }).on("connection", connections.opened),
  });
  server.setNotFoundHandler((_, reply) => reply.code(404).send({ error: NOT_HERE }));
  server.setErrorHandler((error, _, reply) =>
    reply.code(codeOf(error) === "forbidden" ? 403 : 400).send({ error: messageOf(error) }),
  );
  addHealthRoutes(server, health);
  return server;
}

import type { FastifyInstance } from "fastify";

import { messageOf } from "../../kit/errors.ts";
import { createClientAddresses } from "../../kit/http/client-address.ts";
import { cannotListen } from "../cannot-listen.ts";
import { createLoadShedding } from "../connections/load-shedding.ts";
import { createConnectionLimits, type ConnectionLimits } from "../connections/connection-limits.ts";
import { descriptorLimit, maxConnections } from "../connections/descriptor-limit.ts";
import { openListeningSockets } from "../connections/listening-sockets.ts";
import { longestAcceptQueue, watchAcceptQueue } from "../health/accept-queue.ts";
import { createHealthServer } from "../health/health-server.ts";
import type { Role, RoleDeps } from "./role.ts";

const CLOSE_TIMEOUT_MS = 5000;

export interface ListeningRole extends Role {
  /** Address at which it listens, with the assigned port. */
  readonly address: string;
}

interface Deps extends Pick<RoleDeps, "config" | "listener" | "clock" | "log" | "stopping"> {
  readonly connections: Pick<ConnectionLimits, "refuses">;
  /** Called when a connection could not be accepted. */
  readonly failed?: () => void;
}

/** Listens until the process stops. */
export async function startListening(
  server: FastifyInstance,
  { config, listener, connections, clock, log, stopping, failed = () => {} }: Deps,
): Promise<ListeningRole> {
  const { host, port } = config.WATCHPOST_LISTEN;
  const refused = (cause: unknown): never => {
    throw cannotListen("WATCHPOST_LISTEN", `${host}:${port}`, cause);
  };
  await server.ready();
  const sockets = await openListeningSockets(server.server, {
    host,
    port,
    refuses: connections.refuses,
  }).catch(refused);
  const address = await server.listen(sockets.place).catch(refused);
  const place = { host, port: Number(new URL(address).port) };
  listener.listensAt(place.port);
  server.server.on("error", (error) => {
    failed();
    log.error("api.listener_failed", { error: messageOf(error) });
  });
  return {
    address,
    trouble: () => undefined,
    async run() {
      const longestQueue = longestAcceptQueue(place);
      await watchAcceptQueue({ clock, failed, longestQueue }, stopping);
      // A client that keeps a request open must not delay the stop.
      const timeout = clock.setTimer(() => server.server.closeAllConnections(), CLOSE_TIMEOUT_MS);
      await Promise.all([server.close(), sockets.close()]);
      timeout.cancel();
    },
  };
}

/** Listens in a process without the role api, so that others can see how it is. */
export function listenForHealth(deps: RoleDeps): Promise<ListeningRole> {
  const connections = limitConnections(deps);
  const server = createHealthServer({ health: deps.health, connections });
  return startListening(server, { ...deps, connections });
}

export function limitConnections({
  config,
  eventLoop,
  receiveGaps,
  clock,
  meter,
}: Pick<RoleDeps, "config" | "eventLoop" | "receiveGaps" | "clock" | "meter">): ConnectionLimits {
  return createConnectionLimits({
    most: maxConnections(descriptorLimit(), config.WATCHPOST_CONNECTIONS),
    maxPerClient: config.WATCHPOST_ADDRESS_CONNECTIONS,
    peerOf: createClientAddresses(config.WATCHPOST_TRUSTED_PROXIES).peerOf,
    shedding: createLoadShedding({ clock, eventLoop }),
    receiveGaps,
    clock,
    meter,
  });
}

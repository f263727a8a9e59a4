import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";

import type { Clock } from "../../kit/clock.ts";
import { clientKey } from "../../kit/http/client-address.ts";
import type { Meter } from "../../kit/meter.ts";
import { lookRegularly, sendsNoRequest } from "./bytes-before-head.ts";
import type { Receiving } from "./bytes-before-head.ts";
import { closeLingering } from "./lingering-close.ts";
import { createReadTurns } from "./read-turns.ts";

export interface ConnectionLimits {
  /** Counts a connection, for which another one may be closed, or itself. */
  readonly opened: (socket: Socket) => void;
  /** Counts a request until its response is sent; false where its connection has too many, and a response is sent already. */
  readonly received: (request: IncomingMessage, response: ServerResponse) => boolean;
}

interface Deps {
  /** Of all clients together. */
  readonly most: number;
  /** Of one client; 0 is no limit. */
  readonly mostOfClient: number;
  /** Proxies are not limited as one client, for they connect for many. */
  readonly isProxy: (address: string) => boolean;
  readonly clock: Pick<Clock, "monotonic" | "setTimer">;
  readonly meter: Meter;
}

interface Connection extends Receiving {
  readonly client: string;
  /** Whom the time is counted for in which it is parsed. */
  readonly payer: string;
  /** Requests without a response. */
  requests: number;
}

/**
 * How many requests of one connection may wait for their responses: no usual client sends another before it has read the response, but
 * 64 KiB, which are read at once, can hold 2,000 of them.
 */
const MOST_PIPELINED = 8;
const PROXY = "a trusted proxy";
const refusal = JSON.stringify({ error: "too many connections: close some, or try again" });
const tooManyRequests = JSON.stringify({
  error: `more than ${MOST_PIPELINED} requests of one connection without a response`,
});

/**
 * Limits connections in all and of one client. One too many closes the connection that has been without a complete request for longest, of the
 * client that has most; where there is none, it is refused itself. So whoever holds connections loses his own, and newcomers get theirs.
 */
export function createConnectionLimits(deps: Deps): ConnectionLimits {
  const { most, mostOfClient, isProxy, clock, meter } = deps;
  /** The connections of each client, in the order of when they last had something to do. */
  const clients = new Map<string, Set<Connection>>();
  const known = new WeakMap<Socket, Connection>();
  let all = 0;

  const forget = (connection: Connection): void => {
    const own = clients.get(connection.client);
    if (own?.delete(connection) !== true) return;
    all -= 1;
    if (own.size === 0) clients.delete(connection.client);
  };
  /** Closes one that waits, for the other; true where there was one. */
  const makeRoom = (own: ReadonlySet<Connection>, limit: string): boolean => {
    for (const connection of own) {
      if (!isWaiting(connection)) continue;
      close(connection, limit);
      return true;
    }
    return false;
  };
  const hasRoom = (client: string): boolean => {
    const own = clients.get(client);
    const isFull =
      mostOfClient > 0 && client !== PROXY && own !== undefined && own.size >= mostOfClient;
    if (isFull) return makeRoom(own, "address");
    return all < most || makeRoom(largestOf(clients), "all");
  };

  const close = (connection: Connection, limit: string): void => {
    meter.count("http.connection_closed", { limit });
    forget(connection);
    connection.socket.destroy();
  };
  const turns = createReadTurns<Connection>({ clock, close: (one) => close(one, "unparsed") });
  const lookLater = lookRegularly(clock, () => {
    for (const own of clients.values())
      for (const connection of own) if (sendsNoRequest(connection)) close(connection, "head");
    return all > 0;
  });

  return {
    opened(socket) {
      const address = socket.remoteAddress ?? "";
      const client = isProxy(address) ? PROXY : clientKey(address);
      if (!hasRoom(client)) {
        meter.count("http.connection_refused");
        refuse(socket);
        return;
      }
      const connection = connectionOf(socket, client);
      socket.destroySoon = () => endConnection(connection, clock);
      const own = clients.get(client) ?? new Set();
      clients.set(client, own.add(connection));
      all += 1;
      lookLater();
      known.set(socket, connection);
      turns.take(connection);
      socket.once("close", () => forget(connection));
    },
    received(request, response) {
      const connection = known.get(request.socket);
      if (connection === undefined) return false;
      if (connection.requests > MOST_PIPELINED) return false;
      connection.requests += 1;
      connection.latest = request;
      if (connection.requests > MOST_PIPELINED) {
        refuseRequest(response);
        return false;
      }
      response.once("close", () => {
        connection.requests -= 1;
        const own = clients.get(connection.client);
        if (own?.delete(connection) === true) own.add(connection);
      });
      return true;
    },
  };
}

function connectionOf(socket: Socket, client: string): Connection {
  return {
    socket,
    client,
    // A proxy connects for many.
    payer: client === PROXY ? `${socket.remoteAddress} ${socket.remotePort}` : client,
    requests: 0,
    latest: undefined,
    idle: { after: undefined, bytes: 0 },
  };
}

/** Whether it has no request that could be worked on: none at all, or one that has not arrived whole. */
function isWaiting({ requests, latest }: Connection): boolean {
  return requests === 0 || latest?.complete === false;
}

/** The connections of the client that has most; of a proxy only where there is no other. */
function largestOf(clients: ReadonlyMap<string, Set<Connection>>): ReadonlySet<Connection> {
  const sets = [...clients].filter(([client]) => client !== PROXY).map(([, own]) => own);
  const [first = clients.get(PROXY) ?? new Set<Connection>()] = sets;
  return sets.reduce((one, other) => (other.size > one.size ? other : one), first);
}

/** What Node does after the last response of a connection. */
function endConnection({ socket, latest }: Connection, clock: Pick<Clock, "setTimer">): void {
  if (latest?.complete === false) closeLingering(socket, clock);
  else Socket.prototype.destroySoon.call(socket);
}

function refuseRequest(response: ServerResponse): void {
  const headers = { "content-type": "application/json", connection: "close" };
  response.writeHead(429, headers).end(tooManyRequests);
}

function refuse(socket: Socket): void {
  socket.write(
    `HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 5\r\nContent-Type: application/json\r\nContent-Length: ${refusal.length}\r\n\r\n${refusal}`,
  );
  socket.destroySoon();
}

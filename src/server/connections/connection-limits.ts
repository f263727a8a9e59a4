import type { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";

import type { Clock } from "../../kit/clock.ts";
import { PROXY, type ClientAddresses } from "../../kit/http/client-address.ts";
import type { ReceiveGaps } from "../../kit/http/receive-gaps.ts";
import type { Meter } from "../../kit/meter.ts";
import type { LoadShedding } from "./load-shedding.ts";
import { createReadTurns } from "./read-turns.ts";

/** More than the buffers of both ends hold, which the client fills before it reads the response. */
const MAX_BYTES = 8 * 2 ** 20;

/** Common default of servers. */
const MAX_DURATION_MS = 2000;

/** How often connections are looked at that send what is no request. */
const LOOK_MS = 100;

/**
 * A head has 64 KiB at most, and as much is read at once. Empty lines before a request are ignored (RFC 9112, section 2.2), and count as no
 * part of its head.
 */
const MAX_BYTES_BEFORE_HEAD = 131_072;

export interface ConnectionLimits {
  /** Called before anything is created for a connection from the address; true if it must be closed unread, otherwise `opened` follows immediately. */
  readonly refuses: (address: string) => boolean;
  /** Counts a connection, for which another one may be closed, or itself. */
  readonly opened: (socket: Socket) => void;
  /** Counts a request until its response is sent; false if its connection has too many, in which case a response was already sent. */
  readonly received: (request: IncomingMessage, response: ServerResponse) => boolean;
}

interface Deps extends Pick<ClientAddresses, "peerOf"> {
  /** Maximum connections of all clients together. */
  readonly most: number;
  /** Maximum connections of one client; 0 means no limit. */
  readonly maxPerClient: number;
  readonly shedding: LoadShedding;
  readonly receiveGaps: Pick<ReceiveGaps, "waits" | "refused">;
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
const MAX_PIPELINED = 8;
/** Statuses from this one on are errors (RFC 9110, section 15). */
const FIRST_FAILURE = 400;
const tooBusy = JSON.stringify({ error: "the service is too busy: try again in a few seconds" });
const refusal = JSON.stringify({ error: "too many connections: close some, or try again" });
const tooManyRequests = JSON.stringify({
  error: `more than ${MAX_PIPELINED} requests of one connection without a response`,
});

/**
 * Limits connections in total and per client. One too many closes the connection that has gone longest without a complete request, of the client with the most;
 * if there is none, the new one is refused. A client that hoards connections thus loses its own, and newcomers are served.
 */
export function createConnectionLimits(deps: Deps): ConnectionLimits {
  const { most, maxPerClient, peerOf, shedding, receiveGaps, clock, meter } = deps;
  const shed = createShed(deps);
  const open = createOpenConnections();
  const known = new WeakMap<Socket, Connection>();

  /** Closes a waiting connection to make room; true if there was one. */
  const makeRoom = (own: ReadonlySet<Connection>, limit: string): boolean => {
    for (const connection of own) {
      if (!isWaiting(connection)) continue;
      close(connection, limit);
      return true;
    }
    return false;
  };
  const hasRoom = (client: string): boolean => {
    const own = open.of(client);
    const isFull = maxPerClient > 0 && client !== PROXY && own.size >= maxPerClient;
    /* guard: connections of a client */ if (isFull) return makeRoom(own, "address");
    // guard: connections in all = true
    return open.count() < most || makeRoom(open.largest(), "all");
  };
  const close = (connection: Connection, limit: string): void => {
    // A connection without a request has sent nothing.
    if (limit !== "head" && !hasBeenHeard(connection)) receiveGaps.refused(connection.client);
    meter.count("http.connection_closed", { limit });
    open.remove(connection);
    connection.socket.destroy();
  };
  const turns = createReadTurns<Connection>({
    clock,
    receiveGaps,
    close: (one) => close(one, "unparsed"),
  });
  const lookLater = lookRegularly(clock, () => {
    for (const connection of open.each()) if (sendsNoRequest(connection)) close(connection, "head");
    return open.count() > 0;
  });

  return {
    refuses(address) {
      const client = peerOf(address);
      return client !== PROXY && shed.refuses(client);
    },
    opened(socket) {
      if (shed.answers(socket)) return;
      const client = peerOf(socket.remoteAddress ?? "");
      if (!hasRoom(client)) {
        receiveGaps.refused(client);
        meter.count("http.connection_refused");
        refuse(socket);
        return;
      }
      const connection = connectionOf(socket, client);
      socket.destroySoon = () => endConnection(connection, clock);
      open.add(connection);
      lookLater();
      known.set(socket, connection);
      turns.take(connection);
      socket.once("close", () => open.remove(connection));
    },
    received(request, response) {
      const connection = known.get(request.socket);
      if (connection === undefined) return false;
      if (connection.requests > MAX_PIPELINED) return false;
      connection.requests += 1;
      connection.latest = request;
      /* guard: requests of one connection */ if (connection.requests > MAX_PIPELINED) {
        refuseRequest(response);
        return false;
      }
      response.once("close", () => {
        connection.requests -= 1;
        open.touch(connection);
        if (isServed(response)) shedding.served(connection.client);
      });
      return true;
    },
  };
}

/** Refuses connections under pressure, some of them with an answer. */
function createShed({
  shedding,
  receiveGaps,
  clock,
  meter,
}: Pick<Deps, "shedding" | "receiveGaps" | "clock" | "meter">) {
  /** Whether the connection whose socket is made next gets an answer. */
  let isNextAnswered = false;
  return {
    /** True if it must be closed unread. */
    refuses(client: string): boolean {
      if (!shedding.refuses(client)) return false;
      receiveGaps.refused(client);
      meter.count("http.connection_dropped");
      isNextAnswered = shedding.answers(client);
      return !isNextAnswered;
    },
    /** True if the connection was refused and has been answered. */
    answers(socket: Socket): boolean {
      if (!isNextAnswered) return false;
      isNextAnswered = false;
      socket.write(responseOf(tooBusy));
      closeLingering(socket, clock);
      return true;
    },
  };
}

/** Returns whether the request was answered as it asked. */
function isServed({ writableFinished, statusCode }: ServerResponse): boolean {
  return writableFinished && statusCode < FIRST_FAILURE;
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

/** Returns whether it has no request that could be worked on: none at all, or one that has not arrived whole. */
function isWaiting({ requests, latest }: Connection): boolean {
  return requests === 0 || latest?.complete === false;
}

/** Returns whether all that it may have sent is known: it has had a whole request, and waits for another. */
function hasBeenHeard({ latest }: Connection): boolean {
  return latest?.complete === true;
}

/** The connections of each client, in the order of when they last had something to do. */
interface OpenConnections {
  readonly add: (connection: Connection) => void;
  readonly remove: (connection: Connection) => void;
  /** It has had something to do now. */
  readonly touch: (connection: Connection) => void;
  readonly count: () => number;
  readonly of: (client: string) => ReadonlySet<Connection>;
  /** Connections of the client with the most; of a proxy only if there is no other. */
  readonly largest: () => ReadonlySet<Connection>;
  readonly each: () => Iterable<Connection>;
}

const NONE: ReadonlySet<Connection> = new Set();

function createOpenConnections(): OpenConnections {
  const clients = new Map<string, Set<Connection>>();
  let count = 0;
  return {
    add(connection) {
      const own = clients.get(connection.client) ?? new Set();
      clients.set(connection.client, own.add(connection));
      count += 1;
    },
    remove(connection) {
      const own = clients.get(connection.client);
      if (own?.delete(connection) !== true) return;
      count -= 1;
      if (own.size === 0) clients.delete(connection.client);
    },
    touch(connection) {
      const own = clients.get(connection.client);
      if (own?.delete(connection) === true) own.add(connection);
    },
    count: () => count,
    of: (client) => clients.get(client) ?? NONE,
    largest() {
      const sets = [...clients].filter(([client]) => client !== PROXY).map(([, own]) => own);
      const [first = clients.get(PROXY) ?? NONE] = sets;
      return sets.reduce((one, other) => (other.size > one.size ? other : one), first);
    },
    each: () => clients.values().flatMap((own) => own),
  };
}

/** Closes a connection as Node.js does after its last response. */
function endConnection({ socket, latest }: Connection, clock: Pick<Clock, "setTimer">): void {
  // guard: responses to refused bodies
  if (latest?.complete === false) closeLingering(socket, clock);
  else Socket.prototype.destroySoon.call(socket);
}

function refuseRequest(response: ServerResponse): void {
  const headers = { "content-type": "application/json", connection: "close" };
  response.writeHead(429, headers).end(tooManyRequests);
}

function refuse(socket: Socket): void {
  socket.write(responseOf(refusal));
  socket.destroySoon();
}

function responseOf(body: string): string {
  return `HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 5\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

/** A connection that receives requests. */
interface Receiving {
  readonly socket: Socket;
  /** The request that came last. */
  latest: IncomingMessage | undefined;
  /** Bytes received when the request was first seen to be complete. */
  idle: { readonly after: IncomingMessage | undefined; readonly bytes: number };
}

/** Calls `look` again and again while it is true. */
function lookRegularly({ setTimer }: Pick<Clock, "setTimer">, look: () => boolean): () => void {
  let isDue = false;
  const later = (): void => {
    if (isDue) return;
    isDue = true;
    setTimer(() => {
      isDue = false;
      if (look()) later();
    }, LOOK_MS);
  };
  return later;
}

/** Returns whether it has sent more since its last request than the head of another one can have. */
function sendsNoRequest(connection: Receiving): boolean {
  const { socket, latest, idle } = connection;
  if (latest?.complete === false) return false;
  if (latest !== idle.after) connection.idle = { after: latest, bytes: socket.bytesRead };
  // guard: bytes before a request = false
  return socket.bytesRead - connection.idle.bytes > MAX_BYTES_BEFORE_HEAD;
}

/**
 * Ends a connection on which more is being received, such as the body of a request that is refused. A socket that is closed before all of
 * it was read is reset, and the response may be lost with that: so only our end is closed, and what still comes is thrown away for a while
 * (RFC 9112, section 9.6).
 */
function closeLingering(socket: Socket, clock: Pick<Clock, "setTimer">): void {
  if (socket.destroyed) return;
  let bytes = 0;
  // Not by the parser, which takes 15 ms for a read of 64 KiB that holds the smallest chunks.
  socket.removeAllListeners("data");
  socket.on("data", (chunk: Uint8Array) => {
    bytes += chunk.length;
    // guard: bodies after a refusal
    if (bytes > MAX_BYTES) socket.destroy();
  });
  const timer = clock.setTimer(() => socket.destroy(), MAX_DURATION_MS);
  socket.once("end", () => socket.destroy()).once("close", timer.cancel);
  socket.end();
  socket.resume();
}

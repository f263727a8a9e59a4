import { randomInt } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { Worker } from "node:worker_threads";

import { systemClock } from "../../src/kit/clock.ts";
import { codeOf } from "../../src/kit/errors.ts";
import { waitFor } from "../time/wait-for.ts";

export interface Peer extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** Number of connections accepted so far. */
  readonly accepted: () => number;
  /** Connections that neither side has ended yet. */
  readonly open: () => number;
}

/** Behavior of a peer for an accepted connection. */
export type SocketHandler = (socket: Socket) => void;

export const silent: SocketHandler = () => {};
export const closing: SocketHandler = (socket) => socket.end();
export const resetting: SocketHandler = (socket) => socket.resetAndDestroy();
export const garbage: SocketHandler = (socket) =>
  socket.write(Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 151) % 256)));

/** Writes `text` again and again, as fast as it is taken. */
export function flooding(text: string): SocketHandler {
  return (socket) => {
    const pour = (): void => {
      while (!socket.destroyed && socket.write(text));
    };
    socket.on("drain", pour);
    pour();
  };
}

/** Writes `head`, then one more letter each millisecond for ever. */
export function dripping(head: string): SocketHandler {
  return (socket) => {
    const drip = (): void => {
      if (socket.destroyed) return;
      socket.write("x");
      systemClock.setTimer(drip, 1);
    };
    socket.write(head);
    drip();
  };
}

/** Answers every request with these bytes, and leaves the connection as it is. */
export function saying(bytes: string | Buffer): SocketHandler {
  return (socket) => socket.once("data", () => socket.write(bytes));
}

/** The same, and ends the connection. */
export function sayingLast(bytes: string | Buffer): SocketHandler {
  return (socket) => socket.once("data", () => socket.end(bytes));
}

export async function tcpPeer(manner: SocketHandler, host = "127.0.0.1", port = 0): Promise<Peer> {
  return listen(createServer(manner), host, port);
}

/** Listens with any kind of server, and counts what it accepts. */
export async function listen(server: Server, host = "127.0.0.1", port = 0): Promise<Peer> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  server.on("connection", (socket: Socket) => {
    accepted += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    socket.resume();
  });
  server.listen(port, host);
  await once(server, "listening");
  return {
    host,
    port: portOf(server),
    accepted: () => accepted,
    open: () => sockets.size,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** A port of 127.0.0.1 where nobody listens, and that the kernel gives to nobody who asks for any. */
export async function closedPort(): Promise<number> {
  for (;;) {
    const peer = await tcpPeer(silent, "127.0.0.1", unassignedPort()).catch((error: unknown) => {
      if (codeOf(error) !== "EADDRINUSE") throw error;
      return undefined;
    });
    await peer?.[Symbol.asyncDispose]();
    if (peer !== undefined) return peer.port;
  }
}

/** Above all that `fetch` refuses to call (https://fetch.spec.whatwg.org/#port-blocking). */
const LOWEST_PORT = 11_000;
const MIN_PORTS = 1000;

/** Any, outside the range that the kernel assigns from (ip(7)); 0 where that leaves too few. */
function unassignedPort(): number {
  const range = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").trim();
  const [first = 0, last = 0] = range.split(/\s+/).map(Number);
  const free = [
    [LOWEST_PORT, first],
    [last + 1, 2 ** 16],
  ] as const;
  const [from, to] = free.find(([low, high]) => high - low >= MIN_PORTS) ?? [0, 1];
  return randomInt(from, to);
}

const BACKLOG = 1;
const DEAF_LISTENER = `
  const { parentPort, workerData } = require("node:worker_threads");
  const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: ${BACKLOG} }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(new Int32Array(workerData), 0, 0));
  });
`;

/** Listens but never accepts, its queue full: connecting to it never ends. */
export async function fullPeer(): Promise<Peer> {
  const worker = new Worker(DEAF_LISTENER, { eval: true, workerData: new SharedArrayBuffer(4) });
  const port = Number((await once(worker, "message"))[0]);
  const queued: Socket[] = [];
  const isFull = (): boolean => queueLength(port) > BACKLOG;
  while (!isFull()) {
    const socket = connect({ port, host: "127.0.0.1" }).on("error", () => {});
    queued.push(socket);
    await waitFor("a connection in the queue", () => isFull() || !socket.connecting);
  }
  return {
    host: "127.0.0.1",
    port,
    accepted: () => 0,
    open: () => 0,
    async [Symbol.asyncDispose]() {
      for (const socket of queued) socket.destroy();
      await worker.terminate();
    },
  };
}

/** How many connections the kernel holds for a listener that has not accepted them (proc_pid_net(5)). */
function queueLength(port: number): number {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  const listener = readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .find(([, address, , state]) => address === local && state === "0A");
  return Number.parseInt(listener?.[4]?.split(":")[1] ?? "0", 16);
}

export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("the server does not listen on a port");
  return address.port;
}

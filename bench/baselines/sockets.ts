import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { connect, type Socket } from "node:net";
import { connect as connectTls, createSecureContext } from "node:tls";

import { encodeQuery } from "../../src/checks/dns/message.ts";
import {
  decodeEchoReply,
  encodeEchoRequest,
  TOKEN_BYTES,
} from "../../src/checks/icmp/echo-socket.ts";
import { loadIcmpLibc } from "../../src/checks/icmp/libc.ts";
import { serveTasks, type Maker, type Task } from "../worker.ts";

const host = "127.0.0.1";
const secureContext = createSecureContext({ ca: [], ecdhCurve: "X25519" });
const icmp = await loadIcmpLibc();

/** The same work on sockets, and nothing else: no deadline, no policy, no timings, no judgement. */
const makers: Readonly<Record<string, Maker>> = {
  HTTP({ parameters }) {
    const { protocol, port } = new URL(String(parameters.target));
    const request = `GET / HTTP/1.1\r\nHost: ${host}:${port}\r\nConnection: close\r\n\r\n`;
    const call = { host, port: Number(port), secureContext, rejectUnauthorized: false };
    return protocol === "https:"
      ? () => askOver(connectTls(call), { ready: "secureConnect", request })
      : () => askOver(connect(call), { ready: "connect", request });
  },
  PORT: (order) => () =>
    new Promise((resolve, reject) => {
      const socket = connect({ host, port: portOf(order) });
      socket.once("error", reject).once("connect", () => {
        socket.destroy();
        resolve();
      });
    }),
  DNS(order) {
    const name = String(order.parameters.dnstoresolve);
    const query = encodeQuery(1, { name, type: "A", recursive: true, extended: false });
    return () =>
      new Promise((resolve, reject) => {
        const socket = createSocket("udp4");
        socket.once("error", reject).once("message", () => {
          socket.close();
          resolve();
        });
        socket.connect(portOf(order), host, () => socket.send(query));
      });
  },
  PING() {
    const waiting = new Map<string, () => void>();
    const socket = createSocket("udp4").bind({ fd: icmp.open(4) });
    socket.on("message", (packet) => {
      const { token = "" } = decodeEchoReply(4, packet) ?? {};
      waiting.get(token)?.();
      waiting.delete(token);
    });
    return () =>
      new Promise((resolve) => {
        const token = randomBytes(TOKEN_BYTES).toString("hex");
        waiting.set(token, resolve);
        socket.send(encodeEchoRequest(4, { token, sequence: 0 }), 1, host);
      });
  },
};

function portOf({ parameters }: Task): number {
  return Number(parameters.port);
}

function askOver(
  socket: Socket,
  { ready, request }: { readonly ready: "connect" | "secureConnect"; readonly request: string },
): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("error", reject).once(ready, () => socket.write(request));
    socket.once("data", () => {
      socket.destroy();
      resolve();
    });
  });
}

serveTasks((order) => {
  const maker = makers[order.type];
  if (maker === undefined) throw new Error(`nothing bare for ${order.type}`);
  return maker(order);
});

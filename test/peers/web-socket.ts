import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createSecureServer } from "node:https";

import { WebSocketServer, type WebSocket } from "ws";

import type { Certificate } from "./certificates.ts";
import { listen, type SocketHandler, type Peer } from "./tcp.ts";

/** A WebSocket server on 127.0.0.1; with a certificate it speaks TLS. */
export async function webSocketPeer(
  attend: (webSocket: WebSocket, request: IncomingMessage) => void,
  certificate?: Certificate,
): Promise<Peer> {
  const server = certificate === undefined ? createServer() : createSecureServer(certificate);
  new WebSocketServer({ server }).on("connection", (webSocket, request) => {
    webSocket.on("error", () => {});
    attend(webSocket, request);
  });
  return listen(server);
}

/** Accepts the handshake, then continues with `manner`, which writes bytes as Latin-1. */
export function upgraded(manner: SocketHandler): SocketHandler {
  return (socket) =>
    socket.once("data", (request: Buffer) => {
      const [, key = ""] = /sec-websocket-key: (\S+)/i.exec(request.toString()) ?? [];
      // RFC 6455, 1.3.
      const accept = createHash("sha1")
        .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
        .digest("base64");
      socket.setDefaultEncoding("latin1");
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      );
      manner(socket);
    });
}

import { brotliCompressSync, gzipSync } from "node:zlib";

import { flooding, silent, type SocketHandler } from "./tcp.ts";
import { upgraded } from "./web-socket.ts";

/** Peers that do their worst, each by its name. */
export type Manners = Readonly<Record<string, SocketHandler>>;

/** Writes one byte after the other, each as a packet of its own, for ever. */
function trickling(head: string, byte = "x"): SocketHandler {
  return (socket) => {
    socket.setNoDelay();
    socket.write(head);
    const trickle = (): void => {
      if (socket.destroyed || socket.writableNeedDrain) return;
      socket.write(byte);
      setImmediate(trickle);
    };
    socket.on("drain", trickle);
    trickle();
  };
}

/** Sends `head`, followed by `text` forever. */
function endless(head: string, text: string): SocketHandler {
  return (socket) => {
    socket.write(head);
    flooding(text.repeat(Math.ceil(16_384 / text.length)))(socket);
  };
}

/** Whatever the protocol; these last until the time is over. */
export const slowPeers: Manners = {
  "says nothing": silent,
  "sends one byte at a time": trickling("220 "),
};

/** Whatever the protocol. */
export const loudPeers: Manners = {
  "sends zeros without an end": endless("", "\0"),
  "sends a line without an end": endless("", "x"),
  "sends lines without an end": endless("", "220-x\r\n"),
  "sends empty lines without an end": endless("", "\r\n"),
};

const OK = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n";
const MIB = 2 ** 20;

function document(bytes: Uint8Array | string, encoding = "identity"): SocketHandler {
  return (socket) => {
    socket.write(
      `${OK}Content-Encoding: ${encoding}\r\nContent-Length: ${Buffer.byteLength(bytes)}\r\n\r\n`,
    );
    socket.write(bytes);
  };
}

export const slowHttpPeers: Manners = {
  "sends a body one byte at a time": trickling(`${OK}\r\n`),
};

export const loudHttpPeers: Manners = {
  "sends a body without an end": endless(`${OK}\r\n`, "x"),
  "sends chunks of one byte": endless(`${OK}Transfer-Encoding: chunked\r\n\r\n`, "1\r\nx\r\n"),
  "sends the extension of a chunk without an end": endless(
    `${OK}Transfer-Encoding: chunked\r\n\r\n1;`,
    "a",
  ),
  "sends trailers without an end": endless(
    `${OK}Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n`,
    "A: b\r\n",
  ),
  "sends interim answers without an end": endless("", "HTTP/1.1 100 Continue\r\n\r\n"),
  "sends hints without an end": endless("", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
  "sends headers without an end": endless(OK, "A: b\r\n"),
  "sends a header without an end": endless(`${OK}A: `, "b"),
  "sends a status line without an end": endless("HTTP/1.1 200 ", "b"),
  "redirects to itself": (socket) =>
    socket.write("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"),
  "sends a gzip bomb": document(gzipSync(Buffer.alloc(64 * MIB)), "gzip"),
  "sends a brotli bomb": document(brotliCompressSync(Buffer.alloc(64 * MIB)), "br"),
};

/** For who looks into the body. */
export const documentPeers: Manners = {
  "sends deep JSON": document("[".repeat(3 * MIB - 1)),
  "sends JSON of many keys": document(
    `{${Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`).join(",")}}`,
  ),
  "sends many pairs": document("load: 1\n".repeat((3 * MIB) / 8 - 1)),
};

export const webSocketPeers: Manners = {
  "upgrades and sends empty pings": upgraded(endless("", "\x89\x00")),
  "upgrades and sends fragments of one byte": upgraded(endless("\x01\x01x", "\x00\x01x")),
};

export const slowWebSocketPeers: Manners = {
  "upgrades and sends one byte at a time": upgraded(trickling("\x01\x7f\0\0\0\0\0\x0f\xff\xff")),
};

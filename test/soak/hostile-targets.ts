import { createHash } from "node:crypto";
import type { Socket } from "node:net";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { systemClock } from "../../src/kit/clock.ts";
import { dripping, silent, tcpPeer, type Peer, type SocketHandler } from "../peers/tcp.ts";
import { ambiguousTree } from "./ambiguous-tree.ts";

/** Where each kind of hostile target is. */
export interface HostilePorts {
  /** A web server, hostile in the manner that the path names. */
  readonly web: number;
  /** Accepts, and never says a word. */
  readonly tarpit: number;
  readonly raw: Readonly<Record<RawManner, number>>;
}

export interface HostileTargets extends AsyncDisposable {
  readonly ports: HostilePorts;
}

/** Each connection is served at most this fast, so that a target costs less than the one who reads it. */
const BYTES_PER_SECOND = 20_000_000;
const TURN_MS = 20;
const MAX_WAITING_BYTES = 1_048_576;
const PIECE = 65_536;

/** Writes the head, and then the text again and again as fast as it is taken, up to the bound. */
function pouring(head: string, text: string): SocketHandler {
  const piece = Buffer.from(text.repeat(Math.ceil(PIECE / text.length)), "latin1");
  const perTurn = Math.ceil((BYTES_PER_SECOND * TURN_MS) / 1000 / piece.length);
  return (socket) => {
    const pour = (): void => {
      if (socket.destroyed) return;
      for (let count = 0; count < perTurn && socket.writableLength < MAX_WAITING_BYTES; count += 1)
        socket.write(piece);
      systemClock.setTimer(pour, TURN_MS);
    };
    socket.write(head);
    pour();
  };
}

function answering(headers: readonly string[], body: Buffer | string): SocketHandler {
  const sent = Buffer.from(body);
  const head = ["HTTP/1.1 200 OK", ...headers, `Content-Length: ${sent.length}`, "", ""];
  return (socket) => socket.end(Buffer.concat([Buffer.from(head.join("\r\n")), sent]));
}

const MB = 1_048_576;
const OK = "HTTP/1.1 200 OK\r\n";
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
/** 256 MB, as members one after the other (RFC 1952, 2.2). */
const gzipBomb = (): Buffer => {
  const member = gzipSync(Buffer.alloc(32 * MB));
  return Buffer.concat(Array.from({ length: 8 }, () => member));
};
const brotliBomb = (): Buffer =>
  brotliCompressSync(Buffer.alloc(128 * MB), {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MIN_QUALITY },
  });

export const webManners = [
  "endless-body",
  "one-byte-chunks",
  "gzip-bomb",
  "brotli-bomb",
  "endless-headers",
  "one-endless-header",
  "endless-interim-answers",
  "endless-chunk-extension",
  "deep-json",
  "wide-json",
  "ambiguous-json",
  "pattern-page",
  "slow-body",
  "redirects-to-itself",
  "one-byte-frames",
] as const;
export type WebManner = (typeof webManners)[number];

function webAnswers(): Readonly<Record<WebManner, SocketHandler>> {
  const json = ["Content-Type: application/json"];
  const wide = Array.from({ length: 200_000 }, (_, key) => `"k${key}":1`).join();
  return {
    "endless-body": pouring(`${OK}\r\n`, "a"),
    "one-byte-chunks": pouring(CHUNKED, "1\r\na\r\n"),
    "gzip-bomb": answering(["Content-Encoding: gzip"], gzipBomb()),
    "brotli-bomb": answering(["Content-Encoding: br"], brotliBomb()),
    "endless-headers": pouring(OK, "X-Name: value\r\n"),
    "one-endless-header": pouring(`${OK}X-Name: `, "a"),
    "endless-interim-answers": pouring("", "HTTP/1.1 103 Early Hints\r\n\r\n"),
    "endless-chunk-extension": pouring(`${CHUNKED}1;a=`, "a"),
    "deep-json": answering(json, "[".repeat(2.5 * MB)),
    "wide-json": answering(json, `{${wide}}`),
    "ambiguous-json": answering(json, JSON.stringify(ambiguousTree(15))),
    "pattern-page": answering([], `${"a".repeat(2 * MB)}!`),
    "slow-body": dripping(`${OK}Content-Length: 1000000\r\n\r\n`),
    "redirects-to-itself": (socket) =>
      socket.end(
        "HTTP/1.1 302 Found\r\nLocation: /redirects-to-itself\r\nContent-Length: 0\r\n\r\n",
      ),
    "one-byte-frames": silent,
  };
}

const rawManners = ["endless-text", "endless-lines", "endless-replies", "drip", "garbage"] as const;
export type RawManner = (typeof rawManners)[number];

const rawAnswers: Readonly<Record<RawManner, SocketHandler>> = {
  "endless-text": pouring("", "a"),
  "endless-lines": pouring("", "a\r\n"),
  // Endless multi-line reply of FTP and SMTP.
  "endless-replies": pouring("", "220-a\r\n"),
  drip: dripping(""),
  garbage: pouring(
    "",
    String.fromCharCode(...Array.from({ length: 512 }, (_, at) => (at * 151) % 256)),
  ),
};

/** A target for each hostile manner; those that never answer are at every address of this machine. */
export async function hostileTargets(): Promise<HostileTargets> {
  await using stack = new AsyncDisposableStack();
  const answers = webAnswers();
  const web = stack.use(await tcpPeer((socket) => answerByPath(socket, answers)));
  const tarpit = stack.use(await tcpPeer(silent, "0.0.0.0"));
  const raw = async (manner: RawManner): Promise<Peer> =>
    stack.use(await tcpPeer(rawAnswers[manner]));
  const ports: HostilePorts = {
    web: web.port,
    tarpit: tarpit.port,
    raw: {
      "endless-text": (await raw("endless-text")).port,
      "endless-lines": (await raw("endless-lines")).port,
      "endless-replies": (await raw("endless-replies")).port,
      drip: (await raw("drip")).port,
      garbage: (await raw("garbage")).port,
    },
  };
  const kept = stack.move();
  return { ports, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}

function answerByPath(socket: Socket, answers: Readonly<Record<WebManner, SocketHandler>>): void {
  socket.once("data", (chunk: Buffer) => {
    const request = chunk.toString("latin1");
    const [, path] = /^\S+ \/([\w-]*)/.exec(request) ?? [];
    const manner = webManners.find((known) => known === path);
    if (manner === "one-byte-frames") frame(socket, request);
    else if (manner !== undefined) answers[manner](socket);
  });
}

const WEB_SOCKET_ID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** A message of one-byte fragments that never ends (RFC 6455, 5.4). */
function frame(socket: Socket, request: string): void {
  const [, key = ""] = /^sec-websocket-key: *(\S+)/im.exec(request) ?? [];
  const accept = createHash("sha1")
    .update(key + WEB_SOCKET_ID)
    .digest("base64");
  const head =
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
    `Sec-WebSocket-Accept: ${accept}\r\n\r\n`;
  pouring(`${head}\x01\x01a`, "\x00\x01a")(socket);
}

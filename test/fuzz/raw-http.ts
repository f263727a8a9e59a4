import { connect } from "node:net";

import { systemClock } from "../../src/kit/clock.ts";
import { TEST_DEADLINE_MS } from "../time/wait-for.ts";

const EOL = "\r\n";
const HEAD_END = `${EOL}${EOL}`;

/** A request as it goes over the wire, a character for a byte. */
export interface Request {
  /** The documented operation that it began as. */
  readonly operationId: string;
  readonly verb: string;
  /** Text before the path, as in requests through a proxy. */
  readonly origin: string;
  readonly url: string;
  /** The user name of Basic authentication. */
  readonly user: string | undefined;
  readonly contentType: string | undefined;
  readonly body: string;
  readonly isChunked: boolean;
  readonly corruption: Corruption | undefined;
}

/** Makes something of a request that is not HTTP. */
export interface Corruption {
  readonly change: (text: string) => string;
  /** Whether the sender is gone before the end. */
  readonly isCut?: boolean;
}

export const corruptions: readonly Corruption[] = [
  { change: (text) => text.slice(0, 20), isCut: true },
  { change: (text) => text.slice(0, text.indexOf("\r\n") + 9), isCut: true },
  { change: (text) => text.slice(0, -1), isCut: true },
  { change: () => "\x16\x03\x01\x02\x00\x01\x00", isCut: true },
  { change: (text) => text.replace("HTTP/1.1", "HTTP/7.7") },
  { change: (text) => text.replace(/^\w+/, (verb) => verb.toLowerCase()) },
  { change: (text) => text.replace("HTTP/1.1", "x HTTP/1.1") },
  { change: (text) => text.replace("?", "?\0") },
  { change: (text) => text.replace("?", "?\xc3\xa9") },
  { change: (text) => text.replaceAll("\r\n", "\n") },
  { change: (text) => text.replace("Host:", "Ghost:") },
  ...[
    "no colon",
    "X: \0",
    "X : a",
    "X: a\rb",
    "\xe9: a",
    " folded: a",
    `X: ${"x".repeat(70_000)}`,
    "Content-Length: -1",
    "Content-Length: 1\r\nContent-Length: 2",
    "Content-Length: 3\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: gzip",
  ].map((line): Corruption => ({ change: (text) => text.replace("\r\n", `\r\n${line}\r\n`) })),
];

/** The request line and the headers. */
export function headOf(request: Request): string {
  const { verb, origin, url, user, contentType, body, isChunked } = request;
  const lines = [
    `${verb} ${origin}${url} HTTP/1.1`,
    "Host: watchpost.example",
    "Connection: close",
    ...(user === undefined ? [] : [`Authorization: Basic ${btoa(`${user}:`)}`]),
    ...(contentType === undefined ? [] : [`Content-Type: ${contentType}`]),
    ...(isChunked ? ["Transfer-Encoding: chunked"] : []),
    ...(isChunked || body === "" ? [] : [`Content-Length: ${body.length}`]),
  ];
  return `${lines.join(EOL)}${HEAD_END}`;
}

export function textOf(request: Request): string {
  const { body, isChunked, corruption } = request;
  const chunk = body === "" ? "" : `${body.length.toString(16)}${EOL}${body}${EOL}`;
  const text = `${headOf(request)}${isChunked ? `${chunk}0${HEAD_END}` : body}`;
  return corruption?.change(text) ?? text;
}

/** An answer as it came over the wire. */
export interface RawResponse {
  readonly status: number;
  /** The status line and the headers. */
  readonly head: string;
  readonly body: string;
}

/** Sends a request to a port of 127.0.0.1 and gives what comes back before the connection is closed. */
export async function exchange(port: number, request: Request): Promise<RawResponse> {
  const received = await converse(port, textOf(request), request.corruption?.isCut ?? false);
  return readAnswer(received, request.verb === "HEAD");
}

function converse(port: number, text: string, isCut: boolean): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = "";
    const socket = connect({ port, host: "127.0.0.1" });
    const patience = systemClock.setTimer(() => {
      reject(new Error(`no end of the answer within ${TEST_DEADLINE_MS} ms: ${received}`));
      socket.destroy();
    }, TEST_DEADLINE_MS);
    socket.setEncoding("latin1");
    socket.on("data", (piece: string) => (received += piece));
    // A server that rejects a request before reading all of it may reset the connection after the response.
    socket.on("error", () => {});
    socket.on("close", () => {
      patience.cancel();
      resolve(received);
    });
    if (isCut) socket.end(text, "latin1");
    else socket.write(text, "latin1");
  });
}

/** Throws where it is no whole answer. */
function readAnswer(received: string, isHead: boolean): RawResponse {
  const end = received.indexOf(HEAD_END);
  const head = received.slice(0, end);
  const rest = received.slice(end + HEAD_END.length);
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
  if (end === -1 || Number.isNaN(status)) throw new Error(`not an answer: ${received}`);
  if (status === 100) return readAnswer(rest, isHead);
  const body = isHead ? "" : bodyOf(head, rest);
  return { status, head, body: Buffer.from(body, "latin1").toString("utf8") };
}

function bodyOf(head: string, rest: string): string {
  if (/\r\ntransfer-encoding: chunked/i.test(head)) return unchunked(rest);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  const more = rest.slice(length);
  // Data after a rejection may be malformed, and is rejected in turn.
  const isWhole = rest.length === length || more.startsWith("HTTP/1.1 400 ");
  if (!isWhole) throw new Error(`${rest.length} bytes after ${head}: ${rest}`);
  return rest.slice(0, length);
}

function unchunked(rest: string): string {
  let body = "";
  for (let at = 0; ;) {
    const line = rest.indexOf("\r\n", at);
    const size = Number.parseInt(rest.slice(at, line), 16);
    if (line === -1 || Number.isNaN(size)) throw new Error(`broken off: ${rest.slice(at)}`);
    if (size === 0) return body;
    body += rest.slice(line + 2, line + 2 + size);
    at = line + 2 + size + 2;
  }
}

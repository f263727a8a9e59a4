import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { TLSSocket } from "node:tls";

import { unlessAborted } from "../abort.ts";
import type { Clock } from "../clock.ts";
import { ProtocolError } from "../protocol-error.ts";
import { dial, inPhase, Interrupted, type DialProgress, type Phase } from "../net/dial.ts";
import type { Reserve } from "../net/byte-queue.ts";
import type { Egress } from "../net/egress.ts";
import { codeOf, messageOf } from "../errors.ts";
import { readBody, type HttpBody } from "./response-body.ts";
import {
  rawHeaders,
  isSecure,
  portOf,
  requestTarget,
  type HttpRequestHead,
} from "./request-head.ts";

export interface HttpRequest extends HttpRequestHead {
  /** The most bytes after decoding; the rest is not read. */
  readonly maxBodyBytes?: number;
  /** The most ms after the head; a chunk that comes later is the last. */
  readonly maxBodyMs?: number;
  /** Returns how much of an unread body to read even if it did not arrive with the head; undefined for none. */
  readonly bodyStart?: (head: HttpResponseHead) => BodyStart | undefined;
  readonly verifyTls: boolean;
  /** Called before anything is sent over TLS; throwing ends the exchange. */
  readonly inspectTls?: ((socket: TLSSocket, host: string) => void) | undefined;
  /** Client certificate and its private key, in PEM. */
  readonly clientCertificate?: string | undefined;
  readonly family?: 4 | 6 | undefined;
  /** Translates the bytes of the socket for the parser, for servers with a dialect of HTTP. */
  readonly wrapSocket?: (socket: Socket) => Duplex;
}

/** How much of a body is of interest that is not read for its content. */
export interface BodyStart {
  readonly limitBytes: number;
  /** After the head. */
  readonly maxMs: number;
}

export interface HttpContext {
  readonly egress: Egress;
  readonly signal: AbortSignal;
  readonly monotonic: () => number;
  readonly setTimer?: Clock["setTimer"];
  /** Reserves memory for the body; undefined if there is enough. */
  readonly reserve?: Reserve;
  /** Called at the end of each phase. */
  readonly onProgress?: (progress: HttpProgress) => void;
}

/** The completed phases of an exchange. */
export interface HttpProgress extends Omit<DialProgress, "phases"> {
  readonly phases: Partial<HttpPhases>;
  /** Set once the head of the response has arrived. */
  readonly head?: HttpResponseHead;
}

export interface HttpResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface HttpResponse extends HttpResponseHead {
  /** If the body is not read: the part that arrived with the head, or the start that is wanted, not decoded. */
  readonly body: Uint8Array;
  readonly truncated: boolean;
  readonly address: string;
  readonly phases: HttpPhases;
}

/** Ms from the start of the exchange to the end of each phase that took place. */
interface HttpPhases {
  readonly dns: number;
  readonly connect: number;
  readonly tls?: number;
  readonly firstByte: number;
  readonly total: number;
}

const MAX_BODY_BYTES = 3 * 2 ** 20;
const MAX_HEAD_BYTES = 64 * 2 ** 10;
const MAX_INTERIM_ANSWERS = 20;

/** Sends one request over a new connection, without following redirects. Throws Interrupted, Blocked, DnsFailure, ProtocolError or the system's error. */
export async function exchange(
  request: HttpRequest,
  { egress, signal, monotonic, setTimer, onProgress = () => {}, reserve }: HttpContext,
): Promise<HttpResponse> {
  const { url } = request;
  const headers = rawHeaders(request);
  const start = monotonic();
  const { socket, ...reached } = await dial({
    host: url.hostname,
    port: portOf(url),
    path: url.pathname,
    family: request.family,
    egress,
    signal,
    monotonic,
    tls: isSecure(url)
      ? {
          servername: url.hostname,
          verify: request.verifyTls,
          isInspected: request.inspectTls !== undefined,
          protocols: ["http/1.1"],
          clientCertificate: request.clientCertificate,
        }
      : undefined,
    onProgress,
  });
  let rest: IncomingMessage | undefined;
  let phase: Phase = "answer";
  const sendAndReceive = async (): Promise<HttpResponse> => {
    // An `agent` option, even `false`, would make Node ignore createConnection and dial by itself.
    const outgoing = httpRequest({
      createConnection: () => request.wrapSocket?.(socket) ?? socket,
      method: request.method,
      path: requestTarget(request),
      headers,
      // guard: size of heads = 2 ** 30
      maxHeaderSize: MAX_HEAD_BYTES,
    });
    const incoming = await answerTo(outgoing, request.body);
    const firstByte = monotonic() - start;
    phase = "body";
    const head = { status: incoming.statusCode ?? 0, headers: incoming.headers };
    onProgress({ ...reached, head, phases: { ...reached.phases, firstByte } });
    const { body, truncated } = request.readBody
      ? await readBody(incoming, {
          maxBytes: request.maxBodyBytes ?? /* guard: size of bodies = Infinity */ MAX_BODY_BYTES,
          isLate: () => monotonic() - start - firstByte >= (request.maxBodyMs ?? Infinity),
          reserve,
        })
      : bufferedBody(incoming);
    if (!request.readBody) rest = incoming;
    const total = request.readBody ? monotonic() - start : firstByte;
    const phases = { ...reached.phases, firstByte, total };
    onProgress({ ...reached, head, phases });
    return { ...head, body, truncated, address: reached.address, phases };
  };
  try {
    if (socket instanceof TLSSocket)
      request.inspectTls?.(socket, url.hostname.replace(/^\[(.*)\]$/, "$1"));
    // A destroyed socket reports it only in the next turn of the event loop, which an aborted caller does not wait for.
    const answer = signal.aborted
      ? undefined
      : await /* guard: the signal ends an exchange = argument */ unlessAborted(
          sendAndReceive(),
          signal,
        );
    if (answer !== undefined) {
      const bodyStart = request.bodyStart?.(answer);
      if (rest === undefined || setTimer === undefined || bodyStart === undefined) return answer;
      const body = await readBodyStart(rest, answer.body, { ...bodyStart, setTimer, signal });
      return { ...answer, body };
    }
  } catch (error) {
    if (!signal.aborted) throw inPhase(asProtocolError(error), phase);
  } finally {
    socket.destroy();
  }
  throw new Interrupted(phase, reached.address);
}

/** The part of the body that arrived with the head, without waiting. */
function bufferedBody(incoming: IncomingMessage): HttpBody {
  const chunk: unknown = incoming.read();
  return { body: Buffer.isBuffer(chunk) ? chunk : new Uint8Array(), truncated: true };
}

function answerTo(outgoing: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let interim = 0;
    outgoing.on("information", () => {
      interim += 1;
      // guard: interim answers
      if (interim > MAX_INTERIM_ANSWERS) reject(new ProtocolError("too many interim answers"));
    });
    outgoing.once("response", (incoming) => {
      // Node reports a broken body on the request only; the reader of the body would see a normal end.
      outgoing.on("error", (error) => {
        // Bytes after a complete message, such as a body after a 204, are ignored.
        if (!incoming.complete) incoming.destroy(error);
      });
      resolve(incoming);
    });
    outgoing.once("upgrade", resolve);
    outgoing.once("connect", resolve);
    outgoing.on("error", reject);
    // Sent as bytes, because Node.js would encode the head like a text body, and change header values beyond ASCII.
    outgoing.end(body === undefined ? undefined : Buffer.from(body));
  });
}

/** Converts errors of the parser and the decoders to ProtocolError; the system's errors stay as they are. */
export function asProtocolError(error: unknown): unknown {
  const code = codeOf(error) ?? "";
  if (!/^(HPE|Z|ERR_BROTLI|ERR__ERROR)_/.test(code)) return error;
  const message =
    code === "HPE_HEADER_OVERFLOW"
      ? "the head of the answer is too large"
      : messageOf(error).replace(/^Parse Error: /, "");
  return new ProtocolError(message, { cause: error, ...packetOf(error) });
}

/** The parser attaches the bytes that it failed on. */
function packetOf(error: unknown): { readonly received?: Uint8Array } {
  return error instanceof Error && "rawPacket" in error && Buffer.isBuffer(error.rawPacket)
    ? { received: error.rawPacket }
    : {};
}

interface Limits {
  readonly limitBytes: number;
  readonly maxMs: number;
  readonly setTimer: Clock["setTimer"];
  readonly signal: AbortSignal;
}

/** Reads on until there are enough bytes, the body or the time is over, or the signal aborts; a body that breaks is as long as it came. */
function readBodyStart(
  incoming: IncomingMessage,
  arrived: Uint8Array,
  { limitBytes, maxMs, setTimer, signal }: Limits,
): Promise<Uint8Array> {
  const pieces = [arrived];
  let length = arrived.length;
  return new Promise((resolve) => {
    const end = (): void => {
      timer.cancel();
      signal.removeEventListener("abort", end);
      incoming.off("data", onData).pause();
      resolve(Buffer.concat(pieces));
    };
    const onData = (piece: Buffer): void => {
      pieces.push(piece);
      length += piece.length;
      if (length >= limitBytes) end();
    };
    const timer = setTimer(end, maxMs);
    signal.addEventListener("abort", end, { once: true });
    // Kept after the end, because a destroyed socket may report an error.
    incoming.on("error", end).once("end", end).once("close", end).on("data", onData);
    if (signal.aborted || length >= limitBytes || incoming.destroyed) end();
  });
}

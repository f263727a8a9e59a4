import { request as httpRequest } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";

import { unlessAborted } from "../abort.ts";
import { ProtocolError } from "../protocol-error.ts";
import { dial, Interrupted } from "../net/dial.ts";
import type { DialProgress } from "../net/dial.ts";
import type { Egress } from "../net/egress.ts";
import { codeOf, messageOf } from "../errors.ts";
import { readBody } from "./response-body.ts";
import type { HttpBody } from "./response-body.ts";
import { rawHeaders, isSecure, portOf, requestTarget } from "./request-head.ts";
import type { HttpRequestHead } from "./request-head.ts";

export interface HttpRequest extends HttpRequestHead {
  /** Bytes after decoding; what comes after them is cut off. */
  readonly maxBodyBytes?: number;
  /** Since the head; what comes later is cut off, once something does. */
  readonly maxBodyMs?: number;
  readonly verifyTls: boolean;
  /** Shown where TLS asks who we are: a certificate and its private key, in PEM. */
  readonly clientCertificate?: string | undefined;
  readonly family?: 4 | 6 | undefined;
  /** The socket as the parser is to hear it, for servers that speak a dialect of HTTP. */
  readonly wrapSocket?: (socket: Socket) => Duplex;
}

export interface HttpContext {
  readonly egress: Egress;
  readonly signal: AbortSignal;
  readonly monotonic: () => number;
  /** Told at the end of each phase. */
  readonly onProgress?: (progress: HttpProgress) => void;
}

/** How far an exchange has come. */
export interface HttpProgress extends Omit<DialProgress, "phases"> {
  readonly phases: Partial<HttpPhases>;
  /** Once the answer begins. */
  readonly head?: HttpResponseHead;
}

export interface HttpResponseHead {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

export interface HttpResponse extends HttpResponseHead {
  /** Only what came along with the head, and still encoded, where the body is not read. */
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

/** One request over one fresh connection; redirects are the caller's. Throws Interrupted, Blocked, DnsFailure, BadAnswer or the system's error. */
export async function exchange(
  request: HttpRequest,
  { egress, signal, monotonic, onProgress = () => {} }: HttpContext,
): Promise<HttpResponse> {
  const { url } = request;
  const headers = rawHeaders(request);
  const start = monotonic();
  const { socket, ...reached } = await dial({
    host: url.hostname,
    port: portOf(url),
    family: request.family,
    egress,
    signal,
    monotonic,
    tls: isSecure(url)
      ? {
          servername: url.hostname,
          verify: request.verifyTls,
          protocols: ["http/1.1"],
          clientCertificate: request.clientCertificate,
        }
      : undefined,
    onProgress,
  });
  const converse = async (): Promise<HttpResponse> => {
    // An `agent` option, even `false`, would make Node ignore createConnection and dial by itself.
    const outgoing = httpRequest({
      createConnection: () => request.wrapSocket?.(socket) ?? socket,
      method: request.method,
      path: requestTarget(request),
      headers,
      maxHeaderSize: MAX_HEAD_BYTES,
    });
    const incoming = await answerTo(outgoing, request.body);
    const firstByte = monotonic() - start;
    const head = { status: incoming.statusCode ?? 0, headers: incoming.headers };
    onProgress({ ...reached, head, phases: { ...reached.phases, firstByte } });
    const { body, truncated } = request.readBody
      ? await readBody(
          incoming,
          request.maxBodyBytes ?? MAX_BODY_BYTES,
          () => monotonic() - start - firstByte >= (request.maxBodyMs ?? Infinity),
        )
      : cameAlong(incoming);
    const total = request.readBody ? monotonic() - start : firstByte;
    const phases = { ...reached.phases, firstByte, total };
    onProgress({ ...reached, head, phases });
    return { ...head, body, truncated, address: reached.address, phases };
  };
  try {
    // A socket that is destroyed says so a turn of the loop later; whoever set the time does not wait for that.
    const answer = signal.aborted ? undefined : await unlessAborted(converse(), signal);
    if (answer !== undefined) return answer;
  } catch (error) {
    if (!signal.aborted) throw asProtocolError(error);
  } finally {
    socket.destroy();
  }
  throw new Interrupted("answer", reached.address);
}

/** What of the body was in the packets of the head: nothing is waited for. */
function cameAlong(incoming: IncomingMessage): HttpBody {
  const chunk: unknown = incoming.read();
  return { body: Buffer.isBuffer(chunk) ? chunk : new Uint8Array(), truncated: true };
}

function answerTo(outgoing: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let interim = 0;
    outgoing.on("information", () => {
      interim += 1;
      if (interim > MAX_INTERIM_ANSWERS) reject(new ProtocolError("too many interim answers"));
    });
    outgoing.once("response", (incoming) => {
      // A body that breaks is told to the request; whoever reads the body would only hear that it ended.
      outgoing.on("error", (error) => {
        // Bytes after a whole message, such as the body of a 204, belong to nothing.
        if (!incoming.complete) incoming.destroy(error);
      });
      resolve(incoming);
    });
    outgoing.once("upgrade", resolve);
    outgoing.once("connect", resolve);
    outgoing.on("error", reject);
    // Bytes, for Node writes the head in the encoding of a text that follows it: header values beyond ASCII would change with it.
    outgoing.end(body === undefined ? undefined : Buffer.from(body));
  });
}

/** What the parser and the decoders say, in one class; the system's errors stay as they are. */
export function asProtocolError(error: unknown): unknown {
  const code = codeOf(error) ?? "";
  if (!/^(HPE|Z|ERR_BROTLI|ERR__ERROR)_/.test(code)) return error;
  const message =
    code === "HPE_HEADER_OVERFLOW"
      ? "the head of the answer is too large"
      : messageOf(error).replace(/^Parse Error: /, "");
  return new ProtocolError(message, { cause: error, ...packetOf(error) });
}

/** The parser keeps the bytes that it stumbled over. */
function packetOf(error: unknown): { readonly received?: Uint8Array } {
  return error instanceof Error && "rawPacket" in error && Buffer.isBuffer(error.rawPacket)
    ? { received: error.rawPacket }
    : {};
}

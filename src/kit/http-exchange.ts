import { request as httpRequest } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";

import { unlessAborted } from "./abort.ts";
import { dial, Interrupted } from "./dial.ts";
import type { Egress } from "./egress.ts";
import { AppError, codeOf, messageOf } from "./errors.ts";
import { readBody } from "./http-body.ts";
import type { HttpBody } from "./http-body.ts";
import { headerLines, isSecure, portOf, requestTarget } from "./http-head.ts";
import type { HttpHead } from "./http-head.ts";

/** The server answered, but not in HTTP. */
export class BadAnswer extends AppError {
  readonly code = "bad_answer";
}

export interface HttpRequest extends HttpHead {
  /** Bytes after decoding; what comes after them is cut off. */
  readonly maxBodyBytes?: number;
  readonly verifyTls: boolean;
  /** Shown where TLS asks who we are: a certificate and its private key, in PEM. */
  readonly clientCertificate?: string | undefined;
  readonly family?: 4 | 6 | undefined;
}

export interface HttpContext {
  readonly egress: Egress;
  readonly signal: AbortSignal;
  readonly monotonic: () => number;
  /** Told once it is connected, once the answer begins, and once it is over. */
  readonly onProgress?: (progress: HttpProgress) => void;
}

/** How far an exchange has come. */
export interface HttpProgress {
  readonly address: string;
  readonly phases: Partial<HttpPhases>;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  readonly cut: boolean;
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

const NO_BODY: HttpBody = { body: new Uint8Array(), cut: false };

/** One request over one fresh connection; redirects are the caller's. Throws Interrupted, Blocked, DnsFailure, BadAnswer or the system's error. */
export async function exchange(
  request: HttpRequest,
  { egress, signal, monotonic, onProgress = () => {} }: HttpContext,
): Promise<HttpAnswer> {
  const { url } = request;
  const headers = headerLines(request);
  const start = monotonic();
  const { socket, address, phases } = await dial({
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
  });
  onProgress({ address, phases });
  const converse = async (): Promise<HttpAnswer> => {
    // An `agent` option, even `false`, would make Node ignore createConnection and dial by itself.
    const outgoing = httpRequest({
      createConnection: () => socket,
      method: request.method,
      path: requestTarget(request),
      headers,
      maxHeaderSize: MAX_HEAD_BYTES,
    });
    const incoming = await answerTo(outgoing, request.body);
    const firstByte = monotonic() - start;
    onProgress({ address, phases: { ...phases, firstByte } });
    const { body, cut } = request.readBody
      ? await readBody(incoming, request.maxBodyBytes ?? MAX_BODY_BYTES)
      : NO_BODY;
    const total = request.readBody ? monotonic() - start : firstByte;
    const progress = { address, phases: { ...phases, firstByte, total } };
    onProgress(progress);
    return {
      status: incoming.statusCode ?? 0,
      headers: incoming.headers,
      body,
      cut,
      ...progress,
    };
  };
  try {
    // A socket that is destroyed says so a turn of the loop later; whoever set the time does not wait for that.
    const answer = signal.aborted ? undefined : await unlessAborted(converse(), signal);
    if (answer !== undefined) return answer;
  } catch (error) {
    if (!signal.aborted) throw asBadAnswer(error);
  } finally {
    socket.destroy();
  }
  throw new Interrupted("answer", address);
}

function answerTo(outgoing: ClientRequest, body: string | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    let interim = 0;
    outgoing.on("information", () => {
      interim += 1;
      if (interim > MAX_INTERIM_ANSWERS) reject(new BadAnswer("too many interim answers"));
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
function asBadAnswer(error: unknown): unknown {
  const code = codeOf(error) ?? "";
  if (code === "HPE_HEADER_OVERFLOW")
    return new BadAnswer("the head of the answer is too large", { cause: error });
  if (/^(HPE|Z|ERR_BROTLI|ERR__ERROR)_/.test(code))
    return new BadAnswer(messageOf(error).replace(/^Parse Error: /, ""), { cause: error });
  return error;
}

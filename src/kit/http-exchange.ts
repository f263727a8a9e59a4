import { request as httpRequest, validateHeaderName, validateHeaderValue } from "node:http";
import type { ClientRequest, IncomingMessage } from "node:http";

import { unlessAborted } from "./abort.ts";
import { dial, Interrupted } from "./dial.ts";
import type { Egress } from "./egress.ts";
import { AppError, codeOf, InvalidInput, messageOf } from "./errors.ts";
import { acceptedEncodings, readBody } from "./http-body.ts";
import type { HttpBody } from "./http-body.ts";

/** The server answered, but not in HTTP. */
export class BadAnswer extends AppError {
  readonly code = "bad_answer";
}

export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Without it the exchange is over once the head of the answer is here. */
  readonly readBody: boolean;
  /** Bytes after decoding; what comes after them is cut off. */
  readonly maxBodyBytes?: number;
  readonly verifyTls: boolean;
  readonly family?: 4 | 6 | undefined;
}

export interface HttpContext {
  readonly egress: Egress;
  readonly signal: AbortSignal;
  readonly monotonic: () => number;
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

/** Where a message ends is ours to say, and so is when the connection does. */
const OWN_HEADERS = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const NO_BODY: HttpBody = { body: new Uint8Array(), cut: false };

/** One request over one fresh connection; redirects are the caller's. Throws Interrupted, Blocked, DnsFailure, BadAnswer or the system's error. */
export async function exchange(
  request: HttpRequest,
  { egress, signal, monotonic }: HttpContext,
): Promise<HttpAnswer> {
  const { url } = request;
  const headers = headersOf(request);
  const secure = isSecure(url);
  const start = monotonic();
  const { socket, address, phases } = await dial({
    host: url.hostname,
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    family: request.family,
    egress,
    signal,
    monotonic,
    tls: secure
      ? { servername: url.hostname, verify: request.verifyTls, protocols: ["http/1.1"] }
      : undefined,
  });
  const converse = async (): Promise<HttpAnswer> => {
    // An `agent` option, even `false`, would make Node ignore createConnection and dial by itself.
    const outgoing = httpRequest({
      createConnection: () => socket,
      method: request.method,
      path: `${url.pathname}${url.search}`,
      headers,
      maxHeaderSize: MAX_HEAD_BYTES,
    });
    const incoming = await answerTo(outgoing, request.body);
    const firstByte = monotonic() - start;
    const { body, cut } = request.readBody
      ? await readBody(incoming, request.maxBodyBytes ?? MAX_BODY_BYTES)
      : NO_BODY;
    const total = request.readBody ? monotonic() - start : firstByte;
    return {
      status: incoming.statusCode ?? 0,
      headers: incoming.headers,
      body,
      cut,
      address,
      phases: { ...phases, firstByte, total },
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

function isSecure({ protocol }: URL): boolean {
  if (protocol !== "http:" && protocol !== "https:")
    throw new InvalidInput(`the scheme must be http or https: ${JSON.stringify(protocol)}`);
  return protocol === "https:";
}

/** Name and value in turn: in this form Node writes them as they are. */
function headersOf({ url, method, headers = {}, body, readBody }: HttpRequest): readonly string[] {
  const given = Object.entries(headers);
  const names = new Set<string>();
  for (const [name, value] of given) {
    refuseBadHeader(name, value);
    names.add(name.toLowerCase());
  }
  const lines = ["Connection", "close", ...given.flat()];
  if (!names.has("host")) lines.unshift("Host", url.host);
  if (!names.has("authorization") && (url.username !== "" || url.password !== ""))
    lines.push("Authorization", basicOf(url));
  if (readBody && !names.has("accept-encoding")) lines.push("Accept-Encoding", acceptedEncodings);
  if (body !== undefined || method === "POST" || method === "PUT")
    lines.push("Content-Length", String(Buffer.byteLength(body ?? "")));
  return lines;
}

function refuseBadHeader(name: string, value: string): void {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (error) {
    throw new InvalidInput(
      `a header has characters that no header may have: ${JSON.stringify(name)}`,
      { cause: error },
    );
  }
  if (OWN_HEADERS.has(name.toLowerCase()))
    throw new InvalidInput(`this header cannot be set: ${JSON.stringify(name)}`);
}

function basicOf({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64")}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone percent sign stands for itself
  }
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
    outgoing.on("error", reject);
    outgoing.end(body);
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

import type { IncomingMessage } from "node:http";
import { finished, type Duplex, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";

import { createByteQueue, type Reserve } from "../net/byte-queue.ts";
import { ProtocolError } from "../protocol-error.ts";

export interface HttpBody {
  readonly body: Uint8Array;
  /** True if there was, or may have been, more to read. */
  readonly truncated: boolean;
}

export const acceptedEncodings = "gzip, deflate, br";

/** Beyond this number, chunks must have this average size: 100,000 chunks of one byte took 160 ms, and streamed pages have fewer. */
const MAX_SMALL_CHUNKS = 10_000;
const USUAL_CHUNK_BYTES = 32;

/** Initial reservation for a body of unknown length; most pages are smaller. */
const FIRST_BYTES = 262_144;

interface Limits {
  /** Limit for decoded data. */
  readonly maxBytes: number;
  /** Called after each chunk; true ends the body. */
  readonly isLate: () => boolean;
  readonly reserve?: Reserve | undefined;
}

/** Reads and decodes a body, as far as its limits allow. */
export function readBody(
  incoming: IncomingMessage,
  { maxBytes, isLate, reserve }: Limits,
): Promise<HttpBody> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpBody>();
  const body = createByteQueue(reserve);
  let [chunks, received] = [0, 0];
  let decoder: Duplex | undefined;

  const stop = (): void => {
    incoming.destroy();
    decoder?.destroy();
  };
  const end = (truncated: boolean): void => {
    stop();
    resolve({ body: body.take(Infinity), truncated });
  };
  const fail = (error: Error): void => {
    stop();
    reject(error);
  };
  const wait = (source: Readable, memory: Promise<void>): void => {
    source.pause();
    memory.then(() => source.resume(), fail);
  };
  const keep = (chunk: Buffer): void => {
    const room = maxBytes - body.length();
    const memory = body.append(chunk.subarray(0, room));
    if (memory !== undefined) wait(decoder ?? incoming, memory);
    if (chunk.length > room || isLate()) end(true);
  };
  const decode = (to: Duplex): void => {
    decoder = to.on("data", keep);
    finished(to, { writable: false }, (error) => (error ? fail(error) : end(false)));
  };

  const memory = reserve?.(Math.min(lengthOf(incoming) ?? FIRST_BYTES, maxBytes));
  if (memory !== undefined) wait(incoming, memory);
  incoming.on("data", (chunk: Buffer) => {
    chunks += 1;
    received += chunk.length;
    // guard: chunks of bodies
    if (chunks > MAX_SMALL_CHUNKS + received / USUAL_CHUNK_BYTES)
      fail(new ProtocolError(`more than ${MAX_SMALL_CHUNKS} small chunks`));
    // An empty body may have a Content-Encoding, and decoders treat empty input as an error.
    const first =
      chunks === 1 ? decoderFor(incoming.headers["content-encoding"], chunk) : undefined;
    if (first !== undefined) decode(first);
    if (decoder === undefined) keep(chunk);
    else if (!decoder.write(chunk)) {
      incoming.pause();
      decoder.once("drain", () => incoming.resume());
    }
  });
  finished(incoming, (error) => {
    if (error) fail(error);
    else if (decoder === undefined) end(false);
    else decoder.end();
  });
  return promise;
}

/** The memory that a body takes which states its length and is not compressed: it doubles until all of it is there. */
function lengthOf({ headers }: IncomingMessage): number | undefined {
  const bytes = Number(headers["content-length"]);
  if (!(bytes > 0) || headers["content-encoding"] !== undefined) return undefined;
  return 2 ** Math.ceil(Math.log2(bytes));
}

function decoderFor(encoding: string | undefined, first: Uint8Array): Duplex | undefined {
  switch (encoding?.toLowerCase()) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "br":
      return createBrotliDecompress();
    case "deflate":
      // RFC 9110, 8.4.1.2 requires the zlib format; some servers send raw deflate.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    default:
      return undefined;
  }
}

import type { IncomingMessage } from "node:http";
import { pipeline } from "node:stream";
import type { Duplex } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";

export interface HttpBody {
  readonly body: Uint8Array;
  /** True if there was, or may have been, more to read. */
  readonly truncated: boolean;
}

export const acceptedEncodings = "gzip, deflate, br";

/** Reads and decodes a body up to `maxBytes` of decoded data, or until `isLate` is true after a chunk. */
export async function readBody(
  incoming: IncomingMessage,
  maxBytes: number,
  isLate: () => boolean,
): Promise<HttpBody> {
  const chunks: Uint8Array[] = [];
  let room = maxBytes;
  for await (const chunk of decoded(incoming)) {
    chunks.push(chunk.subarray(0, room));
    if (chunk.length > room || isLate()) return { body: Buffer.concat(chunks), truncated: true };
    room -= chunk.length;
  }
  return { body: Buffer.concat(chunks), truncated: false };
}

async function* decoded(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]();
  const first = await chunks.next();
  // An empty body may have a Content-Encoding, and decoders treat empty input as an error.
  if (first.done === true) return;
  const decoder = decoderFor(incoming.headers["content-encoding"], first.value);
  const source = withFirst(first.value, chunks);
  yield* decoder === undefined ? source : pipeline(source, decoder, () => {});
}

async function* withFirst(
  first: Uint8Array,
  chunks: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => chunks };
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

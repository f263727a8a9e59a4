import { Readable } from "node:stream";

import type { FastifyReply } from "fastify";

import { etagOf, matchesEtag } from "../../../kit/http/etag.ts";
import type { Log } from "../../../kit/log.ts";
import type { ResponseBody } from "../../operation.ts";
import { compressionFor, type Compression } from "./compression.ts";
import { createEventStreams, isEventStream, wantsEvents } from "./event-stream.ts";
import { isJsonStream, type JsonStream } from "./json-stream.ts";

/** Sends the bodies of successful responses, compressed where the client takes that and few others are. */
export interface BodySender {
  /** An error after the first piece can only abort the response, which is logged. */
  readonly send: (body: ResponseBody, reply: FastifyReply) => Promise<FastifyReply>;
  /** Ends what is sent without an end. */
  readonly close: () => void;
}

const JSON_TYPE = "application/json";
/** Size up to which a stream is sent in one piece, so that an error during reading still has its own status. */
const MAX_BUFFERED_CHARACTERS = 65_536;
/** Size up to which a response gets an entity tag, which precedes it and needs the complete content. */
const MAX_TAGGED_CHARACTERS = 4_194_304;
/** Less than this goes into a few packets. */
const MIN_COMPRESSED_BYTES = 8192;
/** Maximum concurrent streams per encoding; further responses are sent uncompressed. */
const MAX_COMPRESSED = 8;
const MAX_TAGGED = 8;

/** Sends a value as JSON. Passed to Fastify as bytes, because it adds a charset to text and JSON has none (RFC 8259, section 11). */
export function sendJson(value: unknown, reply: FastifyReply): FastifyReply {
  reply.header("content-type", JSON_TYPE);
  return reply.send(Buffer.from(JSON.stringify(value), "utf8"));
}

export function createBodySender(log: Log): BodySender {
  const eventStreams = createEventStreams();
  const compressing = createSlots(MAX_COMPRESSED);
  const tagging = createSlots(MAX_TAGGED);

  const sendText = async (text: string, reply: FastifyReply): Promise<FastifyReply> => {
    const bytes = Buffer.from(text, "utf8");
    const compression = compressionOf(reply);
    if (compression === undefined || bytes.length < MIN_COMPRESSED_BYTES || !compressing.take())
      return sendBytes(bytes, reply);
    try {
      const compressed = await compression.whole(bytes);
      return await sendBytes(compressed, encoded(reply, compression));
    } finally {
      compressing.giveBack();
    }
  };
  const sendTagged = (text: string, reply: FastifyReply): Promise<FastifyReply> | FastifyReply => {
    // Weak, for compressed it has other bytes.
    const etag = etagOf(text);
    reply.headers({
      etag: `W/${etag}`,
      "cache-control": "private, no-cache",
      vary: "Accept-Encoding, Authorization, Cookie",
    });
    return matchesEtag(etag, reply.request.headers["if-none-match"])
      ? reply.code(304).send()
      : sendText(text, reply);
  };
  const sendRest = (rest: AsyncIterable<string>, reply: FastifyReply): FastifyReply => {
    // A piece may have some hundred kB, and by default 16 are made ahead.
    const stream = Readable.from(rest, { highWaterMark: 1 });
    const aborted = (error: Error): void =>
      log.error("api.response_aborted", { reference: reply.request.id, error: error.stack });
    stream.on("error", aborted);
    const compression = compressionOf(reply);
    if (compression === undefined || !compressing.take()) return typed(reply).send(stream);
    const compressed = compression.stream();
    compressed.once("close", () => {
      compressing.giveBack();
      stream.destroy();
    });
    stream.once("error", (error) => compressed.destroy(error));
    return encoded(typed(reply), compression).send(stream.pipe(compressed));
  };
  const sendStream = async (body: JsonStream, reply: FastifyReply): Promise<FastifyReply> => {
    const isTagged = body.isRevalidated === true && tagging.take();
    try {
      const most = isTagged ? MAX_TAGGED_CHARACTERS : MAX_BUFFERED_CHARACTERS;
      const pieces = body[Symbol.asyncIterator]();
      const { text, isWhole } = await readUpTo(pieces, most);
      if (body.contentType !== undefined) reply.type(body.contentType);
      if (!isWhole) return await sendRest(prepend(text, pieces), reply);
      return await (isTagged ? sendTagged(text, reply) : sendText(text, reply));
    } finally {
      if (isTagged) tagging.giveBack();
    }
  };

  return {
    async send(body, reply) {
      if (isJsonStream(body)) return sendStream(body, reply);
      if (!isEventStream(body)) return sendText(JSON.stringify(body), reply);
      return wantsEvents(reply.request)
        ? eventStreams.send(body, reply)
        : sendText(JSON.stringify(await body.once()), reply);
    },
    close: eventStreams.close,
  };
}

/** Limits concurrent work. */
function createSlots(most: number) {
  let taken = 0;
  return {
    take(): boolean {
      if (taken >= most) return false;
      taken += 1;
      return true;
    },
    giveBack(): void {
      taken -= 1;
    },
  };
}

function compressionOf({ request }: FastifyReply): Compression | undefined {
  return request.method === "HEAD"
    ? undefined
    : compressionFor(request.headers["accept-encoding"]?.toString());
}

function encoded(reply: FastifyReply, { encoding }: Compression): FastifyReply {
  reply.header("content-encoding", encoding);
  return reply.hasHeader("vary") ? reply : reply.header("vary", "Accept-Encoding");
}

function sendBytes(bytes: Uint8Array, reply: FastifyReply): FastifyReply {
  return typed(reply).send(bytes);
}

function typed(reply: FastifyReply): FastifyReply {
  return reply.hasHeader("content-type") ? reply : reply.header("content-type", JSON_TYPE);
}

async function readUpTo(
  pieces: AsyncIterator<string>,
  maxCharacters: number,
): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  let text = "";
  while (text.length <= maxCharacters) {
    const piece = await pieces.next();
    if (piece.done === true) return { text, isWhole: true };
    text += piece.value;
  }
  return { text, isWhole: false };
}

async function* prepend(first: string, rest: AsyncIterator<string>): AsyncIterable<string> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

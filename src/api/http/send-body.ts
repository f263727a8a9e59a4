import { Readable } from "node:stream";

import type { FastifyReply } from "fastify";

import type { Log } from "../../kit/log.ts";
import type { ResponseBody } from "../operation.ts";
import { isJsonStream } from "./json-stream.ts";
import type { JsonStream } from "./json-stream.ts";

const JSON_TYPE = "application/json";
/** A stream up to this size is sent in one piece, so that an error while it is read still has a status of its own. */
const MAX_BUFFERED_CHARACTERS = 65_536;

/** Sends a value as JSON. Fastify gets bytes, for it adds a charset to the type of text, and JSON has none (RFC 8259, section 11). */
export function sendJson(value: unknown, reply: FastifyReply): FastifyReply {
  return sendText(JSON.stringify(value), reply);
}

/** Sends the body of a successful response. An error after the first piece can only abort the response, which is logged. */
export async function sendBody(
  body: ResponseBody,
  reply: FastifyReply,
  log: Log,
): Promise<FastifyReply> {
  return isJsonStream(body) ? sendStream(body, reply, log) : sendJson(body, reply);
}

async function sendStream(body: JsonStream, reply: FastifyReply, log: Log): Promise<FastifyReply> {
  const pieces = body[Symbol.asyncIterator]();
  let buffered = "";
  while (buffered.length <= MAX_BUFFERED_CHARACTERS) {
    const piece = await pieces.next();
    if (piece.done) return sendText(buffered, reply);
    buffered += piece.value;
  }
  // A piece may have some hundred kB, and by default 16 are made ahead.
  const stream = Readable.from(prepend(buffered, pieces), { highWaterMark: 1 });
  stream.on("error", (error) =>
    log.error("api.response_aborted", { reference: reply.request.id, error: error.stack }),
  );
  return reply.header("content-type", JSON_TYPE).send(stream);
}

function sendText(text: string, reply: FastifyReply): FastifyReply {
  return reply.header("content-type", JSON_TYPE).send(Buffer.from(text, "utf8"));
}

async function* prepend(first: string, rest: AsyncIterator<string>): AsyncIterable<string> {
  yield first;
  yield* { [Symbol.asyncIterator]: () => rest };
}

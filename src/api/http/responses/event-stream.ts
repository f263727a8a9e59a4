import { Readable } from "node:stream";

import type { FastifyReply } from "fastify";

/** Response sent as server-sent events to clients that ask for them, and as a single JSON document to others. */
export interface EventStream {
  readonly kind: typeof events;
  /** Returns the current content. */
  readonly once: () => Promise<object>;
  /** Sends events from then on; `lastId` is the client's last event. Throws if there are too many streams. */
  readonly open: (client: EventClient, lastId: string | undefined) => Promise<void>;
}

/** One connection. */
export interface EventClient {
  readonly send: (text: string) => void;
  /** Ends the connection; the client opens another. */
  readonly close: () => void;
  readonly onClose: (then: () => void) => void;
}

/** The connections of a server that events are sent to. */
export interface EventStreams {
  readonly send: (stream: EventStream, reply: FastifyReply) => Promise<FastifyReply>;
  /** Ends them all. */
  readonly close: () => void;
}

const events = Symbol("event stream");
export const EVENT_STREAM_TYPE = "text/event-stream";
/** A client that does not read loses the connection and must start over. */
const MAX_UNREAD_BYTES = 1_048_576;

export function eventStream(of: Omit<EventStream, "kind">): EventStream {
  return { kind: events, ...of };
}

export function isEventStream(value: unknown): value is EventStream {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === events;
}

/** Returns whether the client asks for events (WHATWG HTML, section 9.2). */
export function wantsEvents({ method, headers }: FastifyReply["request"]): boolean {
  return method === "GET" && (headers.accept ?? "").includes(EVENT_STREAM_TYPE);
}

export function createEventStreams(): EventStreams {
  const open = new Set<Readable>();
  return {
    async send(stream, reply) {
      const { "last-event-id": lastId } = reply.request.headers;
      const body = new Readable({ read() {} });
      open.add(body);
      body.once("close", () => open.delete(body));
      try {
        await stream.open(clientOf(body), typeof lastId === "string" ? lastId : undefined);
      } catch (error) {
        body.destroy();
        throw error;
      }
      reply.headers({
        "content-type": EVENT_STREAM_TYPE,
        // nginx would wait until it has some kilobytes.
        "x-accel-buffering": "no",
      });
      return reply.send(body);
    },
    close() {
      for (const body of open) end(body);
    },
  };
}

function clientOf(body: Readable): EventClient {
  return {
    send(text) {
      if (body.destroyed || body.readableEnded) return;
      if (body.readableLength > MAX_UNREAD_BYTES) body.destroy();
      else body.push(text);
    },
    close: () => end(body),
    onClose: (then) => void body.once("close", then),
  };
}

function end(body: Readable): void {
  if (!body.destroyed && !body.readableEnded) body.push(null);
}

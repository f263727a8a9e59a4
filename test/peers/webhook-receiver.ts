import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";

import { systemClock } from "../../src/kit/clock.ts";
import type { Certificate } from "./certificates.ts";
import { httpPeer, type HttpPeer } from "./http.ts";

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ReceiverResponse {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A function looks at each request first, as a service does; to crawl is to answer a letter a second. */
export type Reply =
  | ReceiverResponse
  | "hang"
  | "break"
  | "crawl"
  | ((request: ReceivedRequest) => ReceiverResponse);

export interface Receiver extends HttpPeer {
  readonly requests: readonly ReceivedRequest[];
  /** How it answers from now on. */
  readonly reply: (reply: Reply) => void;
}

/** A receiver of webhooks; it keeps what it gets, and takes it by default. */
export async function receiverPeer(certificate?: Certificate): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  let current: Reply = { status: 200 };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request);
    const received = {
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body,
    };
    requests.push(received);
    if (current === "hang") return;
    if (current === "break") request.socket.destroy();
    else if (current === "crawl") crawl(request.socket);
    else {
      const reply = typeof current === "function" ? current(received) : current;
      response.writeHead(reply.status, { ...reply.headers }).end(reply.body);
    }
  };
  const peer = await httpPeer((request, response) => void answer(request, response), certificate);
  return {
    ...peer,
    requests,
    reply(reply) {
      current = reply;
    },
  };
}

const CRAWL_MS = 1000;

function crawl(socket: Socket): void {
  const letters = "HTTP/1.1 200 OK\r\n\r\n"[Symbol.iterator]();
  const next = (): void => {
    const { value, done } = letters.next();
    if (done === true) socket.end();
    else if (!socket.destroyed) {
      socket.write(value);
      systemClock.setTimer(next, CRAWL_MS);
    }
  };
  next();
}

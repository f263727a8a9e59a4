import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import type { Certificate } from "./certificates.ts";
import { httpPeer } from "./http.ts";
import type { HttpPeer } from "./http.ts";

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

/** A function looks at each request first, as a service does. */
export type Reply =
  | ReceiverResponse
  | "hang"
  | "break"
  | ((request: ReceivedRequest) => ReceiverResponse);

export interface Receiver extends HttpPeer {
  readonly requests: readonly ReceivedRequest[];
  /** How it answers from now on. */
  readonly reply: (reply: Reply) => void;
}

/** A receiver of webhooks; it keeps what it gets, and takes it where it is not told otherwise. */
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

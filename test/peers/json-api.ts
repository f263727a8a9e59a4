import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";

import { httpPeer, type HttpPeer } from "./http.ts";

export interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface ApiReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent as it is, anything else as JSON. */
  readonly body: unknown;
}

/** Failure of a server for a valid request. */
export type ApiFailure = ApiReply | "hang" | "break";

/** A server that answers each whole request by itself. It may be disposed of more than once. */
export async function jsonApiPeer(answer: (request: ApiRequest) => ApiFailure): Promise<HttpPeer> {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url: path = "", headers } = request;
    const said = answer({ method, path, headers, body: await text(request) });
    if (said === "hang") return;
    if (said === "break") {
      request.socket.destroy();
      return;
    }
    const type = { "content-type": "application/json; charset=utf-8" };
    response.writeHead(said.status, { ...type, ...said.headers });
    response.end(typeof said.body === "string" ? said.body : JSON.stringify(said.body));
  };
  const peer = await httpPeer((request, response) => void serve(request, response));
  let gone: PromiseLike<void> | undefined;
  return { ...peer, [Symbol.asyncDispose]: () => (gone ??= peer[Symbol.asyncDispose]()) };
}

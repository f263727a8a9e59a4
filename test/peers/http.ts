import { createServer, type RequestListener } from "node:http";
import { createServer as createSecureServer } from "node:https";

import type { Certificate } from "./certificates.ts";
import { listen, type Peer } from "./tcp.ts";

export interface HttpPeer extends Peer {
  /** Where it is, without a slash at the end. */
  readonly url: string;
}

/** A web server on 127.0.0.1; with a certificate it speaks TLS. */
export async function httpPeer(
  answer: RequestListener,
  certificate?: Certificate,
): Promise<HttpPeer> {
  const server =
    certificate === undefined ? createServer(answer) : createSecureServer(certificate, answer);
  const peer = await listen(server);
  return {
    ...peer,
    url: `${certificate === undefined ? "http" : "https"}://${peer.host}:${peer.port}`,
  };
}

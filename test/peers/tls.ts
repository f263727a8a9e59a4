import type { Socket } from "node:net";
import { createServer } from "node:tls";
import type { TlsOptions } from "node:tls";

import { listen } from "./tcp.ts";
import type { SocketHandler, Peer } from "./tcp.ts";

/** A server on 127.0.0.1 that speaks TLS from the first byte, as old and as weak as a test asks. */
export function tlsPeer(options: TlsOptions, manner: SocketHandler = () => {}): Promise<Peer> {
  const server = createServer({ ciphers: "DEFAULT:@SECLEVEL=0", ...options }, (socket: Socket) => {
    socket.on("error", () => {});
    manner(socket);
  });
  return listen(server);
}

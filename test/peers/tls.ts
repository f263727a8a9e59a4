import { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import { createServer, type TlsOptions } from "node:tls";

import type { Certificate } from "./certificates.ts";
import { listen, tcpPeer, type SocketHandler, type Peer } from "./tcp.ts";

/** A server on 127.0.0.1 that speaks TLS from the first byte, as old and as weak as a test asks. */
export function tlsPeer(options: TlsOptions, manner: SocketHandler = () => {}): Promise<Peer> {
  const server = createServer({ ciphers: "DEFAULT:@SECLEVEL=0", ...options }, (socket: Socket) => {
    socket.on("error", () => {});
    manner(socket);
  });
  return listen(server);
}

const HANDSHAKE = 22;
const TLS_1_2 = Buffer.of(3, 3);
/** TLS_RSA_WITH_AES_128_GCM_SHA256, without compression. */
const AGREED = Buffer.of(0, 0x9c, 0);

/** The first half of TLS 1.2 as servers spoke it that do not know RFC 5746; then it hears what the client makes of that, and closes. */
export function tlsPeerWithoutExtensions(
  { cert }: Certificate,
  onContinued: (isContinued: boolean) => void,
): Promise<Peer> {
  const { raw } = new X509Certificate(cert);
  const hello = Buffer.concat([TLS_1_2, Buffer.alloc(32), Buffer.of(0), AGREED]);
  const messages = [
    handshakeMessage(2, hello),
    handshakeMessage(11, withLength(withLength(raw))),
    handshakeMessage(14, Buffer.alloc(0)),
  ];
  return tcpPeer((socket) => {
    socket.once("data", () => {
      socket.write(Buffer.concat(messages));
      socket.once("data", (answer: Buffer) => {
        onContinued(answer[0] === HANDSHAKE);
        socket.end();
      });
    });
  });
}

/** In a record of its own (RFC 5246, 6.2.1 and 7.4). */
function handshakeMessage(type: number, body: Buffer): Buffer {
  const message = Buffer.concat([Buffer.of(type), withLength(body)]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([Buffer.of(HANDSHAKE), TLS_1_2, length, message]);
}

function withLength(bytes: Buffer): Buffer {
  const length = Buffer.alloc(3);
  length.writeUIntBE(bytes.length, 0, 3);
  return Buffer.concat([length, bytes]);
}

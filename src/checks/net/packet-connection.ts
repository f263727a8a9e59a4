import type { Outcome } from "../../domain/outcome.ts";
import { ProtocolError } from "../../kit/protocol-error.ts";
import type { RunContext } from "../check-type.ts";
import { connectionClosed } from "./connection-closed.ts";
import { withConnection } from "./connection.ts";
import type { Connection, ConnectionTarget } from "./connection.ts";
import type { TlsFacts } from "../tls/handshake.ts";

/** A talk in packets. */
export interface PacketConnection {
  /** Exactly that many of the next bytes. */
  readonly read: (length: number) => Promise<Buffer>;
  readonly write: (packet: Uint8Array) => void;
  /** Goes on in TLS, once the other side knows that it does. */
  readonly startTls: () => Promise<TlsFacts>;
}

const MOST_BYTES = 2 ** 20;

/** As speakOver, in packets. */
export function withPacketConnection(
  call: ConnectionTarget,
  context: RunContext,
  speak: (talk: PacketConnection) => Promise<Outcome>,
): Promise<Outcome> {
  return withConnection(call, context, (connection) => speak(inPackets(connection)));
}

function inPackets({ read, send, startTls }: Connection): PacketConnection {
  let unread: Buffer = Buffer.alloc(0);
  let readBytes = 0;
  return {
    async read(length) {
      readBytes += length;
      // Before any of them is waited for: whoever announces too much may take for ever to send it.
      if (readBytes > MOST_BYTES) throw new ProtocolError(`more than ${MOST_BYTES} bytes`);
      const parts = [unread];
      for (let held = unread.length; held < length;) {
        const chunk = await read();
        if (chunk === undefined) throw connectionClosed();
        parts.push(chunk);
        held += chunk.length;
      }
      const bytes = parts.length === 1 ? unread : Buffer.concat(parts);
      unread = bytes.subarray(length);
      return bytes.subarray(0, length);
    },
    write: send,
    startTls: () => startTls(unread.length),
  };
}

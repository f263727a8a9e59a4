import type { Outcome } from "../../domain/run/outcome.ts";
import { createByteQueue, type Reserve } from "../../kit/net/byte-queue.ts";
import { ProtocolError } from "../../kit/protocol-error.ts";
import type { RunContext } from "../check-type.ts";
import { connectionClosed } from "./connection-closed.ts";
import { withConnection, type Connection, type ConnectionTarget } from "./connection.ts";
import type { TlsFacts } from "../tls/handshake.ts";

/** A connection that is read in packets of known length. */
export interface PacketConnection {
  /** Exactly the next `length` bytes. */
  readonly read: (length: number) => Promise<Buffer>;
  readonly write: (packet: Uint8Array) => void;
  /** Upgrades to TLS, once the server has agreed. */
  readonly startTls: () => Promise<TlsFacts>;
}

const MAX_BYTES = 2 ** 20;

/** Like withConnection, in packets. */
export function withPacketConnection(
  call: ConnectionTarget,
  context: RunContext,
  use: (connection: PacketConnection) => Promise<Outcome>,
): Promise<Outcome> {
  return withConnection(call, context, (connection) =>
    use(packetConnectionOver(connection, context.reserve)),
  );
}

function packetConnectionOver(
  { read, send, startTls }: Connection,
  reserve: Reserve | undefined,
): PacketConnection {
  const unread = createByteQueue(reserve);
  let readBytes = 0;
  return {
    async read(length) {
      readBytes += length;
      // Checked before the bytes arrive, because a server may announce more than it ever sends.
      if (readBytes > MAX_BYTES) throw new ProtocolError(`more than ${MAX_BYTES} bytes`);
      while (unread.length() < length) {
        const chunk = await read();
        if (chunk === undefined) throw connectionClosed();
        await unread.append(chunk);
      }
      return unread.take(length);
    },
    write: send,
    startTls: () => startTls(unread.length()),
  };
}

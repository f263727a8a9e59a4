import { ProtocolError } from "../../kit/protocol-error.ts";
import type { PacketConnection } from "../net/packet-connection.ts";

/** First bytes of packets that are not part of a result. */
export const OK = 0x00;
export const MORE = 0x01;
export const FILE_REQUEST = 0xfb;
export const END = 0xfe;
export const ERROR = 0xff;

/** A connection in MySQL's framing: a length of three bytes, a sequence number, and the payload. */
export interface MysqlConnection extends Pick<PacketConnection, "startTls"> {
  readonly read: () => Promise<Buffer>;
  readonly write: (payload: Uint8Array) => void;
  /** Sends a command, which restarts the sequence numbers. */
  readonly command: (payload: Uint8Array) => void;
}

const HEAD_BYTES = 4;

export function mysqlConnection({ read, write, startTls }: PacketConnection): MysqlConnection {
  let sequence = 0;
  const send = (payload: Uint8Array): void => {
    const head = Buffer.alloc(HEAD_BYTES);
    head.writeUIntLE(payload.length, 0, 3);
    head[3] = sequence;
    sequence = (sequence + 1) % 256;
    write(Buffer.concat([head, payload]));
  };
  return {
    startTls,
    async read() {
      const head = await read(HEAD_BYTES);
      const number = head.readUInt8(3);
      const payload = await read(head.readUIntLE(0, 3));
      // A server that reports an error may not have counted our last packet.
      if (number !== sequence && payload[0] !== ERROR)
        throw new ProtocolError("packets out of order");
      sequence = (number + 1) % 256;
      return payload;
    },
    write: send,
    command(payload) {
      sequence = 0;
      send(payload);
    },
  };
}

export interface MysqlError {
  readonly code: number;
  readonly text: string;
}

/** The error in an error packet; undefined for any other packet. */
export function errorIn(packet: Buffer): MysqlError | undefined {
  if (packet[0] !== ERROR) return undefined;
  const reader = readerOf(packet.subarray(1));
  const code = reader.integer(2);
  // The SQL state is present only after the capabilities were exchanged.
  return {
    code,
    text: reader
      .rest()
      .toString()
      .replace(/^#.{5}/s, ""),
  };
}

/** Reads a packet from its beginning. Throws ProtocolError beyond its end. */
interface PacketReader {
  readonly take: (length: number) => Buffer;
  readonly rest: () => Buffer;
  readonly integer: (bytes: 1 | 2 | 3) => number;
  /** Reads text up to the next zero byte, or to the end. */
  readonly textToZero: () => string;
  /** A length-encoded integer; undefined for NULL. */
  readonly count: () => number | undefined;
  /** A length-encoded text; undefined for NULL. */
  readonly text: () => string | undefined;
}

export function readerOf(packet: Buffer): PacketReader {
  let at = 0;
  const take = (length: number): Buffer => {
    if (at + length > packet.length) throw new ProtocolError("a packet that is cut off");
    at += length;
    return packet.subarray(at - length, at);
  };
  const integer = (bytes: number): number => take(bytes).readUIntLE(0, bytes);
  const count = (): number | undefined => {
    const first = integer(1);
    switch (first) {
      case 0xfb:
        return undefined;
      case 0xfc:
        return integer(2);
      case 0xfd:
        return integer(3);
      case 0xfe:
        return Number(take(8).readBigUInt64LE());
      case 0xff:
        throw new ProtocolError("a length that is none");
      default:
        return first;
    }
  };
  const rest = (): Buffer => take(packet.length - at);
  return {
    take,
    rest,
    integer,
    textToZero() {
      const zero = packet.indexOf(0, at);
      if (zero === -1) return rest().toString();
      const text = take(zero - at).toString();
      take(1);
      return text;
    },
    count,
    text() {
      const length = count();
      return length === undefined ? undefined : take(length).toString();
    },
  };
}

export interface Echo {
  /** Random, in hex, so that only the target can reply; the kernel overwrites the ICMP id. */
  readonly token: string;
  readonly sequence: number;
}

export const TOKEN_BYTES = 16;

/** Type, code, checksum, id and sequence, in IPv4 and IPv6 alike (RFC 792; RFC 4443, 4). */
const HEADER_BYTES = 8;
const REQUEST = { 4: 8, 6: 128 };
const REPLY = { 4: 0, 6: 129 };

/** The kernel fills in the checksum and the id. */
export function encodeEchoRequest(family: 4 | 6, { token, sequence }: Echo): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(REQUEST[family], 0);
  header.writeUInt16BE(sequence, 6);
  return Buffer.concat([header, Buffer.from(token, "hex")]);
}

/** Undefined if the packet is not a reply to such a request. */
export function decodeEchoReply(family: 4 | 6, packet: Buffer): Echo | undefined {
  if (packet.length !== HEADER_BYTES + TOKEN_BYTES) return undefined;
  if (packet[0] !== REPLY[family] || packet[1] !== 0) return undefined;
  return { token: packet.toString("hex", HEADER_BYTES), sequence: packet.readUInt16BE(6) };
}

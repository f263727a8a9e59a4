import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { lookup } from "node:dns/promises";
import { once } from "node:events";

import { ProtocolError } from "../../kit/protocol-error.ts";

/** RFC 5905, section 7.3: no warning, version 4, mode 3 (client). */
const REQUEST = 0x23;
const HEADER_BYTES = 48;
const SERVER_MODE = 4;
const UNSYNCHRONISED = 3;
const STRATA = 16;
/** Offsets of the timestamps, each with 32 bits of seconds and 32 bits of fraction. */
const [ORIGIN, RECEIVED, SENT] = [24, 32, 40];
const REFERENCE_ID = 12;
const NTP_PORT = 123;
/** Seconds from 1900 to 1970. */
const EPOCH_SECONDS = 2_208_988_800;
const ERA_SECONDS = 2 ** 32;

export interface NtpServer {
  readonly host: string;
  readonly port?: number;
}

/** Returns the ms by which our clock is ahead of a server's (RFC 5905, section 14). Throws if it cannot be measured. */
export async function clockOffset(
  { host, port = NTP_PORT }: NtpServer,
  now: () => number,
  timeoutMs: number,
): Promise<number> {
  const { address, family } = await lookup(host);
  const socket = createSocket(family === 6 ? "udp6" : "udp4");
  try {
    // The kernel drops packets from any other address.
    socket.connect(port, address);
    const signal = AbortSignal.timeout(timeoutMs);
    await once(socket, "connect", { signal });
    const request = Buffer.alloc(HEADER_BYTES);
    request[0] = REQUEST;
    // A random value rather than our time: a forged answer would have to guess it.
    randomBytes(8).copy(request, SENT);
    const answered = once(socket, "message", { signal });
    const began = now();
    socket.send(request);
    const [answer]: readonly unknown[] = await answered;
    const ended = now();
    if (!Buffer.isBuffer(answer)) throw new ProtocolError("no packet");
    const { received, sent } = timesOf(answer, request.subarray(SENT, SENT + 8));
    return (began - received + (ended - sent)) / 2;
  } finally {
    socket.close();
  }
}

function timesOf(
  answer: Buffer,
  cookie: Buffer,
): { readonly received: number; readonly sent: number } {
  if (answer.length < HEADER_BYTES || (answer.readUInt8(0) & 7) !== SERVER_MODE)
    throw new ProtocolError("what answers is no NTP server");
  if (!answer.subarray(ORIGIN, ORIGIN + 8).equals(cookie))
    throw new ProtocolError("the answer is to another question");
  const stratum = answer.readUInt8(1);
  if (stratum === 0) {
    const code = answer.toString("latin1", REFERENCE_ID, REFERENCE_ID + 4).replaceAll(/\W/g, "");
    throw new ProtocolError(`the server refuses, with the code ${code}`);
  }
  if (answer.readUInt8(0) >> 6 === UNSYNCHRONISED || stratum >= STRATA)
    throw new ProtocolError("the server does not know the time itself");
  return { received: millisecondsAt(answer, RECEIVED), sent: millisecondsAt(answer, SENT) };
}

/** Milliseconds since 1970. The seconds wrap around in 2036: an unset first bit belongs to the next era. */
function millisecondsAt(packet: Buffer, offset: number): number {
  const seconds = packet.readUInt32BE(offset);
  const era = seconds < ERA_SECONDS / 2 ? ERA_SECONDS : 0;
  const fraction = packet.readUInt32BE(offset + 4) / ERA_SECONDS;
  return (seconds + era - EPOCH_SECONDS + fraction) * 1000;
}

import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { closeSync } from "node:fs";
import { isIPv6 } from "node:net";

import { unlessAborted } from "../../kit/abort.ts";
import type { Timer } from "../../kit/clock.ts";
import { Interrupted } from "../../kit/net/dial.ts";
import { Unavailable } from "../../kit/errors.ts";
import type { IcmpErrors, IcmpLibc } from "./libc.ts";
import { ECHO_REQUESTS, type SendEcho, unreachable } from "./send-echo.ts";

interface Run {
  readonly address: string;
  /** The time each request was sent, by sequence number. */
  readonly sentAt: number[];
  readonly replied: (sentAt: number) => void;
  readonly reject: (error: unknown) => void;
}

/** libuv reads this many packets in a turn of the event loop; if more were sent, their replies would overflow the socket buffer. */
const REQUESTS_A_TURN = 32;

/** Sends echo requests through one socket for each address family. A socket is opened at its first use, and does not keep the process alive. */
export function createIcmpSockets(load: () => Promise<IcmpLibc>): SendEcho {
  const sockets = new Map<4 | 6, SendEcho>();
  let loading: Promise<IcmpLibc> | undefined;
  return async (address, context) => {
    const family = isIPv6(address) ? 6 : 4;
    const system = await (loading ??= load());
    const send = sockets.get(family) ?? openIcmpSocket(family, system);
    sockets.set(family, send);
    return send(address, context);
  };
}

function openIcmpSocket(family: 4 | 6, system: IcmpLibc): SendEcho {
  const fd = system.open(family);
  const runs = new Map<string, Run>();
  const outgoing: (() => void)[] = [];
  const socket = createSocket({
    type: family === 4 ? "udp4" : "udp6",
    // The destination is already an address.
    lookup: (address, _, callback) => callback(null, address, family),
  });
  socket.on("message", (packet, { address }) => {
    const reply = decodeEchoReply(family, packet);
    const run = reply && runs.get(reply.token);
    const sentAt = reply && run?.sentAt[reply.sequence];
    if (sentAt !== undefined && run?.address === address) run.replied(sentAt);
  });
  socket.on("error", (error) => {
    for (const { reject } of runs.values()) reject(error);
  });
  try {
    socket.bind({ fd });
  } catch (error) {
    closeSync(fd);
    throw error;
  }
  socket.unref();

  const flush = (): void => {
    for (const send of outgoing.splice(0, REQUESTS_A_TURN)) send();
    if (outgoing.length > 0) setImmediate(flush);
  };

  return async (address, { signal, monotonic, setTimer, timeoutMs }) => {
    const token = randomBytes(TOKEN_BYTES).toString("hex");
    const sentAt: number[] = [];
    let resend: Timer | undefined;
    let icmpErrors: IcmpErrors | undefined;
    const roundTrip = new Promise<number>((resolve, reject) => {
      const request = (sequence: number): void => {
        if (icmpErrors?.any() === true) {
          reject(unreachable(address));
          return;
        }
        const packet = encodeEchoRequest(family, { token, sequence });
        // Receiving them on the shared socket (IP_RECVERR) makes Node 26.10 abort the process.
        if (sequence === 1) icmpErrors = system.watchIcmpErrors(address, packet);
        const send = (): void => {
          if (!runs.has(token)) return;
          sentAt[sequence] = monotonic();
          socket.send(packet, 1, address, (error) => error && reject(error));
        };
        if (outgoing.push(send) === 1) setImmediate(flush);
        if (sequence + 1 < ECHO_REQUESTS) {
          const again = (): void => void Promise.try(request, sequence + 1).catch(reject);
          resend = setTimer(again, timeoutMs / ECHO_REQUESTS);
        }
      };
      runs.set(token, {
        address,
        sentAt,
        replied: (at) => resolve(monotonic() - at),
        reject,
      });
      socket.ref();
      request(0);
    });
    try {
      const ms = await unlessAborted(roundTrip, signal);
      if (ms !== undefined) return ms;
      if (sentAt.length === 0) throw new Unavailable("no time was left to send an echo request");
      throw icmpErrors?.any() === true ? unreachable(address) : new Interrupted("answer", address);
    } finally {
      resend?.cancel();
      icmpErrors?.[Symbol.dispose]();
      runs.delete(token);
      if (runs.size === 0) socket.unref();
    }
  };
}

interface Echo {
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

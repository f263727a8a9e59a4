import { createSocket } from "node:dgram";
import { once } from "node:events";

import type { Peer } from "./tcp.ts";

export interface UdpPeer extends Peer {
  /** Packets so far. */
  readonly packets: readonly Buffer[];
  /** Senders, as `address:port`. */
  readonly senders: ReadonlySet<string>;
}

/** Sends to whom a packet came from; false once the peer is gone. */
export type Reply = (packet: Buffer | string) => boolean;

/** Behavior of a peer for a received packet. */
export type PacketHandler = (packet: Buffer, reply: Reply) => void;

export const silentUdp: PacketHandler = () => {};
export const garbageUdp: PacketHandler = (_, reply) => {
  reply(Buffer.from(Array.from({ length: 512 }, (_, index) => (index * 151) % 256)));
};

/** Sends `packet` again and again, for ever. */
export function floodingUdp(packet: string): PacketHandler {
  return (_, reply) => {
    const pour = (): void => {
      if (reply(packet)) setImmediate(pour);
    };
    pour();
  };
}

/** Packets from one address count as one connection, which is never open. */
export async function udpPeer(
  manner: PacketHandler,
  host = "127.0.0.1",
  port = 0,
): Promise<UdpPeer> {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4");
  const packets: Buffer[] = [];
  const senders = new Set<string>();
  let isOpen = true;
  socket.on("message", (packet, { address, port }) => {
    packets.push(packet);
    senders.add(`${address}:${port}`);
    manner(packet, (answer) => {
      if (isOpen) socket.send(answer, port, address);
      return isOpen;
    });
  });
  socket.bind(port, host);
  await once(socket, "listening");
  return {
    host,
    port: socket.address().port,
    packets,
    senders,
    accepted: () => senders.size,
    open: () => 0,
    async [Symbol.asyncDispose]() {
      isOpen = false;
      socket.close();
      await once(socket, "close");
    },
  };
}

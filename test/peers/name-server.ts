import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";

import { codeOf } from "../../src/kit/errors.ts";
import { listen } from "./tcp.ts";

/** The packets that come back for a query, in their order; over TCP they are framed. */
export type DnsHandler = (query: Buffer, transport: "udp" | "tcp") => readonly Buffer[];

export interface NameServer extends AsyncDisposable {
  readonly port: number;
  /** Queries so far. */
  readonly queries: readonly { readonly transport: "udp" | "tcp"; readonly query: Buffer }[];
  readonly openConnections: () => number;
}

/** A DNS server on 127.0.0.1, with one port for UDP and for TCP, that answers with the bytes that it is given. */
export async function nameServer(manner: DnsHandler, attend = attendTcp): Promise<NameServer> {
  const queries: { transport: "udp" | "tcp"; query: Buffer }[] = [];
  const answer: DnsHandler = (query, transport) => {
    queries.push({ transport, query });
    return manner(query, transport);
  };
  const tcp = await listen(createServer((socket) => attend(socket, answer)));
  const udp = createSocket("udp4");
  udp.on("message", (query, { port, address }) => {
    for (const packet of answer(query, "udp")) udp.send(packet, port, address);
  });
  try {
    udp.bind(tcp.port, tcp.host);
    await once(udp, "listening");
  } catch (error) {
    await tcp[Symbol.asyncDispose]();
    if (codeOf(error) === "EADDRINUSE") return nameServer(manner, attend);
    throw error;
  }
  return {
    port: tcp.port,
    queries,
    openConnections: tcp.open,
    async [Symbol.asyncDispose]() {
      udp.close();
      await once(udp, "close");
      await tcp[Symbol.asyncDispose]();
    },
  };
}

export function attendTcp(socket: Socket, answer: DnsHandler): void {
  socket.on("data", (framed: Buffer) => {
    for (const packet of answer(framed.subarray(2), "tcp")) socket.write(withLength(packet));
  });
}

export function withLength(packet: Buffer): Buffer {
  return Buffer.concat([uint16(packet.length), packet]);
}

export function uint16(...numbers: readonly number[]): Buffer {
  return Buffer.from(numbers.flatMap((number) => [number >> 8, number & 255]));
}

/** RFC 1035, 4.1.4: the name that begins at that byte of the message. */
export function pointer(at: number): Buffer {
  return uint16(0xc000 | at);
}

/** The name of the question. */
export const ASKED = pointer(12);

export function wireName(name: string): Buffer {
  const labels = name === "" ? [] : name.split(".");
  const parts = labels.flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([...parts, Buffer.from([0])]);
}

export function wireRecord(name: Buffer, type: number, data: Buffer): Buffer {
  return Buffer.concat([name, uint16(type, 1, 0, 60, data.length), data]);
}

interface Reply {
  readonly flags?: number;
  readonly answer?: readonly Buffer[];
  readonly authority?: readonly Buffer[];
  readonly additional?: readonly Buffer[];
}

/** An answer with the id and the question of the query. */
export function replyTo(
  query: Buffer,
  { flags = 0x8180, answer = [], authority = [], additional = [] }: Reply,
): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const counts = [answer.length, authority.length, additional.length];
  const head = Buffer.concat([query.subarray(0, 2), uint16(flags, 1, ...counts)]);
  return Buffer.concat([head, question, ...answer, ...authority, ...additional]);
}

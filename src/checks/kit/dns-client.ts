import { randomInt } from "node:crypto";
import { createSocket } from "node:dgram";
import type { Socket } from "node:net";

import type { Timings } from "../../domain/result.ts";
import { unlessAborted } from "../../kit/abort.ts";
import type { Timer } from "../../kit/clock.ts";
import { dial, Interrupted } from "../../kit/dial.ts";
import { BadAnswer } from "../../kit/http-exchange.ts";
import type { RunContext } from "../check-type.ts";
import { connectionClosed } from "./connection-closed.ts";
import { answerTo, encodeQuery } from "./dns-message.ts";
import type { DnsMessage, DnsQuestion } from "./dns-message.ts";

export interface DnsCall {
  readonly server: string;
  readonly port: number;
  readonly family?: 4 | 6 | undefined;
  /** An answer that is too long for UDP is fetched over TCP all the same. */
  readonly transport: "udp" | "tcp";
  readonly question: DnsQuestion;
}

export interface DnsAnswer {
  readonly message: DnsMessage;
  readonly address: string;
  /** Ms from the start to the end of each phase. */
  readonly phases: Timings;
}

export type DnsContext = Pick<RunContext, "egress" | "signal" | "monotonic" | "setTimer">;

interface Asking {
  readonly query: Buffer;
  readonly address: string;
  readonly family: 4 | 6;
  readonly port: number;
}

/** A packet may be lost: the query goes out again after that time, then after twice as long, and so on. */
const FIRST_PATIENCE_MS = 1000;

/** Asks one server one question. Throws Interrupted, Blocked, DnsFailure, BadAnswer or the system's error. */
export async function askDns(
  { server, port, family: wanted, transport, question }: DnsCall,
  context: DnsContext,
): Promise<DnsAnswer> {
  const { egress, signal, monotonic } = context;
  const query = encodeQuery(randomInt(2 ** 16), question);
  const start = monotonic();
  const { address, family } = await egress
    .resolve(server, { family: wanted, signal })
    .catch((error: unknown) => {
      throw signal.aborted ? new Interrupted("dns") : error;
    });
  if (signal.aborted) throw new Interrupted("dns", address);
  const dns = monotonic() - start;
  const asking = { query, address, family, port };
  const first = transport === "udp" ? await askOverUdp(asking, context) : undefined;
  const message =
    first === undefined || first.truncated ? await askOverTcp(asking, context) : first;
  const total = monotonic() - start;
  return { message, address, phases: { dns, firstByte: total, total } };
}

async function askOverUdp(
  { query, address, family, port }: Asking,
  { signal, setTimer }: DnsContext,
): Promise<DnsMessage> {
  const socket = createSocket(family === 4 ? "udp4" : "udp6");
  let resend: Timer | undefined;
  const answer = new Promise<DnsMessage>((resolve, reject) => {
    const send = (patienceMs: number): void => {
      socket.send(query);
      resend = setTimer(() => send(2 * patienceMs), patienceMs);
    };
    socket.on("error", (error) => reject(Object.assign(error, { address })));
    socket.on("message", (packet) => {
      try {
        const message = answerTo(query, packet);
        if (message !== undefined) resolve(message);
      } catch (error) {
        reject(error);
      }
    });
    socket.once("connect", () => send(FIRST_PATIENCE_MS));
    // Once connected, only that server's packets arrive, and its refusals too.
    socket.connect(port, address);
  });
  try {
    const message = await unlessAborted(answer, signal);
    if (message === undefined) throw new Interrupted("answer", address);
    return message;
  } finally {
    resend?.cancel();
    socket.close();
  }
}

async function askOverTcp(
  { query, address, port }: Asking,
  context: DnsContext,
): Promise<DnsMessage> {
  const { socket } = await dial({ ...context, host: address, port });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.length);
  socket.write(Buffer.concat([length, query]));
  try {
    const packet = await unlessAborted(readPacket(socket), context.signal);
    if (packet === undefined) throw new Interrupted("answer", address);
    const message = answerTo(query, packet);
    if (message === undefined) throw new BadAnswer("an answer to another question");
    return message;
  } finally {
    socket.destroy();
  }
}

/** RFC 1035, 4.2.2: a length of two bytes, then the message. */
async function readPacket(socket: Socket): Promise<Buffer> {
  const chunks: AsyncIterable<Buffer> = socket;
  let bytes = Buffer.alloc(0);
  for await (const chunk of chunks) {
    bytes = Buffer.concat([bytes, chunk]);
    const end = bytes.length < 2 ? Infinity : 2 + bytes.readUInt16BE(0);
    if (bytes.length >= end) return bytes.subarray(2, end);
  }
  throw connectionClosed();
}

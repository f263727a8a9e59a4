import { randomInt } from "node:crypto";
import type { Socket } from "node:net";

import type { Timings } from "../../domain/run/timings.ts";
import { unlessAborted } from "../../kit/abort.ts";
import { createByteQueue } from "../../kit/net/byte-queue.ts";
import { ProtocolError } from "../../kit/protocol-error.ts";
import { dial, resolveAddress, Interrupted } from "../../kit/net/dial.ts";
import type { RunContext } from "../check-type.ts";
import { connectionClosed } from "../net/connection-closed.ts";
import { exchangeDatagrams } from "../net/datagram.ts";
import { parseResponse, encodeQuery, type DnsMessage, type DnsQuestion } from "./message.ts";

export interface DnsQuery {
  readonly server: string;
  readonly port: number;
  readonly family?: 4 | 6 | undefined;
  /** A truncated response over UDP is requested again over TCP. */
  readonly transport: "udp" | "tcp";
  readonly question: DnsQuestion;
}

export interface DnsResponse {
  readonly message: DnsMessage;
  readonly address: string;
  /** Ms from the start to the end of each phase. */
  readonly phases: Timings;
}

export type DnsContext = Pick<RunContext, "egress" | "signal" | "monotonic" | "setTimer">;

const PATIENCE_MS = 1000;

/** Sends one query to one server. Throws Interrupted, Blocked, DnsFailure, ProtocolError or the system's error. */
export async function queryDns(
  { server, port, family, transport, question }: DnsQuery,
  context: DnsContext,
): Promise<DnsResponse> {
  const { monotonic } = context;
  const query = encodeQuery(randomInt(2 ** 16), question);
  const start = monotonic();
  const to = { ...(await resolveAddress({ ...context, host: server, family })), port };
  const resolved = monotonic() - start;
  const first =
    transport === "udp"
      ? await exchangeDatagrams(
          {
            to,
            requestFrom: () => query,
            answerIn: (packet) => parseResponse(query, packet),
            patienceMs: PATIENCE_MS,
          },
          context,
        )
      : undefined;
  const message =
    first === undefined || first.truncated ? await askOverTcp(query, to, context) : first;
  const total = monotonic() - start;
  return { message, address: to.address, phases: { dns: resolved, firstByte: total, total } };
}

async function askOverTcp(
  query: Buffer,
  { address, port }: { readonly address: string; readonly port: number },
  context: DnsContext,
): Promise<DnsMessage> {
  const { socket } = await dial({ ...context, host: address, port });
  const length = Buffer.alloc(2);
  length.writeUInt16BE(query.length);
  socket.write(Buffer.concat([length, query]));
  try {
    const packet = await unlessAborted(readPacket(socket), context.signal);
    if (packet === undefined) throw new Interrupted("answer", address);
    const message = parseResponse(query, packet);
    if (message === undefined) throw new ProtocolError("an answer to another question");
    return message;
  } finally {
    socket.destroy();
  }
}

/** RFC 1035, 4.2.2: a length of two bytes, then the message. */
async function readPacket(socket: Socket): Promise<Buffer> {
  const chunks: AsyncIterable<Buffer> = socket;
  const received = createByteQueue();
  let length: number | undefined;
  for await (const chunk of chunks) {
    await received.append(chunk);
    if (received.length() >= 2) length ??= received.take(2).readUInt16BE();
    if (length !== undefined && received.length() >= length) return received.take(length);
  }
  throw connectionClosed();
}

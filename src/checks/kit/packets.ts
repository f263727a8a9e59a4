import type { Socket } from "node:net";

import type { Outcome } from "../../domain/outcome.ts";
import type { Timings } from "../../domain/result.ts";
import { unlessAborted } from "../../kit/abort.ts";
import { BadAnswer } from "../../kit/bad-answer.ts";
import { dial, Interrupted } from "../../kit/dial.ts";
import type { RunContext } from "../check-type.ts";
import { connectionClosed } from "./connection-closed.ts";
import type { TalkCall } from "./conversation.ts";
import { mostEvidence, readable } from "./evidence.ts";
import { failureOf } from "./failure.ts";
import { timingsOf } from "./timings.ts";
import { handshake } from "./tls.ts";
import type { TlsFacts } from "./tls.ts";

/** A talk in packets over one fresh connection. Each wait ends by the signal as Interrupted; what the other side does wrong is a BadAnswer. */
export interface PacketTalk {
  /** Exactly that many of the next bytes. */
  readonly read: (length: number) => Promise<Buffer>;
  readonly write: (packet: Uint8Array) => void;
  /** Goes on in TLS, once the other side knows that it does. */
  readonly startTls: () => Promise<TlsFacts>;
}

interface OpenTalk extends PacketTalk, Disposable {
  readonly address: string;
  readonly shown: () => Pick<Outcome, "certificate" | "evidence">;
  readonly timings: () => Timings;
}

const MOST_BYTES = 2 ** 20;

/**
 * Calls, speaks and hangs up. Whatever the end, its outcome has the address, the timings and the certificate, and what was heard as evidence
 * unless there is better; our own trouble is thrown.
 */
export async function converseInPackets(
  call: TalkCall,
  context: RunContext,
  speak: (talk: PacketTalk) => Promise<Outcome>,
): Promise<Outcome> {
  const start = context.monotonic();
  try {
    using talk = await openTalk(call, context);
    const outcome = await speak(talk).catch(failureOf);
    return { ...talk.shown(), ...outcome, address: talk.address, timings: talk.timings() };
  } catch (error) {
    return { ...failureOf(error), timings: timingsOf({ total: context.monotonic() - start }, 0) };
  }
}

async function openTalk(call: TalkCall, context: RunContext): Promise<OpenTalk> {
  const { signal, monotonic } = context;
  const start = monotonic();
  const { socket: dialled, address, phases } = await dial({ ...call, ...context });
  let socket = dialled;
  let chunks = chunksOf(socket);
  let unread: Buffer = Buffer.alloc(0);
  let readBytes = 0;
  let heard = Buffer.alloc(0);
  let certificate: Outcome["certificate"];
  let reached: Omit<Timings, "total"> = phases;

  const hear = async (): Promise<Buffer> => {
    const next = signal.aborted ? undefined : await unlessAborted(chunks.next(), signal);
    if (next === undefined) throw new Interrupted("answer", address);
    if (next.done === true) throw connectionClosed();
    reached = { firstByte: monotonic() - start, ...reached };
    heard = Buffer.concat([heard, next.value.subarray(0, mostEvidence - heard.length)]);
    return next.value;
  };

  return {
    address,
    async read(length) {
      readBytes += length;
      // Before any of them is waited for: whoever announces too much may take for ever to send it.
      if (readBytes > MOST_BYTES) throw new BadAnswer(`more than ${MOST_BYTES} bytes`);
      const parts = [unread];
      for (let held = unread.length; held < length;) {
        const chunk = await hear();
        parts.push(chunk);
        held += chunk.length;
      }
      const bytes = parts.length === 1 ? unread : Buffer.concat(parts);
      unread = bytes.subarray(length);
      return bytes.subarray(0, length);
    },
    write: (packet) => void socket.write(packet),
    async startTls() {
      // CVE-2011-0411: what somebody slipped in before the handshake must never count as said in secret.
      if (unread.length + socket.readableLength > 0)
        throw new BadAnswer("more than was asked for before the TLS handshake");
      await chunks.return?.();
      const secured = await handshake(socket, { host: call.servername ?? call.host, signal });
      reached = { ...reached, tls: monotonic() - start };
      socket = secured.socket;
      [certificate] = secured.facts.chain;
      chunks = chunksOf(socket);
      return secured.facts;
    },
    shown: () => ({
      ...(certificate !== undefined && { certificate }),
      ...(heard.length > 0 && { evidence: readable(heard) }),
    }),
    timings: () => timingsOf({ ...reached, total: monotonic() - start }, 0),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

/** Leaves the socket open, so that TLS can take it over. */
function chunksOf(socket: Socket): AsyncIterator<Buffer, undefined> {
  return socket.iterator({ destroyOnReturn: false });
}

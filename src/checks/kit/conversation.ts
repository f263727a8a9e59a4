import type { Socket } from "node:net";

import type { CertificateFacts, Outcome } from "../../domain/outcome.ts";
import type { Timings } from "../../domain/result.ts";
import { unlessAborted } from "../../kit/abort.ts";
import { BadAnswer } from "../../kit/bad-answer.ts";
import { dial, Interrupted } from "../../kit/dial.ts";
import type { Call, Progress } from "../../kit/dial.ts";
import { InvalidInput } from "../../kit/errors.ts";
import type { RunContext } from "../check-type.ts";
import { connectionClosed } from "./connection-closed.ts";
import { mostEvidence, readable } from "./evidence.ts";
import { failureOf } from "./failure.ts";
import { timingsOf } from "./timings.ts";
import { handshake } from "./tls.ts";
import type { TlsFacts } from "./tls.ts";

export interface TalkCall {
  readonly host: string;
  readonly port: number;
  readonly family?: 4 | 6 | undefined;
  /** Whom the certificate must be for; the host unless given. */
  readonly servername?: string | undefined;
}

/** A talk in lines over one fresh connection. Each wait ends by the signal as Interrupted; what the other side does wrong is a BadAnswer. */
export interface Talk extends Disposable {
  readonly address: string;
  /** The next line, without its end. */
  readonly readLine: () => Promise<string>;
  /** All that comes until the other side closes. */
  readonly readToEnd: () => Promise<string>;
  readonly writeLine: (line: string) => void;
  /** Goes on in TLS, now or, with STARTTLS, once the other side has agreed. */
  readonly startTls: () => Promise<TlsFacts>;
  /** What the other side showed of itself so far: its certificate, and the first of what it said. */
  readonly shown: () => Pick<Outcome, "certificate" | "evidence">;
  readonly timings: () => Timings;
}

const MOST_LINE_BYTES = 16 * 2 ** 10;
const MOST_BYTES = 2 ** 20;
const LINE_FEED = 10;

/** Calls, speaks and hangs up. Whatever the end, its outcome has the address, the timings and what was shown; our own trouble is thrown. */
export async function converse(
  call: TalkCall,
  context: RunContext,
  speak: (talk: Talk) => Promise<Outcome>,
): Promise<Outcome> {
  const start = context.monotonic();
  let progress: Progress | undefined;
  try {
    using talk = await openTalk(call, { ...context, onProgress: (made) => (progress = made) });
    const outcome = await speak(talk).catch(failureOf);
    return { ...outcome, address: talk.address, timings: talk.timings(), ...talk.shown() };
  } catch (error) {
    const total = context.monotonic() - start;
    return { ...failureOf(error), timings: timingsOf({ ...progress?.phases, total }, 0) };
  }
}

export async function openTalk(
  call: TalkCall,
  context: RunContext & Pick<Call, "onProgress">,
): Promise<Talk> {
  const { signal, monotonic } = context;
  const start = monotonic();
  const { socket: dialled, address, phases } = await dial({ ...call, ...context });
  let socket = dialled;
  let chunks = chunksOf(socket);
  let unread = Buffer.alloc(0);
  let received = 0;
  let heard = Buffer.alloc(0);
  let certificate: CertificateFacts | undefined;
  let reached: Omit<Timings, "total"> = phases;

  const hangUp = (): void => {
    signal.removeEventListener("abort", hangUp);
    socket.destroy();
  };
  signal.addEventListener("abort", hangUp);

  /** False at the end of what the other side sends. */
  const hear = async (): Promise<boolean> => {
    const next = signal.aborted ? undefined : await unlessAborted(chunks.next(), signal);
    if (next === undefined) throw new Interrupted("answer", address);
    if (next.done === true) return false;
    reached = { firstByte: monotonic() - start, ...reached };
    received += next.value.length;
    if (received > MOST_BYTES) throw new BadAnswer(`more than ${MOST_BYTES} bytes`);
    heard = Buffer.concat([heard, next.value.subarray(0, mostEvidence - heard.length)]);
    unread = Buffer.concat([unread, next.value]);
    return true;
  };
  const take = (length: number): string => {
    const taken = unread.toString("utf8", 0, length);
    unread = unread.subarray(length);
    return taken;
  };

  return {
    address,
    async readLine() {
      for (;;) {
        const end = unread.indexOf(LINE_FEED);
        if (end > MOST_LINE_BYTES || (end === -1 && unread.length > MOST_LINE_BYTES))
          throw new BadAnswer(`a line of more than ${MOST_LINE_BYTES} bytes`);
        if (end !== -1) return take(end + 1).replace(/\r?\n$/, "");
        if (!(await hear())) throw connectionClosed();
      }
    },
    async readToEnd() {
      while (await hear());
      return take(unread.length);
    },
    writeLine(line) {
      if (/[\r\n\0]/.test(line))
        throw new InvalidInput("what is sent must not contain the end of a line");
      socket.write(`${line}\r\n`);
    },
    async startTls() {
      // CVE-2011-0411: what somebody slipped in before the handshake must never count as said in secret.
      if (unread.length + socket.readableLength > 0)
        throw new BadAnswer("more than its agreement before the TLS handshake");
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
    [Symbol.dispose]: hangUp,
  };
}

/** Leaves the socket open, so that TLS can take it over. */
function chunksOf(socket: Socket): AsyncIterator<Buffer, undefined> {
  return socket.iterator({ destroyOnReturn: false });
}

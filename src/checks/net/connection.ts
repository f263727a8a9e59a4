import type { Socket } from "node:net";

import type { CertificateFacts, Outcome } from "../../domain/outcome.ts";
import type { Timings } from "../../domain/timings.ts";
import { unlessAborted } from "../../kit/abort.ts";
import { ProtocolError } from "../../kit/protocol-error.ts";
import { dial, Interrupted } from "../../kit/net/dial.ts";
import type { DialOptions, DialProgress } from "../../kit/net/dial.ts";
import type { RunContext } from "../check-type.ts";
import { maxEvidenceLength, evidenceText } from "../outcome/evidence.ts";
import { failureOf } from "../outcome/failure.ts";
import { timingsOf } from "../outcome/timings.ts";
import { handshake } from "../tls/handshake.ts";
import type { TlsFacts } from "../tls/handshake.ts";

export interface ConnectionTarget {
  readonly host: string;
  readonly port: number;
  readonly family?: 4 | 6 | undefined;
  /** Whom the certificate must be for; the host unless given. */
  readonly servername?: string | undefined;
}

/** One fresh connection, for a talk in lines or in packets. Each wait ends by the signal as Interrupted; what the other side does wrong is a BadAnswer. */
export interface Connection extends Disposable {
  readonly address: string;
  /** The next that comes; undefined once the other side has closed. */
  readonly read: () => Promise<Buffer | undefined>;
  readonly send: (bytes: Uint8Array | string) => void;
  /** Goes on in TLS, now or once the other side has agreed; `unread` is how many bytes that came are still to be read. */
  readonly startTls: (unread: number) => Promise<TlsFacts>;
  /** What the other side showed of itself so far: its certificate, and the first of what it said. */
  readonly peerDetails: () => Pick<Outcome, "certificate" | "evidence">;
  readonly timings: () => Timings;
}

/**
 * Calls, speaks and hangs up. Whatever the end, its outcome has the address, the timings and the certificate, and what was heard as evidence unless
 * there is better; our own trouble is thrown.
 */
export async function withConnection(
  call: ConnectionTarget,
  context: RunContext,
  speak: (connection: Connection) => Promise<Outcome>,
): Promise<Outcome> {
  const start = context.monotonic();
  let progress: DialProgress | undefined;
  try {
    using connection = await connect(call, {
      ...context,
      onProgress: (made) => (progress = made),
    });
    const outcome = await speak(connection).catch(failureOf);
    const { address } = connection;
    return { ...connection.peerDetails(), ...outcome, address, timings: connection.timings() };
  } catch (error) {
    const total = context.monotonic() - start;
    return { ...failureOf(error), timings: timingsOf({ ...progress?.phases, total }, 0) };
  }
}

export async function connect(
  call: ConnectionTarget,
  context: RunContext & Pick<DialOptions, "onProgress">,
): Promise<Connection> {
  const { signal, monotonic } = context;
  const start = monotonic();
  const { socket: dialled, address, phases } = await dial({ ...call, ...context });
  let socket = dialled;
  let chunks = chunksOf(socket);
  let heard = Buffer.alloc(0);
  let certificate: CertificateFacts | undefined;
  let reached: Omit<Timings, "total"> = phases;

  const hangUp = (): void => {
    signal.removeEventListener("abort", hangUp);
    socket.destroy();
  };
  signal.addEventListener("abort", hangUp);

  return {
    address,
    async read() {
      const next = signal.aborted ? undefined : await unlessAborted(chunks.next(), signal);
      if (next === undefined) throw new Interrupted("answer", address);
      if (next.done === true) return undefined;
      reached = { firstByte: monotonic() - start, ...reached };
      heard = Buffer.concat([heard, next.value.subarray(0, maxEvidenceLength - heard.length)]);
      return next.value;
    },
    send: (bytes) => void socket.write(bytes),
    async startTls(unread) {
      // CVE-2011-0411: what somebody slipped in before the handshake must never count as said in secret.
      if (unread + socket.readableLength > 0)
        throw new ProtocolError("more than its agreement before the TLS handshake");
      await chunks.return?.();
      const secured = await handshake(socket, { host: call.servername ?? call.host, signal });
      reached = { ...reached, tls: monotonic() - start };
      socket = secured.socket;
      [certificate] = secured.facts.chain;
      chunks = chunksOf(socket);
      return secured.facts;
    },
    peerDetails: () => ({
      ...(certificate !== undefined && { certificate }),
      ...(heard.length > 0 && { evidence: evidenceText(heard) }),
    }),
    timings: () => timingsOf({ ...reached, total: monotonic() - start }, 0),
    [Symbol.dispose]: hangUp,
  };
}

/** Leaves the socket open, so that TLS can take it over. */
function chunksOf(socket: Socket): AsyncIterator<Buffer, undefined> {
  return socket.iterator({ destroyOnReturn: false });
}

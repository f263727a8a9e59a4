import type { Socket } from "node:net";

import type { CertificateFacts, Outcome } from "../../domain/run/outcome.ts";
import type { Timings } from "../../domain/run/timings.ts";
import { unlessAborted } from "../../kit/abort.ts";
import { ProtocolError } from "../../kit/protocol-error.ts";
import { dial, Interrupted, type DialOptions, type DialProgress } from "../../kit/net/dial.ts";
import type { RunContext } from "../check-type.ts";
import { maxEvidenceLength, evidenceText } from "../outcome/evidence.ts";
import { failureOf } from "../outcome/failure.ts";
import { timingsOf } from "../outcome/timings.ts";
import { handshake, type TlsFacts } from "../tls/handshake.ts";

export interface ConnectionTarget {
  readonly host: string;
  readonly port: number;
  readonly family?: 4 | 6 | undefined;
  /** The name that the certificate must be for; the host by default. */
  readonly servername?: string | undefined;
}

/** One TCP connection, optionally with TLS. An aborted signal ends each wait with Interrupted; a violation of the protocol throws ProtocolError. */
export interface Connection extends Disposable {
  readonly address: string;
  /** The next chunk; undefined once the server has closed. */
  readonly read: () => Promise<Buffer | undefined>;
  readonly send: (bytes: Uint8Array | string) => void;
  /** Upgrades to TLS. `unread` is the number of bytes that were received and not consumed yet, which must be none. */
  readonly startTls: (unread: number) => Promise<TlsFacts>;
  /** The server's certificate and the first bytes it sent. */
  readonly peerDetails: () => Pick<Outcome, "certificate" | "evidence">;
  readonly timings: () => Timings;
}

/**
 * Connects, runs `use` and closes. The outcome always has the address, the timings and the certificate, and the received bytes as evidence unless
 * `use` gives better evidence. Internal errors are thrown.
 */
export async function withConnection(
  call: ConnectionTarget,
  context: RunContext,
  use: (connection: Connection) => Promise<Outcome>,
): Promise<Outcome> {
  const start = context.monotonic();
  let progress: DialProgress | undefined;
  try {
    using connection = await connect(call, {
      ...context,
      onProgress: (made) => (progress = made),
    });
    const outcome = await use(connection).catch(failureOf);
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
  let received = Buffer.alloc(0);
  let certificate: CertificateFacts | undefined;
  let reached: Omit<Timings, "total"> = phases;

  const close = (): void => {
    signal.removeEventListener("abort", close);
    socket.destroy();
  };
  signal.addEventListener("abort", close);

  return {
    address,
    async read() {
      const next = signal.aborted ? undefined : await unlessAborted(chunks.next(), signal);
      if (next === undefined) throw new Interrupted("answer", address);
      if (next.done === true) return undefined;
      reached = { firstByte: monotonic() - start, ...reached };
      received = Buffer.concat([
        received,
        next.value.subarray(0, maxEvidenceLength - received.length),
      ]);
      return next.value;
    },
    send: (bytes) => void socket.write(bytes),
    async startTls(unread) {
      // CVE-2011-0411: bytes that were injected before the handshake must never count as encrypted.
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
      ...(received.length > 0 && { evidence: evidenceText(received) }),
    }),
    timings: () => timingsOf({ ...reached, total: monotonic() - start }, 0),
    [Symbol.dispose]: close,
  };
}

/** Leaves the socket open, so that TLS can take it over. */
function chunksOf(socket: Socket): AsyncIterator<Buffer, undefined> {
  return socket.iterator({ destroyOnReturn: false });
}

import { connect as connectTcp, isIP } from "node:net";
import type { Socket } from "node:net";
import { connect as connectTls, createSecureContext } from "node:tls";

import type { Egress } from "./egress.ts";
import { AppError } from "./errors.ts";
import { parseHost } from "./host.ts";

export type Phase = "dns" | "connect" | "tls" | "answer";

/** The signal ended it in that phase; `address` is the one being dialled, where it was known. */
export class Interrupted extends AppError {
  readonly code = "interrupted";
  readonly phase: Phase;
  readonly address: string | undefined;

  constructor(phase: Phase, address?: string) {
    super(`interrupted in phase ${JSON.stringify(phase)}`);
    this.phase = phase;
    this.address = address;
  }
}

export interface Call {
  readonly host: string;
  readonly port: number;
  readonly family?: 4 | 6 | undefined;
  readonly egress: Egress;
  readonly signal: AbortSignal;
  readonly monotonic: () => number;
  readonly tls?: TlsCall | undefined;
}

interface TlsCall {
  /** The name to ask for and to judge the certificate by. */
  readonly servername: string;
  /** Whether a certificate that is not trusted ends the call. */
  readonly verify: boolean;
  readonly protocols?: readonly string[];
  /** Shown where the other side asks who we are: a certificate and its private key, in PEM. */
  readonly clientCertificate?: string | undefined;
}

/** Ms from the start of the call to the end of each phase. */
interface DialPhases {
  readonly dns: number;
  readonly connect: number;
  readonly tls?: number;
}

export interface Connection {
  readonly socket: Socket;
  readonly address: string;
  readonly phases: DialPhases;
}

/** One for all calls without a certificate: building it costs more than the rest of a call, and it holds nothing of one. */
const secureContext = createSecureContext();

/** Opens a fresh socket to the one address that egress allows. The socket is the caller's to destroy; after a throw none is open. */
export async function dial({
  host,
  port,
  family,
  egress,
  signal,
  monotonic,
  tls,
}: Call): Promise<Connection> {
  const start = monotonic();
  const { address } = await egress.resolve(host, { family, signal }).catch((error: unknown) => {
    throw signal.aborted ? new Interrupted("dns") : error;
  });
  if (signal.aborted) throw new Interrupted("dns", address);
  const dns = monotonic() - start;
  let connected: number | undefined;
  return new Promise((resolve, reject) => {
    const socket =
      tls === undefined ? connectTcp({ host: address, port }) : openTls(address, port, tls);
    const interrupt = (): void => {
      socket.destroy();
      reject(new Interrupted(connected === undefined ? "connect" : "tls", address));
    };
    const finish = (phases: DialPhases): void => {
      signal.removeEventListener("abort", interrupt);
      resolve({ socket, address, phases });
    };
    signal.addEventListener("abort", interrupt, { once: true });
    socket.once("connect", () => {
      connected = monotonic() - start;
      if (tls === undefined) finish({ dns, connect: connected });
    });
    socket.once("secureConnect", () =>
      finish({ dns, connect: connected ?? dns, tls: monotonic() - start }),
    );
    // Stays for the socket's life: an error after the caller let go of it must not end the process.
    socket.on("error", (error) => {
      signal.removeEventListener("abort", interrupt);
      reject(error);
    });
  });
}

function openTls(host: string, port: number, call: TlsCall): Socket {
  const { servername, verify, protocols, clientCertificate } = call;
  return connectTls({
    host,
    port,
    secureContext:
      clientCertificate === undefined
        ? secureContext
        : createSecureContext({ cert: clientCertificate, key: clientCertificate }),
    rejectUnauthorized: verify,
    servername: sniOf(servername),
    ...(protocols !== undefined && { ALPNProtocols: [...protocols] }),
  });
}

/** RFC 6066, 3: no address and no trailing dot in the name that is asked for. */
export function sniOf(servername: string): string {
  const name = parseHost(servername) ?? "";
  return isIP(name) === 0 ? name.replace(/\.$/, "") : "";
}

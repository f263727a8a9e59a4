import { constants } from "node:crypto";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import {
  connect as connectTls,
  createSecureContext,
  DEFAULT_CIPHERS,
  TLSSocket,
  type SecureContext,
  type SecureContextOptions,
} from "node:tls";

import type { ResolvedAddress, Egress } from "./egress.ts";
import { AppError } from "../errors.ts";
import { parseHost } from "./host.ts";
import { peerCertificate, type PeerCertificate } from "./peer-certificate.ts";

export type Phase = "dns" | "connect" | "tls" | "answer" | "body";

/** Marks an error with the phase in which it occurred, unless it has one. Returns the error. */
export function inPhase(error: unknown, phase: Phase): unknown {
  return error instanceof Error && !("phase" in error) ? Object.assign(error, { phase }) : error;
}

/** The signal aborted in that phase; `address` is the dialed address, if it was known, and `lookup` the name that was looked up. */
export class Interrupted extends AppError {
  readonly code = "interrupted";
  readonly phase: Phase;
  readonly address: string | undefined;
  readonly lookup: string | undefined;

  constructor(phase: Phase, address?: string, lookup?: string) {
    super(`interrupted in phase ${JSON.stringify(phase)}`);
    this.phase = phase;
    this.address = address;
    this.lookup = lookup;
  }
}

export interface DialOptions {
  readonly host: string;
  readonly port: number;
  /** The path of an HTTP request. */
  readonly path?: string | undefined;
  readonly family?: 4 | 6 | undefined;
  readonly egress: Egress;
  readonly signal: AbortSignal;
  readonly monotonic: () => number;
  readonly tls?: TlsCall | undefined;
  /** Called at the end of each phase. */
  readonly onProgress?: ((progress: DialProgress) => void) | undefined;
}

/** The completed phases of a connection attempt. */
export interface DialProgress {
  readonly address: string;
  readonly phases: Partial<DialPhases>;
  /** The server's certificate, once TLS is established. */
  readonly certificate?: PeerCertificate | undefined;
}

interface TlsCall {
  /** The name for SNI and for checking the certificate. */
  readonly servername: string;
  /** Whether an untrusted certificate is an error. */
  readonly verify: boolean;
  /** Whether the caller inspects the certificate chain, which needs trusted roots. */
  readonly isInspected?: boolean;
  readonly protocols?: readonly string[];
  /** The client certificate and its private key, in PEM, for servers that request one. */
  readonly clientCertificate?: string | undefined;
}

/** Ms from the start to the end of each phase. */
export interface DialPhases {
  readonly dns: number;
  readonly connect: number;
  readonly tls?: number;
}

export interface DialResult extends DialProgress {
  readonly socket: Socket;
  readonly phases: DialPhases;
}

/** The groups of OpenSSL without the post-quantum hybrid, which no server requires and which costs a sixth of a handshake. With it the hello takes two packets, and some servers and firewalls read only one. */
const GROUPS = "X25519:P-256:X448:P-384:P-521:ffdhe2048:ffdhe3072";

/** Accepts old protocols, weak keys, and servers without RFC 5746, which OpenSSL would refuse: such a server is up, and the caller may report them. */
export const tolerantTls: SecureContextOptions = {
  ecdhCurve: GROUPS,
  minVersion: "TLSv1",
  ciphers: `${DEFAULT_CIPHERS}:@SECLEVEL=0`,
  secureOptions: constants.SSL_OP_LEGACY_SERVER_CONNECT,
};

/** TLS contexts by trust. Without verification no roots are loaded, because building the chain takes a quarter of a handshake. */
const CONTEXT_OPTIONS = {
  verified: { ecdhCurve: GROUPS },
  inspected: tolerantTls,
  any: { ...tolerantTls, ca: [] },
} as const satisfies Record<string, SecureContextOptions>;

/** Shared by all connections without a client certificate: creating a context costs more than the rest of a connection, and it has no state of one. */
const contexts = {
  verified: createSecureContext(CONTEXT_OPTIONS.verified),
  inspected: createSecureContext(CONTEXT_OPTIONS.inspected),
  any: createSecureContext(CONTEXT_OPTIONS.any),
};

/** Resolves a host to the address that the egress policy allows, once that may be dialled. Throws Interrupted, Blocked or DnsFailure. */
export async function resolveAddress({
  host,
  egress,
  ...options
}: Pick<DialOptions, "host" | "path" | "family" | "egress" | "signal"> &
  Partial<Pick<DialOptions, "port">>): Promise<ResolvedAddress> {
  const { signal, family, port, path } = options;
  // guard: egress of connections = { address: host, family: 4 }
  const found = await egress
    .resolve(host, { family, port, path, signal })
    .catch((error: unknown) => {
      throw signal.aborted ? new Interrupted("dns", undefined, host) : error;
    });
  const place = signal.aborted ? undefined : egress.admit?.(found.address);
  if (place !== undefined) await place;
  if (signal.aborted) throw new Interrupted("dns", found.address);
  return found;
}

/** Connects to the address that the egress policy allows. The caller destroys the socket; after an error none is open. */
export async function dial({
  host,
  port,
  path,
  family,
  egress,
  signal,
  monotonic,
  tls,
  onProgress = () => {},
}: DialOptions): Promise<DialResult> {
  const start = monotonic();
  const { address } = await resolveAddress({ host, port, path, family, egress, signal });
  const dns = monotonic() - start;
  onProgress({ address, phases: { dns } });
  let connected: number | undefined;
  return new Promise((resolve, reject) => {
    const socket =
      tls === undefined
        ? connectTcp({
            host: /* guard: the address that was judged is dialled = host */ address,
            port,
          })
        : openTls(address, port, tls);
    const phase = (): Phase => (connected === undefined ? "connect" : "tls");
    const interrupt = (): void => {
      socket.destroy();
      reject(new Interrupted(phase(), address));
    };
    const fail = (error: Error): void => {
      signal.removeEventListener("abort", interrupt);
      reject(inPhase(error, phase()));
    };
    const finish = (reached: DialProgress & { readonly phases: DialPhases }): void => {
      signal.removeEventListener("abort", interrupt);
      // The socket outlives the young generation, with all that its listeners know: 3 KB of a run.
      socket.on("error", ignoreLate).off("error", fail);
      resolve({ socket, ...reached });
    };
    signal.addEventListener("abort", interrupt, { once: true });
    socket.once("connect", () => {
      connected = monotonic() - start;
      const reached = { address, phases: { dns, connect: connected } };
      onProgress(reached);
      if (tls === undefined) finish(reached);
    });
    if (tls !== undefined)
      socket.once("secureConnect", () => {
        const phases = { dns, connect: connected ?? dns, tls: monotonic() - start };
        const certificate = socket instanceof TLSSocket ? peerCertificate(socket) : undefined;
        const reached = { address, phases, certificate };
        onProgress(reached);
        finish(reached);
      });
    socket.on("error", fail);
  });
}

/** Attached for the life of a socket, because a late error must not end the process. */
function ignoreLate(): void {}

function openTls(host: string, port: number, call: TlsCall): Socket {
  const { servername, verify, protocols } = call;
  return connectTls({
    host,
    port,
    secureContext: contextFor(call),
    rejectUnauthorized: verify,
    servername: sniOf(servername),
    ...(protocols !== undefined && { ALPNProtocols: [...protocols] }),
  });
}

function contextFor({ clientCertificate, verify, isInspected = false }: TlsCall): SecureContext {
  const trust = verify ? "verified" : isInspected ? "inspected" : "any";
  if (clientCertificate === undefined) return contexts[trust];
  return createSecureContext({
    ...CONTEXT_OPTIONS[trust],
    cert: clientCertificate,
    key: clientCertificate,
  });
}

/** RFC 6066, 3: SNI has neither addresses nor a trailing dot. */
export function sniOf(servername: string): string {
  const name = parseHost(servername) ?? "";
  return isIP(name) === 0 ? name.replace(/\.$/, "") : "";
}

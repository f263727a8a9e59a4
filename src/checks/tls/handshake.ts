import { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  DEFAULT_CIPHERS,
  getCACertificates,
} from "node:tls";
import type { DetailedPeerCertificate, TLSSocket } from "node:tls";

import { Interrupted, sniOf } from "../../kit/net/dial.ts";
import { namesOf, readCertificate } from "../../kit/net/peer-certificate.ts";
import type { PeerCertificate } from "../../kit/net/peer-certificate.ts";

/** What a server showed of itself in the handshake, to be judged by `certificate.ts`. */
export interface TlsFacts {
  /** Such as `TLSv1.3`. */
  readonly protocol: string;
  /** The host names and addresses that the certificate is for. */
  readonly names: readonly string[];
  readonly matchesHost: boolean;
  /** The server's own, then its issuers as far as they were sent; what vouches for those is trusted by itself. */
  readonly chain: readonly [PeerCertificate, ...PeerCertificate[]];
  /** OpenSSL's code for why nobody whom we trust vouches for it. */
  readonly trustError?: string;
  /** What makes a certificate of the chain easy to forge. */
  readonly weakness?: string;
}

export interface TlsConnection {
  readonly socket: TLSSocket;
  readonly facts: TlsFacts;
}

/** Takes what OpenSSL would refuse, old protocols and weak keys, so that it can be told; one for all, as building it costs more than a handshake. */
const secureContext = createSecureContext({
  minVersion: "TLSv1",
  ciphers: `${DEFAULT_CIPHERS}:@SECLEVEL=0`,
});

const LEAST_RSA_BITS = 2048;

/**
 * Speaks TLS over an open socket, and lets every certificate pass: to judge it is the caller's. Throws Interrupted or the system's or OpenSSL's
 * error; no socket is open then.
 */
export async function handshake(
  plain: Socket,
  { host, signal }: { readonly host: string; readonly signal: AbortSignal },
): Promise<TlsConnection> {
  const address = plain.remoteAddress;
  const socket = connect({
    socket: plain,
    secureContext,
    rejectUnauthorized: false,
    servername: sniOf(host),
  });
  await new Promise<void>((resolve, reject) => {
    const interrupt = (): void => {
      socket.destroy();
      reject(new Interrupted("tls", address));
    };
    signal.addEventListener("abort", interrupt, { once: true });
    if (signal.aborted) interrupt();
    socket.once("secureConnect", () => {
      signal.removeEventListener("abort", interrupt);
      resolve();
    });
    // Stays for the socket's life, as the listener of a dialled socket does.
    socket.on("error", (error) => {
      signal.removeEventListener("abort", interrupt);
      reject(error);
    });
  });
  return { socket, facts: factsOf(socket, host) };
}

function factsOf(socket: TLSSocket, host: string): TlsFacts {
  const own = socket.getPeerCertificate(true);
  const issuers = issuersOf(own);
  const trustError = trustErrorOf(socket);
  const untrustedIssuers = trustError === undefined ? upToAnchor(issuers) : issuers;
  const weakness = [own, ...untrustedIssuers].map(weaknessOf).find((found) => found !== undefined);
  return {
    protocol: socket.getProtocol() ?? "",
    names: namesOf(own),
    matchesHost: checkServerIdentity(host, own) === undefined,
    chain: [readCertificate(own), ...untrustedIssuers.map(readCertificate)],
    ...(trustError !== undefined && { trustError }),
    ...(weakness !== undefined && { weakness }),
  };
}

/** Node's types say Error where the socket holds OpenSSL's code; a name that does not fit is told apart from it. */
function trustErrorOf({ authorizationError }: TLSSocket): string | undefined {
  const code = String(authorizationError ?? "");
  return code === "" || code === "ERR_TLS_CERT_ALTNAME_INVALID" ? undefined : code;
}

function issuersOf(own: DetailedPeerCertificate): readonly DetailedPeerCertificate[] {
  const chain = [own];
  for (
    let next: DetailedPeerCertificate | undefined = own.issuerCertificate;
    next !== undefined &&
    chain.every(({ fingerprint256 }) => fingerprint256 !== next?.fingerprint256);
    next = next.issuerCertificate
  )
    chain.push(next);
  return chain.slice(1);
}

/** A server may send what we trust already, signed by an older authority. When that signature ends means nothing to us. */
function upToAnchor(
  issuers: readonly DetailedPeerCertificate[],
): readonly DetailedPeerCertificate[] {
  const end = issuers.findIndex(({ raw }) => anchors().has(new X509Certificate(raw).subject));
  return end === -1 ? issuers : issuers.slice(0, end);
}

let knownAnchors: ReadonlySet<string> | undefined;

/** The names of the authorities that we trust, read when first needed: that takes 10 ms. */
function anchors(): ReadonlySet<string> {
  knownAnchors ??= new Set(
    getCACertificates().map((anchor) => new X509Certificate(anchor).subject),
  );
  return knownAnchors;
}

function weaknessOf({ raw, bits, modulus }: DetailedPeerCertificate): string | undefined {
  if (modulus !== undefined && bits !== undefined && bits < LEAST_RSA_BITS)
    return `a key of ${bits} bits`;
  const { signatureAlgorithm = "" } = new X509Certificate(raw);
  return /md5|sha1(?!\d)/i.test(signatureAlgorithm) ? `signed by ${signatureAlgorithm}` : undefined;
}

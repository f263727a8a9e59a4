import { X509Certificate } from "node:crypto";
import type { Socket } from "node:net";
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  getCACertificates,
  type DetailedPeerCertificate,
  type TLSSocket,
} from "node:tls";

import { inPhase, Interrupted, sniOf, tolerantTls } from "../../kit/net/dial.ts";
import { namesOf, readCertificate, type PeerCertificate } from "../../kit/net/peer-certificate.ts";

/** The server's side of a TLS handshake, which `certificate-rules.ts` judges. */
export interface TlsFacts {
  /** Such as `TLSv1.3`. */
  readonly protocol: string;
  /** The host names and addresses that the certificate is for. */
  readonly names: readonly string[];
  readonly matchesHost: boolean;
  /** The server's certificate, then its issuers as far as the server sent them, without the trusted root. */
  readonly chain: readonly [PeerCertificate, ...PeerCertificate[]];
  /** OpenSSL's code for a chain that is not trusted. */
  readonly trustError?: string;
  /** A weak key or signature in the chain. */
  readonly weakness?: string;
}

export interface TlsConnection {
  readonly socket: TLSSocket;
  readonly facts: TlsFacts;
}

/** Shared by all connections, because creating it costs more than a handshake. */
const secureContext = createSecureContext(tolerantTls);

const MIN_RSA_BITS = 2048;

/**
 * Starts TLS on an open socket, and accepts every certificate, which the caller judges. Throws Interrupted or an error of the system or OpenSSL,
 * with the socket closed.
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
    // Kept for the life of the socket, like the listener in dial.
    socket.on("error", (error) => {
      signal.removeEventListener("abort", interrupt);
      reject(inPhase(error, "tls"));
    });
  });
  return { socket, facts: factsOf(socket, host) };
}

/** Returns facts about the server after the handshake. */
export function factsOf(socket: TLSSocket, host: string): TlsFacts {
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

/** Node's types say Error, but the value is OpenSSL's code. A name mismatch is not a trust error, and is judged separately. */
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

/** The issuers up to a trusted root. A server may send a root that we trust, cross-signed by an older one; the expiry of that signature does not matter. */
function upToAnchor(
  issuers: readonly DetailedPeerCertificate[],
): readonly DetailedPeerCertificate[] {
  const end = issuers.findIndex(({ raw }) => anchors().has(new X509Certificate(raw).subject));
  return end === -1 ? issuers : issuers.slice(0, end);
}

let knownAnchors: ReadonlySet<string> | undefined;

/** The subjects of the trusted roots, loaded when first needed because that takes 10 ms. */
function anchors(): ReadonlySet<string> {
  knownAnchors ??= new Set(
    getCACertificates().map((anchor) => new X509Certificate(anchor).subject),
  );
  return knownAnchors;
}

function weaknessOf({ raw, bits, modulus }: DetailedPeerCertificate): string | undefined {
  if (modulus !== undefined && bits !== undefined && bits < MIN_RSA_BITS)
    return `a key of ${bits} bits`;
  const { signatureAlgorithm = "" } = new X509Certificate(raw);
  return /md5|sha1(?!\d)/i.test(signatureAlgorithm) ? `signed by ${signatureAlgorithm}` : undefined;
}

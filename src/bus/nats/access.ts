import type { Secret } from "../../kit/crypto/secret.ts";

export interface ClientCertificate {
  readonly chain: string;
  readonly key: Secret;
}

/** Where the broker is, and who we are to it. */
export interface NatsAccess {
  /** Addresses as host:port, of one server or of several of a cluster. */
  readonly servers: readonly string[];
  /** Refuses to go on where the server offers no TLS. */
  readonly requiresTls: boolean;
  /** Certificates in PEM that are trusted instead of those of the system. */
  readonly ca: string | undefined;
  /** What we show of ourselves to a server that asks for a certificate; in PEM. */
  readonly certificate: ClientCertificate | undefined;
  /** The seed of the user's nkey; undefined for a server that lets everybody in. */
  readonly seed: Secret | undefined;
}

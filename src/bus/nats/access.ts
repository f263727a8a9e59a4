import type { Secret } from "../../kit/crypto/secret.ts";

export interface ClientCertificate {
  readonly chain: string;
  readonly key: Secret;
}

/** Address of the broker and our identity. */
export interface NatsAccess {
  /** Addresses as host:port, of one server or of several of a cluster. */
  readonly servers: readonly string[];
  /** Refuses a server without TLS. */
  readonly requiresTls: boolean;
  /** Certificates in PEM that are trusted instead of those of the system. */
  readonly ca: string | undefined;
  /** Client certificate for a server that asks for one; in PEM. */
  readonly certificate: ClientCertificate | undefined;
  /** The seed of the user's nkey; undefined for a server that lets everybody in. */
  readonly seed: Secret | undefined;
}

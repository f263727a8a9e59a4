import { setDefaultCACertificates } from "node:tls";

import { issue } from "./certificate-authority.ts";
import type { Certificate } from "./certificates.ts";

/** This process trusts it, and what it signs. */
export const issuer = issue({ subject: "an authority", authority: true });

// TLS clients must be imported after this module, because they read trusted certificates when loaded.
setDefaultCACertificates([issuer.cert]);

/** A certificate for localhost and 127.0.0.1 that this process trusts. */
export function trustedCertificate(toDay = 60): Certificate {
  const names = "DNS:localhost,IP:127.0.0.1";
  return issue({ subject: "localhost", names, issuer, toDay });
}

import { setDefaultCACertificates } from "node:tls";

import { issue } from "./certificate-authority.ts";
import type { Certificate } from "./certificates.ts";

/** This process trusts it, and what it signs. */
export const issuer = issue({ subject: "an authority", authority: true });

// What speaks TLS is to be imported after this module, as it reads what is trusted when it is loaded.
setDefaultCACertificates([issuer.cert]);

/** A certificate for localhost and 127.0.0.1 that this process trusts. */
export function trustedCertificate(toDay = 60): Certificate {
  const names = "DNS:localhost,IP:127.0.0.1";
  return issue({ subject: "localhost", names, issuer, toDay });
}

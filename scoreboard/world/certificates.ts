import type { CertificateFault } from "../scenario.ts";
import type { Certificate } from "../../test/peers/certificates.ts";
import { issue } from "../../test/peers/certificate-authority.ts";

export interface Certificates {
  /** The authority that every machine trusts, in PEM. */
  readonly authority: string;
  readonly valid: (name: string) => Certificate;
  readonly faulty: (name: string, fault: CertificateFault) => Certificate;
}

const SOON_DAYS = 3;

/** An authority of its own, and another one that nobody trusts. */
export function createCertificates(): Certificates {
  const authority = issue({ subject: "Scoreboard authority", authority: true });
  const stranger = issue({ subject: "Unknown authority", authority: true });
  const made = (name: string, more: Partial<Parameters<typeof issue>[0]>): Certificate =>
    issue({ subject: name, names: `DNS:${name}`, issuer: authority, ...more });
  const faults: Readonly<Record<CertificateFault, (name: string) => Certificate>> = {
    expired: (name) => made(name, { fromDay: -30, toDay: -1 }),
    "not-yet-valid": (name) => made(name, { fromDay: 1, toDay: 90 }),
    "wrong-host": () => made("other.sites.test", {}),
    "self-signed": (name) => issue({ subject: name, names: `DNS:${name}` }),
    "unknown-authority": (name) => made(name, { issuer: stranger }),
    "ends-soon": (name) => made(name, { toDay: SOON_DAYS }),
  };
  return {
    authority: authority.cert,
    valid: (name) => made(name, {}),
    faulty: (name, fault) => faults[fault](name),
  };
}

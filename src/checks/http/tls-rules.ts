import type { TLSSocket } from "node:tls";

import type { Outcome } from "../../domain/run/outcome.ts";
import { judgeCertificate, sslMessages } from "../tls/certificate-rules.ts";
import { factsOf } from "../tls/handshake.ts";

/** Ends an exchange before anything is asked. */
export class RefusedCertificate extends Error {
  override readonly name = "RefusedCertificate";
  readonly outcome: Outcome;

  constructor(outcome: Outcome) {
    super(outcome.message);
    this.outcome = outcome;
  }
}

export interface CertificateWishes {
  /** Whether the certificate must be trusted and match the name. */
  readonly verify: boolean;
  /** Fails that many days before it expires. */
  readonly warningdays: number | undefined;
}

/** Judges the certificate of each server that is asked as SSL checks do, redirects included; undefined where nobody wants that. */
export function createInspector(
  { verify, warningdays: warningDays }: CertificateWishes,
  now: () => number,
): ((socket: TLSSocket, host: string) => void) | undefined {
  if (!verify && warningDays === undefined) return undefined;
  return (socket, host) => {
    const rules = { verify, warningDays, messages: sslMessages, now: now() };
    const failure = judgeCertificate(factsOf(socket, host), rules);
    if (failure !== undefined) throw new RefusedCertificate(failure);
  };
}
